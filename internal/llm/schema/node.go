// Package schema fits JSON Schemas of tools to what model servers take: an object at the root, no
// references, strict or simple. It validates nothing, and keeps the order in which properties stand.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// node is an object of JSON with its members in order.
type node []member

type member struct {
	name  string
	value any // node, []any, or a scalar as encoding/json gives it
}

var errDeep = errors.New("schema: nested too deep")

// maxDepth bounds how deep a schema may nest.
const maxDepth = 64

// parse reads a schema; ok is false if it is no object.
func parse(raw json.RawMessage) (n node, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	v, err := read(dec, 0)
	if err != nil {
		return nil, false
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	n, ok = v.(node)
	return n, ok
}

func read(dec *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return readNode(dec, depth)
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := read(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return token, nil
}

func readNode(dec *json.Decoder, depth int) (node, error) {
	n := node{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string) // the decoder has seen to it
		v, err := read(dec, depth+1)
		if err != nil {
			return nil, err
		}
		n = append(n, member{name, v})
	}
	_, err := dec.Token()
	return n, err
}

// MarshalJSON implements json.Marshaler.
func (n node) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// get returns the member's value, nil if there is none.
func (n node) get(name string) any {
	at := slices.IndexFunc(n, func(m member) bool { return m.name == name })
	if at < 0 {
		return nil
	}
	return n[at].value
}

func (n node) object(name string) node {
	o, _ := n.get(name).(node)
	return o
}

func (n node) list(name string) []any {
	l, _ := n.get(name).([]any)
	return l
}

// with returns the node with the member set, in its place or at the end.
func (n node) with(name string, value any) node {
	at := slices.IndexFunc(n, func(m member) bool { return m.name == name })
	if at < 0 {
		return append(slices.Clone(n), member{name, value})
	}
	out := slices.Clone(n)
	out[at].value = value
	return out
}

// without returns the node without the members.
func (n node) without(names ...string) node {
	return slices.DeleteFunc(slices.Clone(n), func(m member) bool { return slices.Contains(names, m.name) })
}

// encode returns the node as JSON; a node is always possible to write.
func (n node) encode(or json.RawMessage) json.RawMessage {
	data, err := json.Marshal(n)
	if err != nil {
		return or
	}
	return data
}
