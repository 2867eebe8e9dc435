package openai

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/akitad/akitad/internal/llm/wire"
)

// property is as much of a JSON Schema as an example needs.
type property struct {
	Type       any                 `json:"type"`
	Enum       []json.RawMessage   `json:"enum"`
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

// exampleArgs makes arguments that fit a schema: each required property with a value of its type.
func exampleArgs(schema json.RawMessage) string {
	var p property
	if json.Unmarshal(schema, &p) != nil {
		return "{}"
	}
	return string(wire.Marshal(p.object()))
}

func (p property) object() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	names := p.Required
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(p.Properties))
	}
	for _, name := range names {
		out[name] = p.Properties[name].value(name)
	}
	return out
}

func (p property) value(name string) json.RawMessage {
	if len(p.Enum) > 0 {
		return p.Enum[0]
	}
	switch p.Type {
	case "integer", "number":
		return json.RawMessage("1")
	case "boolean":
		return json.RawMessage("true")
	case "array":
		return json.RawMessage("[]")
	case "object":
		return wire.Marshal(p.object())
	}
	return wire.Marshal(name)
}
