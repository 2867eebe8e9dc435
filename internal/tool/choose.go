package tool

import (
	"encoding/json"
	"slices"
)

// choose gives the one of a schema's alternatives (anyOf, oneOf, a single allOf) that a value is to
// be fitted to: one that has its type, else, for a text, one that a text can stand for. A schema
// without alternatives, or one where text is among several, comes back as it is.
func choose(v any, schema, root map[string]any) map[string]any {
	branches := branches(schema, root)
	if len(branches) == 0 {
		return schema
	}
	is := typeOf(v)
	taking := slices.DeleteFunc(slices.Clone(branches), func(b map[string]any) bool { return !accepts(b, is) })
	switch text, ok := v.(string); {
	case len(taking) == 1:
		return taking[0]
	case len(taking) > 1:
		return schema
	case !ok:
		return onlyOne(branches, schema)
	default:
		return standsFor(text, branches, schema, root)
	}
}

// onlyOne gives the one alternative that is not null, else the schema.
func onlyOne(branches []map[string]any, schema map[string]any) map[string]any {
	some := slices.DeleteFunc(slices.Clone(branches), func(b map[string]any) bool { return slices.Equal(typesOf(b), []string{"null"}) })
	if len(some) == 1 {
		return some[0]
	}
	return schema
}

// standsFor gives the first alternative that a text can stand for a value of, else the schema.
func standsFor(text string, branches []map[string]any, schema, root map[string]any) map[string]any {
	for _, b := range branches {
		if _, same := fitText(text, typesOf(b), b, root).(string); !same {
			return b
		}
	}
	return schema
}

// branches gives a schema's alternatives, each followed to where it is.
func branches(schema, root map[string]any) (out []map[string]any) {
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := schema[key].([]any)
		if key == "allOf" && len(list) != 1 {
			continue
		}
		for _, one := range list {
			if b, ok := one.(map[string]any); ok {
				out = append(out, follow(b, root))
			}
		}
	}
	return out
}

// accepts reports whether a schema takes values of a type; an integer is a number too.
func accepts(schema map[string]any, is string) bool {
	types := typesOf(schema)
	if len(types) == 0 {
		return true
	}
	return slices.Contains(types, is) || is == "number" && slices.Contains(types, "integer")
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
