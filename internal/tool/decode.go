package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxDepth bounds how deep arguments may nest.
const maxDepth = 64

// decode reads exactly one JSON value, strictly: nothing after it, no name twice in an object, no
// endless nesting. Numbers stay as they were written.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := decodeValue(d, 0)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return v, nil
}

func decodeValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		return decodeObject(d, depth)
	case json.Delim('['):
		return decodeList(d, depth)
	}
	if n, ok := t.(json.Number); ok && huge(n) {
		return nil, fmt.Errorf("%.20s is out of range", n)
	}
	return t, nil
}

// huge reports whether a number does not fit a float, or has an exponent that would take for ever
// to write out.
func huge(n json.Number) bool {
	if _, err := n.Float64(); err != nil {
		return true
	}
	e := strings.IndexAny(n.String(), "eE")
	return e >= 0 && len(strings.TrimLeft(n.String()[e+1:], "+-0")) > 3
}

func decodeObject(d *json.Decoder, depth int) (any, error) {
	object := map[string]any{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string) // the decoder has seen to it that names are strings
		if _, twice := object[name]; twice {
			return nil, fmt.Errorf("%q is there twice", name)
		}
		if object[name], err = decodeValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return object, err
}

func decodeList(d *json.Decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}
