package openai

import (
	"bytes"
	"encoding/json"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

func encodeTools(tools []llm.Tool) []byte {
	var b bytes.Buffer
	b.WriteString(`,"tools":[`)
	for i, t := range tools {
		if i > 0 {
			b.WriteByte(',')
		}
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		b.WriteString(`{"type":"function","function":{"name":` + wire.Text(llm.WireName(t.Name)) +
			`,"description":` + wire.Text(t.Description) + `,"parameters":`)
		b.Write(wire.Canonical(schema))
		b.WriteString(`}}`)
	}
	b.WriteByte(']')
	return b.Bytes()
}
