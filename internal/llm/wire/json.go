package wire

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/pattern"
)

// Text gives s as a JSON string.
func Text(s string) string { return string(Marshal(s)) }

// Marshal gives v, which must be possible to marshal, as JSON in the form that Canonical keeps.
func Marshal(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(`""`) // strings and the structs of the protocols always can be
	}
	return data
}

// Canonical gives raw without blanks and with <, > and & escaped: the form in which the standard
// library writes JSON that is kept inside of other JSON. Bytes in this form survive a journal.
func Canonical(raw json.RawMessage) json.RawMessage {
	data, err := json.Marshal(raw)
	if err != nil {
		return raw
	}
	return data
}

// ArgumentsOut gives arguments of a call as they go out: a JSON object. What the model sent and nobody
// could read goes back inside of one.
func ArgumentsOut(args akitad.RawJSON) string {
	if !json.Valid(args) {
		args = llm.Arguments(string(args))
	}
	args = Canonical(args)
	if string(args) == "null" {
		return "{}"
	}
	if args[0] != '{' {
		return `{"unreadable":` + string(args) + `}`
	}
	return string(args)
}

// Meant reports whether an error field holds one: some servers always send it, empty.
func Meant(field any) bool {
	switch f := field.(type) {
	case nil:
		return false
	case string:
		return f != ""
	case bool:
		return f
	case float64:
		return f != 0
	case map[string]any:
		return len(f) > 0
	}
	return true
}

// noNumbers are what some servers write for numbers that JSON does not have.
var noNumbers = pattern.New(`^[-+]?(?:NaN|nan|Infinity|inf)\b`)

// Mended gives what is JSON but for numbers that are none and control characters in texts as JSON; ok is
// false if it is something else.
func Mended(data []byte) (mended []byte, ok bool) {
	inText := false
	for at := 0; at < len(data); at++ {
		switch c := data[at]; {
		case inText && c == '\\' && at+1 < len(data):
			mended = append(mended, c, data[at+1])
			at++
		case inText && c < ' ':
			mended = fmt.Appendf(mended, `\u%04x`, c)
		case !inText && strings.IndexByte("-+NnIi", c) >= 0 && noNumbers.MatchString(string(data[at:min(len(data), at+12)])):
			at += len(noNumbers.FindString(string(data[at:min(len(data), at+12)]))) - 1
			mended = append(mended, "null"...)
		default:
			inText = inText != (c == '"')
			mended = append(mended, c)
		}
	}
	return mended, json.Valid(mended)
}
