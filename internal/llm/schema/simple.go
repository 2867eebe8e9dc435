package schema

import (
	"encoding/json"
	"slices"
)

// simpleKeys are what servers with the narrowest idea of a schema take.
var simpleKeys = []string{"type", "description", "properties", "required", "items", "enum", "anyOf", "additionalProperties"}

// maxInline bounds how often a reference is followed into itself; below, anything goes.
const maxInline = 3

// Simple returns the schema for servers that take little of JSON Schema: rooted, references put where
// they are used, oneOf written as anyOf, a single allOf merged, and no formats, defaults, patterns and
// bounds. What it leaves out still holds when the arguments are checked.
func Simple(raw json.RawMessage) json.RawMessage {
	n, ok := parse(Rooted(raw))
	if !ok {
		return raw
	}
	r := &reader{root: n, left: maxFollowed}
	return r.simple(n, 0).encode(raw)
}

func (r *reader) simple(n node, inlined int) node {
	if n.get("$ref") != nil {
		inlined++
		if r.left--; r.left < 0 || inlined > maxInline {
			return n.without("$ref", "$defs", "definitions")
		}
		n = r.follow(n)
	}
	if all := n.list("allOf"); len(all) == 1 {
		if only, ok := all[0].(node); ok {
			for _, m := range r.simple(only, inlined) {
				n = n.with(m.name, m.value)
			}
		}
	}
	n = anyForOne(n)
	if v := n.get("const"); v != nil && n.get("enum") == nil {
		n = n.with("enum", []any{v})
	}
	n = slices.DeleteFunc(slices.Clone(n), func(m member) bool { return !slices.Contains(simpleKeys, m.name) })
	for i, m := range n {
		n[i].value = within(m.name, m.value, func(sub node) node { return r.simple(sub, inlined) })
	}
	return n
}

// within changes the schemas that stand in a member of a schema.
func within(name string, value any, change func(node) node) any {
	switch v := value.(type) {
	case node:
		if name == "properties" || name == "$defs" || name == "definitions" {
			out := slices.Clone(v)
			for i, p := range out {
				out[i].value = schemaOf(p.value, change)
			}
			return out
		}
		if name == "items" || name == "additionalProperties" {
			return change(v)
		}
	case []any:
		if name == "anyOf" {
			out := slices.Clone(v)
			for i, one := range out {
				out[i] = schemaOf(one, change)
			}
			return out
		}
	}
	return value
}

// schemaOf changes a schema; true and false, which are schemas too, become that of anything.
func schemaOf(value any, change func(node) node) any {
	if n, ok := value.(node); ok {
		return change(n)
	}
	return node{}
}
