package openai

import (
	"bytes"
	"encoding/json"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/schema"
	"github.com/akitad/akitad/internal/llm/wire"
)

// form is how schemas are sent.
type form int

const (
	asGiven    form = iota // with an object at the root, else as they are
	asStrict               // strict where that is possible
	simplified             // with what every server takes
)

func (p *Provider) form() form {
	switch {
	case p.manners.simple.Load():
		return simplified
	case p.strict():
		return asStrict
	}
	return asGiven
}

func newBlocks() map[form]*wire.ToolBlocks {
	out := map[form]*wire.ToolBlocks{}
	for _, f := range []form{asGiven, asStrict, simplified} {
		out[f] = wire.NewToolBlocks(f.encode)
	}
	return out
}

func (f form) encode(tools []llm.Tool) []byte {
	var b bytes.Buffer
	b.WriteString(`,"tools":[`)
	for i, t := range tools {
		if i > 0 {
			b.WriteByte(',')
		}
		parameters, strict := f.schema(t.Schema)
		b.WriteString(`{"type":"function","function":{"name":` + wire.Text(llm.WireName(t.Name)) +
			`,"description":` + wire.Text(t.Description) + `,"parameters":`)
		b.Write(wire.Canonical(parameters))
		if strict {
			b.WriteString(`,"strict":true`)
		}
		b.WriteString(`}}`)
	}
	b.WriteByte(']')
	return b.Bytes()
}

func (f form) schema(raw json.RawMessage) (out json.RawMessage, strict bool) {
	if len(raw) == 0 {
		raw = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	switch f {
	case asStrict:
		if out, ok := schema.Strict(raw); ok {
			return out, true
		}
	case simplified:
		return schema.Simple(raw), false
	}
	return schema.Rooted(raw), false
}
