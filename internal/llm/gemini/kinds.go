package gemini

import (
	"encoding/json"
	"slices"
	"strings"
)

// one converts a node that is of one type, or of none: then the rest of it says which.
func (c *converter) one(s scope, types []string, null bool) *schema {
	values, nullValue := s.values()
	out := &schema{Description: s.text("description"), Nullable: null || nullValue}
	if len(types) > 0 {
		out.Type = types[0]
	} else {
		out.Type = s.guess(values)
	}
	switch out.Type {
	case "object", "array":
		c.fill(out, s)
	default:
		out.Format = formatOf(out.Type, s.text("format"))
		out.allow(values, len(types) > 0)
	}
	return out
}

// guess gives the type of a node that names none. A value of any form is best written as text, which
// the tool layer takes for what it stands for.
func (n node) guess(values []json.RawMessage) string {
	has := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { _, ok := n[k]; return ok })
	}
	switch {
	case has("properties", "additionalProperties", "patternProperties", "required"):
		return "object"
	case has("items", "prefixItems"):
		return "array"
	case len(values) > 0 && !slices.ContainsFunc(values, func(v json.RawMessage) bool { return typeOf(v) != typeOf(values[0]) }):
		return typeOf(values[0])
	}
	return "string"
}

// typeOf gives the type of a value.
func typeOf(raw json.RawMessage) string {
	switch c := raw[0]; {
	case c == 't' || c == 'f':
		return "boolean"
	case c == '"' || c == '{' || c == '[':
		return "string"
	case strings.ContainsAny(string(raw), ".eE"):
		return "number"
	}
	return "integer"
}

// values gives the values that a node allows, but null, and whether null is among them.
func (n node) values() (out []json.RawMessage, null bool) {
	all := n.list("enum")
	if one, ok := n["const"]; ok {
		all = []json.RawMessage{one}
	}
	for _, v := range all {
		if string(v) == "null" {
			null = true
		} else if len(v) > 0 {
			out = append(out, v)
		}
	}
	return out, null
}

// allow limits a schema to values. Only texts can be listed: numbers of a schema that says that they
// are ones are listed as text, which the tool layer reads; others are told in words.
func (s *schema) allow(values []json.RawMessage, declared bool) {
	var words []string
	for _, v := range values {
		var text string
		if json.Unmarshal(v, &text) != nil {
			text = string(v)
		}
		if text != "" && v[0] != '{' && v[0] != '[' {
			words = append(words, text)
		}
	}
	words = distinct(words)
	switch {
	case len(words) == 0:
	case s.Type == "string" || declared:
		s.Type, s.Format, s.Enum = "string", "", words
	default:
		s.Description = strings.TrimSpace(s.Description + " (one of: " + strings.Join(words, ", ") + ")")
	}
}

// formatOf gives a format if it is one that the type may have.
func formatOf(kind, format string) string {
	known := map[string][]string{"string": {"date-time"}, "number": {"float", "double"}, "integer": {"int32", "int64"}}
	if slices.Contains(known[kind], format) {
		return format
	}
	return ""
}

// fill adds what an object or an array holds. Only what has a schema can be required, and an array
// must say what it is of.
func (c *converter) fill(out *schema, s scope) {
	if out.Type == "array" {
		out.Items = c.items(s)
		return
	}
	var named []string
	for _, m := range members(s.node["properties"]) {
		if sub := c.schema(m.value, s.open); sub != nil {
			out.Properties = append(out.Properties, field{m.name, sub})
			named = append(named, m.name)
		}
	}
	for _, raw := range s.list("required") {
		var name string
		if json.Unmarshal(raw, &name) == nil && slices.Contains(named, name) {
			out.Required = append(out.Required, name)
		}
	}
	out.Required = distinct(out.Required)
}

// items gives what an array is of; what its places are of, if each has a schema of its own.
func (c *converter) items(s scope) *schema {
	var all []*schema
	for _, raw := range slices.Concat(s.list("prefixItems"), s.list("items")) {
		if one := c.schema(raw, s.open); one != nil {
			all = append(all, one)
		}
	}
	if raw, ok := s.node["items"]; ok && len(s.list("items")) == 0 {
		if one := c.schema(raw, s.open); one != nil {
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return &schema{Type: "string"}
	}
	var flat []*schema
	for _, one := range all {
		if len(one.AnyOf) > 0 {
			flat = append(flat, one.AnyOf...)
		} else {
			flat = append(flat, one)
		}
	}
	return union(flat)
}
