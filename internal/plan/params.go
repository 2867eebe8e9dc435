package plan

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/akitad/akitad"
)

// schemaKeys are those whose presence makes a parameter's declaration a JSON Schema; any other
// value is its default.
var schemaKeys = []string{"type", "enum", "const", "default", "anyOf", "oneOf", "allOf", "$ref", "properties", "items"}

// schemaOf gives the JSON Schema of a parameter's declaration; nil if it is a default value.
func schemaOf(decl any) map[string]any {
	m, ok := decl.(map[string]any)
	if ok && slices.ContainsFunc(schemaKeys, func(k string) bool { _, has := m[k]; return has }) {
		return m
	}
	return nil
}

// Params gives the values of all parameters of p: the given ones, read as the type their schema
// wants (text "5" as the number 5 where a number is wanted), and the defaults of the others. A
// parameter that is unknown, missing or not of its schema is an error of kind invalid_request.
func Params(p akitad.Plan, given map[string]any) (map[string]any, error) {
	out, found := params(p, given)
	if err := found.err(); err != nil {
		return nil, &akitad.Error{Kind: akitad.InvalidRequest, Op: "read parameters", Err: err, Hint: found[0].Hint}
	}
	return out, nil
}

func params(p akitad.Plan, given map[string]any) (map[string]any, Problems) {
	out := make(map[string]any, len(p.Params))
	var found Problems
	for _, name := range sortedKeys(given) {
		if _, ok := p.Params[name]; !ok {
			found.add("", 0, fmt.Sprintf("parameter %q is not known", name), instead(name, sortedKeys(p.Params)))
		}
	}
	for _, name := range sortedKeys(p.Params) {
		v, problem := param(name, p.Params[name], given)
		if problem != nil {
			found = append(found, *problem)
			continue
		}
		out[name] = v
	}
	return out, found
}

func param(name string, decl any, given map[string]any) (any, *Problem) {
	schema := schemaOf(decl)
	v, ok := given[name]
	if schema == nil {
		if !ok {
			return decl, nil
		}
		return like(name, v, decl)
	}
	if !ok {
		if v, ok = schema["default"]; !ok {
			return nil, &Problem{Text: fmt.Sprintf("parameter %q is missing", name), Hint: "Give it, or declare a default."}
		}
	}
	v = typed(v, schema["type"])
	if err := Conforms(schema, encode(v)); err != nil {
		return nil, &Problem{Text: fmt.Sprintf("parameter %q: %v", name, err)}
	}
	return v, nil
}

// like reads a value as the type of a default value, which it must be of; text takes any value.
func like(name string, v, def any) (any, *Problem) {
	kind := kindOf(def)
	if kind == "" || kind == "string" {
		return v, nil
	}
	v = typed(v, kind)
	if err := Conforms(map[string]any{"type": kind}, encode(v)); err != nil {
		return nil, &Problem{Text: fmt.Sprintf("parameter %q: %v", name, err), Hint: fmt.Sprintf("Its default is %s.", encode(def))}
	}
	return v, nil
}

// typed reads text as JSON where another type than text is wanted; text that is none stays as it is.
func typed(v, want any) any {
	s, ok := v.(string)
	if kind, isName := want.(string); !ok || !isName || kind == "string" {
		return v
	}
	if got, err := decodeJSON([]byte(s)); err == nil && json.Valid([]byte(s)) {
		return got
	}
	return v
}
