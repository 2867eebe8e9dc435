package gemini

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/akitad/akitad/internal/llm/wire"
)

// maxNodes bounds a tool's parameters: references that are used again and again would make a tree of
// any size out of a small document. What lies beyond is told by its type alone.
const maxNodes = 1000

// converter brings a JSON Schema document into the form of function declarations. What they have no
// words for is left out: the tool layer checks arguments by the whole schema, and tells the model of
// what does not fit.
type converter struct {
	root json.RawMessage
	left int // nodes that may still be written
}

// scope is a node without references, and those that were followed on the way to it.
type scope struct {
	node
	open []string
}

// parameters gives what a function declaration says of a tool's arguments; nil if there are none.
// These must be one object, so that alternatives add up.
func parameters(raw json.RawMessage) *schema {
	c := &converter{root: raw, left: maxNodes}
	s := c.resolve(raw, nil)
	out := &schema{Type: "object", Description: s.text("description")}
	branches, _ := c.branches(s)
	for _, b := range branches {
		delete(b.node, "required")
		s = scope{merged(s.node, b.node, alternatives), distinct(slices.Concat(s.open, b.open))}
	}
	if c.fill(out, s); len(out.Properties) == 0 {
		return nil
	}
	return out
}

// resolve reads a node, follows its reference and joins what it wants all of. A reference to
// something that is being followed already would have no end: the type alone is told.
func (c *converter) resolve(raw json.RawMessage, open []string) scope {
	s := scope{node{}, open}
	_ = json.Unmarshal(raw, &s.node)
	if s.node == nil {
		s.node = node{}
	}
	if ref := s.text("$ref"); ref != "" {
		delete(s.node, "$ref")
		target := at(c.root, ref)
		under := scope{typed(target), open}
		if target != nil && !slices.Contains(open, ref) {
			under = c.resolve(target, append(slices.Clip(open), ref))
		}
		s = scope{merged(under.node, s.node, second), under.open}
	}
	parts := s.list("allOf")
	delete(s.node, "allOf")
	for _, part := range parts {
		under := c.resolve(part, s.open)
		s = scope{merged(under.node, s.node, second), under.open}
	}
	return s
}

// typed gives the type of a schema and nothing else of it; an object if it names none.
func typed(raw json.RawMessage) node {
	var n node
	_ = json.Unmarshal(raw, &n)
	if types, _ := n.types(); len(types) > 0 {
		return node{"type": wire.Marshal(types[0])}
	}
	return node{"type": json.RawMessage(`"object"`)}
}

// schema converts one schema; nil if no value satisfies it.
func (c *converter) schema(raw json.RawMessage, open []string) *schema {
	if string(bytes.TrimSpace(raw)) == "false" {
		return nil
	}
	return c.build(c.resolve(raw, open))
}

func (c *converter) build(s scope) *schema {
	if c.left--; c.left < 0 {
		s.node = typed(wire.Marshal(s.node))
	}
	branches, null := c.branches(s)
	delete(s.node, "anyOf")
	delete(s.node, "oneOf")
	if len(branches) == 1 {
		if null {
			s.node["nullable"] = json.RawMessage("true")
		}
		return c.build(scope{merged(branches[0].node, s.node, second), branches[0].open})
	}
	types, nullable := s.types()
	null = null || nullable
	if len(branches) == 0 && len(types) > 1 {
		for _, t := range types {
			branches = append(branches, scope{node{"type": wire.Marshal(t)}, s.open})
		}
		delete(s.node, "type")
	}
	if len(branches) > 0 {
		return c.either(s, branches, null)
	}
	return c.one(s, types, null)
}

// branches gives the alternatives that a node names, but null, and whether null is among them. There
// are none if one of them says nothing of the value's form: it may then have any that the node allows.
func (c *converter) branches(s scope) (out []scope, null bool) {
	vague := false
	for _, raw := range slices.Concat(s.list("anyOf"), s.list("oneOf")) {
		b := c.resolve(raw, s.open)
		types, isNull := b.types()
		if isNull && len(types) == 0 {
			null = true
			continue
		}
		vague = vague || !b.says()
		out = append(out, b)
	}
	if vague {
		return nil, null
	}
	return out, null
}

// says reports whether a node says anything of the form of values.
func (n node) says() bool {
	for _, key := range []string{"type", "properties", "items", "enum", "const", "anyOf", "oneOf"} {
		if _, ok := n[key]; ok {
			return true
		}
	}
	return false
}

// either converts alternatives, each with what the node says of all of them.
func (c *converter) either(s scope, branches []scope, null bool) *schema {
	var all []*schema
	for _, b := range branches {
		one := c.build(scope{merged(s.node, b.node, second), b.open})
		if len(one.AnyOf) > 0 {
			all = append(all, one.AnyOf...)
		} else {
			all = append(all, one)
		}
	}
	for _, one := range all {
		one.Nullable = one.Nullable || null
	}
	return union(all)
}

// union gives one schema for several: itself if they are all the same, one list of words if each
// allows some words, else alternatives.
func union(all []*schema) *schema {
	first := all[0]
	if !slices.ContainsFunc(all, func(s *schema) bool { return len(s.Enum) == 0 }) {
		for _, s := range all[1:] {
			first.Enum = append(first.Enum, s.Enum...)
			first.Nullable = first.Nullable || s.Nullable
		}
		first.Enum = distinct(first.Enum)
		return first
	}
	all = slices.CompactFunc(all, func(a, b *schema) bool { return bytes.Equal(wire.Marshal(a), wire.Marshal(b)) })
	if len(all) == 1 {
		return first
	}
	return &schema{AnyOf: all}
}

func distinct(words []string) (out []string) {
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
