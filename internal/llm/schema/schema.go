package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Rooted returns the schema with an object at its root and no alternatives there, which is what vendors
// ask of a tool's arguments: alternatives are merged into one object that takes the arguments of each
// and demands those that all demand. A schema that is so already comes back byte for byte; one that
// cannot be read becomes that of any object.
func Rooted(raw json.RawMessage) json.RawMessage {
	n, ok := parse(raw)
	if !ok {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	r := &reader{root: n, left: maxFollowed}
	if fixed := r.rooted(n).encode(raw); !bytes.Equal(fixed, n.encode(raw)) {
		return fixed
	}
	return raw
}

// maxFollowed bounds how many references and alternatives of one schema are followed: they may lead
// to themselves, and others write them.
const maxFollowed = 500

// reader reads one schema.
type reader struct {
	root node
	left int
}

func (r *reader) rooted(n node) node {
	if r.left--; r.left < 0 {
		return node{}
	}
	n = r.follow(n)
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if list := n.list(key); list != nil {
			n = r.merged(n.without(key), list, key == "allOf")
		}
	}
	n = n.without("not", "enum", "const", "if", "then", "else")
	if n.get("type") != "object" {
		n = n.with("type", "object")
	}
	if _, ok := n.get("properties").(node); !ok {
		n = n.with("properties", node{})
	}
	return n
}

// merged adds the alternatives to an object; demands are those of all of them, or of each if all hold.
func (r *reader) merged(n node, alternatives []any, all bool) node {
	properties, required := n.object("properties"), n.list("required")
	var common []any
	for i, a := range alternatives {
		sub, _ := a.(node)
		sub = r.rooted(sub)
		for _, p := range sub.object("properties") {
			if properties.get(p.name) == nil {
				properties = properties.with(p.name, p.value)
			}
		}
		switch demands := sub.list("required"); {
		case i == 0 || all:
			common = append(common, demands...)
		default:
			common = slices.DeleteFunc(common, func(d any) bool { return !slices.Contains(demands, d) })
		}
		if n.get("$defs") == nil && sub.get("$defs") != nil {
			n = n.with("$defs", sub.get("$defs"))
		}
	}
	n = n.with("properties", properties)
	if required = union(required, common); len(required) > 0 {
		n = n.with("required", required)
	}
	return n.without("additionalProperties")
}

func union(a, b []any) []any {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// follow returns what a reference within the schema leads to, in a few steps. What stands beside the
// reference, such as a description, holds for it.
func (r *reader) follow(n node) node {
	for range 8 {
		ref, ok := n.get("$ref").(string)
		if !ok {
			return n
		}
		to, ok := lookup(ref, r.root)
		if !ok {
			return n.without("$ref")
		}
		for _, m := range n.without("$ref") {
			to = to.with(m.name, m.value)
		}
		n = to
	}
	return n.without("$ref")
}

func lookup(ref string, root node) (node, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	at := root
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if part == "" {
			continue
		}
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		if at, ok = at.get(part).(node); !ok {
			return nil, false
		}
	}
	return at, true
}
