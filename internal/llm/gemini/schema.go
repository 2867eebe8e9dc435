package gemini

import (
	"bytes"

	"github.com/akitad/akitad/internal/llm/wire"
)

// schema is as much of a JSON Schema as function declarations take. A schema with anyOf holds
// nothing else.
type schema struct {
	Type        string    `json:"type,omitempty"`
	Format      string    `json:"format,omitempty"`
	Description string    `json:"description,omitempty"`
	Nullable    bool      `json:"nullable,omitempty"`
	Enum        []string  `json:"enum,omitempty"`
	Items       *schema   `json:"items,omitempty"`
	Properties  fields    `json:"properties,omitempty"`
	Required    []string  `json:"required,omitempty"`
	AnyOf       []*schema `json:"anyOf,omitempty"`
}

// fields are the properties of an object, in the order in which their author wrote them.
type fields []field

type field struct {
	name   string
	schema *schema
}

// MarshalJSON implements json.Marshaler.
func (f fields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(wire.Text(one.name) + ":")
		b.Write(wire.Marshal(one.schema))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
