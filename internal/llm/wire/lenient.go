package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Word is a text that some servers send as a number, null or something else, which is no text.
type Word string

// UnmarshalJSON implements json.Unmarshaler. It refuses nothing.
func (w *Word) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case plain(data):
		*w = Word(data[1 : len(data)-1])
	case json.Unmarshal(data, &text) == nil:
		*w = Word(text)
	case len(data) > 0 && (data[0] == '-' || data[0] >= '0' && data[0] <= '9'):
		*w = Word(data)
	}
	return nil
}

// plain reports whether the data, which is a JSON value, is a text without escapes, all of it ASCII.
func plain(data []byte) bool {
	if len(data) < 2 || data[0] != '"' {
		return false
	}
	for _, b := range data {
		if b == '\\' || b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// List is a list that some servers send as its only element. What is neither list nor object is empty.
type List []json.RawMessage

// UnmarshalJSON implements json.Unmarshaler. It refuses nothing.
func (l *List) UnmarshalJSON(data []byte) error {
	var all []json.RawMessage
	if json.Unmarshal(data, &all) == nil {
		*l = all
		return nil
	}
	var text string
	switch {
	case len(data) > 0 && data[0] == '{':
		*l = List{append(json.RawMessage(nil), data...)}
	case json.Unmarshal(data, &text) == nil && json.Valid([]byte(text)) && text[0] != '"':
		return l.UnmarshalJSON([]byte(text)) // which is no text again
	}
	return nil
}

// IsDone reports whether the data of an event says that the stream ends here, as OpenAI's servers do: [DONE], also
// in quotes, without its brackets, or with something behind it.
func IsDone(data []byte) bool {
	data = bytes.TrimLeft(data, `"[ `)
	return len(data) >= len(done) && bytes.EqualFold(data[:len(done)], done) && len(bytes.Trim(data[len(done):min(len(data), len(done)+1)], `"] `)) == 0
}

var done = []byte("DONE")

// Inner gives the answer that a gateway has wrapped in an object of its own, beside what it says of itself; field is one
// that an answer has. What is not wrapped comes back as it is.
func Inner(data []byte, field string) []byte {
	var outer map[string]json.RawMessage
	if json.Unmarshal(data, &outer) != nil || outer[field] != nil {
		return data
	}
	for _, around := range []string{"data", "result", "response", "output"} {
		var inner map[string]json.RawMessage
		if json.Unmarshal(outer[around], &inner) == nil && inner[field] != nil && string(inner[field]) != "null" {
			return outer[around]
		}
	}
	return data
}

// IndexOf reads an index: a number, or its text; nil if it is none.
func IndexOf(raw json.RawMessage) *int {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.Trim(string(raw), `"`), ".0"))
	if err != nil {
		return nil
	}
	return &n
}

// Values gives the JSON values of a body: one after another, or in a list. Behind what is no JSON, or was
// cut off, there are no more; rest says that there is such a thing.
func Values(data []byte) (all []json.RawMessage, rest bool) {
	for dec := json.NewDecoder(bytes.NewReader(data)); ; {
		var raw json.RawMessage
		var list []json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return all, !errors.Is(err, io.EOF)
		}
		if json.Unmarshal(raw, &list) == nil {
			all = append(all, list...)
			continue
		}
		all = append(all, raw)
	}
}

// Count is a number of tokens, or the text of one; what is neither counts nothing, for an answer is not to fail by what it is
// said to have cost.
type Count float64

// UnmarshalJSON implements json.Unmarshaler. It refuses nothing.
func (c *Count) UnmarshalJSON(data []byte) error {
	if n, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64); err == nil && n >= 0 && n < math.MaxInt32 {
		*c = Count(n)
	}
	return nil
}
