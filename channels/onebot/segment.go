package onebot

import (
	"bytes"
	"encoding/json"
	"strings"
)

// segment is one piece of a message: a text, a picture, a mention.
type segment struct {
	kind string
	data map[string]string // lists and objects stand there as JSON
}

// decodeSegments reads a message in any of its forms: a list of segments, one segment, or a string
// with CQ codes. Pieces that are none of these are passed over.
func decodeSegments(raw json.RawMessage) []segment {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil
	}
	switch raw[0] {
	case '"':
		return parseCQ(plain(raw))
	case '{':
		if s, ok := decodeSegment(raw); ok {
			return []segment{s}
		}
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return nil
		}
		var out []segment
		for _, item := range items {
			if s, ok := decodeSegment(item); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

func decodeSegment(raw json.RawMessage) (segment, bool) {
	var in struct {
		Type string                     `json:"type"`
		Data map[string]json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(raw, &in); err != nil || in.Type == "" {
		var text string
		if json.Unmarshal(raw, &text) != nil || text == "" {
			return segment{}, false
		}
		return segment{kind: "text", data: map[string]string{"text": text}}, true
	}
	s := segment{kind: in.Type, data: map[string]string{}}
	for k, v := range in.Data {
		if value := plain(v); value != "null" {
			s.data[k] = value
		}
	}
	return s, true
}

// first gives the first of the values that is not empty.
func (s segment) first(keys ...string) string {
	for _, k := range keys {
		if v := s.data[k]; v != "" {
			return v
		}
	}
	return ""
}

var (
	unescapeText  = strings.NewReplacer("&amp;", "&", "&#91;", "[", "&#93;", "]")
	unescapeValue = strings.NewReplacer("&amp;", "&", "&#91;", "[", "&#93;", "]", "&#44;", ",")
)

// parseCQ reads a message that has its segments as codes, as in "hello [CQ:at,qq=1]". What is no
// complete code is text.
func parseCQ(s string) []segment {
	var out []segment
	text := func(t string) {
		if t != "" {
			out = append(out, segment{kind: "text", data: map[string]string{"text": unescapeText.Replace(t)}})
		}
	}
	for s != "" {
		from := strings.Index(s, "[CQ:")
		if from < 0 {
			break
		}
		n := strings.IndexByte(s[from:], ']')
		if n < 0 {
			break
		}
		if again := strings.LastIndex(s[from:from+n], "[CQ:"); again > 0 { // the first one is never closed
			from, n = from+again, n-again
		}
		code, ok := parseCode(s[from+len("[CQ:") : from+n])
		if !ok {
			text(s[:from+n+1])
		} else {
			text(s[:from])
			out = append(out, code)
		}
		s = s[from+n+1:]
	}
	text(s)
	return out
}

func parseCode(body string) (segment, bool) {
	kind, rest, _ := strings.Cut(body, ",")
	kind = strings.TrimSpace(kind)
	if kind == "" || strings.ContainsAny(kind, "[= \n") {
		return segment{}, false
	}
	s := segment{kind: kind, data: map[string]string{}}
	for _, pair := range strings.Split(rest, ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			s.data[strings.TrimSpace(key)] = unescapeValue.Replace(value)
		}
	}
	return s, true
}
