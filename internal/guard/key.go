package guard

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/akitad/akitad"
)

// Key names a call: two calls with the same tool and the same arguments have the same key, however
// the arguments are written.
func Key(tool string, args json.RawMessage) string {
	return akitad.Digest(tool, string(Canonical(args)))
}

// Canonical writes arguments in one way: object keys sorted, no blank space, 1.0 and 1e0 as 1. No
// arguments are an empty object. What is no JSON is left as it is.
func Canonical(args json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(args)) == 0 {
		return json.RawMessage("{}")
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return args
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return args
	}
	out, err := json.Marshal(plain(v))
	if err != nil {
		return args
	}
	return out
}

// plain spells the numbers in a decoded value in one way.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = plain(e)
		}
	case []any:
		for i, e := range v {
			v[i] = plain(e)
		}
	case json.Number:
		return json.Number(number(v.String()))
	}
	return v
}

// exact is the whole number below which every whole number is a float of its own.
const exact = 1 << 53

// number gives one spelling for each value. Numbers so large that two of them may be one float stay as they are
// written, so that different ones are never taken for one.
func number(s string) string {
	if !strings.ContainsAny(s, ".eE") {
		if s == "-0" {
			return "0"
		}
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.Abs(f) >= exact:
		return s
	case f == math.Trunc(f):
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
