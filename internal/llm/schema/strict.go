package schema

import (
	"encoding/json"
	"slices"
)

// What OpenAI's structured outputs take: so many levels, so many properties in all.
const (
	strictDepth      = 10
	strictProperties = 5000
)

// dropped are the words of JSON Schema that strict schemas may not have, and that only narrow what is
// taken: leaving them out loses nothing, since arguments are checked against the schema itself.
var dropped = []string{
	"default", "examples", "title", "$schema", "$id", "$comment", "deprecated", "readOnly", "writeOnly", "uniqueItems",
	"minLength", "maxLength", "minProperties", "maxProperties", "contains", "contentEncoding", "contentMediaType", "format",
}

// kept are the words that stay; a schema with any other cannot be made strict.
var kept = []string{
	"type", "description", "properties", "required", "items", "enum", "const", "anyOf", "additionalProperties", "$ref", "$defs",
	"definitions", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems",
}

// Strict returns the schema in the form of strict function calling: every object is closed and demands
// all of its properties, and one that was optional may be null instead, which Arguments take for not
// given. ok is false if that is not possible without changing what the tool takes: an object of any
// names, alternatives that all hold, more levels or properties than the service allows.
func Strict(raw json.RawMessage) (out json.RawMessage, ok bool) {
	n, ok := parse(Rooted(raw))
	if !ok {
		return nil, false
	}
	s := &strict{}
	n = s.schema(n, 0)
	if s.failed || s.properties > strictProperties {
		return nil, false
	}
	return n.encode(raw), true
}

type strict struct {
	properties int
	failed     bool
}

func (s *strict) schema(n node, depth int) node {
	n = anyForOne(n)
	n = n.without(dropped...)
	for _, m := range n {
		s.failed = s.failed || !slices.Contains(kept, m.name)
	}
	s.failed = s.failed || depth > strictDepth || n.get("type") == nil && n.get("anyOf") == nil && n.get("$ref") == nil && n.get("enum") == nil && n.get("const") == nil
	if n.get("$ref") != nil {
		return n.without("description") // nothing may stand beside a reference
	}
	if isObject(n) {
		n = s.object(n)
	}
	for i, m := range n {
		n[i].value = within(m.name, m.value, func(sub node) node { return s.schema(sub, depth+1) })
	}
	return n
}

// anyForOne writes oneOf as anyOf: which of the alternatives it is, arguments are checked for anyway.
func anyForOne(n node) node {
	if one := n.list("oneOf"); one != nil && n.get("anyOf") == nil {
		return n.without("oneOf").with("anyOf", one)
	}
	return n
}

func isObject(n node) bool {
	types, _ := n.get("type").([]any)
	return n.get("type") == "object" || slices.Contains(types, any("object"))
}

// object closes an object and demands its properties.
func (s *strict) object(n node) node {
	properties, required := n.object("properties"), n.list("required")
	if more := n.get("additionalProperties"); more != nil && more != false || properties == nil {
		s.failed = true // a map of any names
	}
	s.properties += len(properties)
	all := make([]any, len(properties))
	open := slices.Clone(properties)
	for i, p := range properties {
		all[i] = p.name
		if sub, ok := p.value.(node); !ok {
			s.failed = true
		} else if !slices.Contains(required, any(p.name)) {
			open[i].value = orNull(anyForOne(sub))
		}
	}
	return n.with("properties", open).with("required", all).with("additionalProperties", false)
}

// orNull returns the schema that also takes null.
func orNull(n node) node {
	switch t := n.get("type").(type) {
	case string:
		if list := n.list("enum"); list != nil {
			n = n.with("enum", union(list, []any{nil}))
		}
		if n.get("const") == nil {
			return n.with("type", []any{t, "null"})
		}
	case []any:
		return n.with("type", union(t, []any{"null"}))
	}
	null := node{{"type", "null"}}
	if list := n.list("anyOf"); list != nil && n.get("type") == nil {
		return n.with("anyOf", append(slices.Clone(list), null))
	}
	if about := n.get("description"); about != nil {
		return node{{"description", about}, {"anyOf", []any{n.without("description"), null}}}
	}
	return node{{"anyOf", []any{n, null}}}
}
