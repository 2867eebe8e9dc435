package data

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/akitad/akitad"
)

// maxBlob is the size up to which the bytes of a blob are shown.
const maxBlob = 64

// shown returns a value of SQLite as JSON can hold it: whole numbers with all their digits, a short
// blob as the literal that SQL has for it, text that is no UTF-8 with marks in place of bad bytes.
func shown(v any) any {
	switch v := v.(type) {
	case []byte:
		if len(v) > maxBlob {
			return fmt.Sprintf("blob of %d bytes", len(v))
		}
		return "x'" + strings.ToUpper(hex.EncodeToString(v)) + "'"
	case string:
		return strings.ToValidUTF8(v, "\uFFFD")
	case float64:
		switch {
		case math.IsInf(v, 1):
			return "Infinity"
		case math.IsInf(v, -1):
			return "-Infinity"
		case math.IsNaN(v):
			return nil
		}
	}
	return v
}

// object writes names and values as a JSON object in this order.
func object(names []string, values []any) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		for n, part := range []any{name, shown(values[i])} {
			text, err := encode(part)
			if err != nil {
				return nil, err
			}
			if n == 1 {
				b.WriteByte(':')
			}
			b.Write(text)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// decodeRow reads an object; numbers keep all their digits.
func decodeRow(raw json.RawMessage) (map[string]any, error) {
	var row map[string]any
	if err := decode(raw, &row); err != nil || row == nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "%.60s is not an object", raw).WithHint(`write a row as {"column": value}`)
	}
	return row, nil
}

// decode reads exactly one JSON value; numbers stay as they are written (json.Number).
func decode(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}

// bound returns a value of JSON as SQLite stores it: true is 1, and what has an inside stays JSON.
func bound(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
		if !strings.ContainsAny(v.String(), ".eE") {
			return nil, bad("%s is too large for a whole number of SQLite", v).WithHint("give it as text, in quotes")
		}
		return v.Float64()
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	case map[string]any, []any:
		text, err := encode(v)
		return string(text), err
	}
	return v, nil
}
