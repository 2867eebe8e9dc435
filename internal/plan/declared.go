package plan

import (
	"fmt"

	"github.com/akitad/akitad"
)

// Param is a parameter as a plan declares it, for those who are to give it.
type Param struct {
	Name        string
	Type        string // of its JSON Schema, or of its default; empty if any will do
	Description string
	Required    bool // it has no default
	Default     any
	Enum        []any
}

// Declared gives the parameters of p in order of name.
func Declared(p akitad.Plan) []Param {
	var out []Param
	for _, name := range sortedKeys(p.Params) {
		schema := schemaOf(p.Params[name])
		if schema == nil {
			out = append(out, Param{Name: name, Type: kindOf(p.Params[name]), Default: p.Params[name]})
			continue
		}
		d := Param{Name: name}
		if t, ok := schema["type"]; ok {
			d.Type = fmt.Sprint(t)
		}
		d.Description, _ = schema["description"].(string)
		d.Enum, _ = schema["enum"].([]any)
		value, has := schema["default"]
		d.Default, d.Required = value, !has
		out = append(out, d)
	}
	return out
}

// kindOf names a value's type as JSON Schema does; empty for null, which says nothing of the type.
func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case int, float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return ""
}
