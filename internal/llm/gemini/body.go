package gemini

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// form is how the answers of models that the conversation holds are sent back.
type form int

const (
	asCame  form = iota // as they came from here; others from their fields
	signed              // the same, and calls from elsewhere are marked as such
	rebuilt             // all from their fields, and all calls marked
)

// body writes the request. Everything that stays the same over a session comes first and the
// contents last, so that the next request begins with the same bytes.
func (p *Provider) body(req llm.Request, form form) []byte {
	var b bytes.Buffer
	b.Grow(int(p.large.Load()))
	b.WriteByte('{')
	if req.System != "" {
		b.WriteString(`"systemInstruction":{"parts":[` + textPart(req.System) + `]},`)
	}
	if len(req.Tools) > 0 {
		p.blocks.Write(&b, req.Tools)
		if req.Choice == llm.ChoiceNone {
			b.WriteString(`"toolConfig":{"functionCallingConfig":{"mode":"NONE"}},`)
		}
	}
	if config := p.generation(req); config != "" {
		b.WriteString(`"generationConfig":{` + config + `},`)
	}
	b.WriteString(`"contents":[`)
	p.writeContents(&b, req.Messages, form)
	b.WriteString(`]}`)
	p.large.Store(int64(b.Len() + b.Len()/4))
	return b.Bytes()
}

// generation writes how long answer and thoughts may be: the limit of an answer is one of both together.
func (p *Provider) generation(req llm.Request) string {
	var fields []string
	t := p.opts.Thinking
	if req.MaxOutput > 0 {
		fields = append(fields, `"maxOutputTokens":`+strconv.Itoa(req.MaxOutput+max(t.Budget, 0)))
	}
	switch {
	case t.Level != "":
		fields = append(fields, `"thinkingConfig":{"thinkingLevel":`+wire.Text(t.Level)+`}`)
	case t.Budget != 0:
		fields = append(fields, `"thinkingConfig":{"thinkingBudget":`+strconv.Itoa(t.Budget)+`}`)
	}
	return strings.Join(fields, ",")
}

// encodeTools writes the tools' block. A tool without parameters says nothing of them: an object
// without properties is refused.
func encodeTools(tools []llm.Tool) []byte {
	var b bytes.Buffer
	b.WriteString(`"tools":[{"functionDeclarations":[`)
	for i, t := range tools {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"name":` + wire.Text(wireName(t.Name)) + `,"description":` + wire.Text(cmp.Or(t.Description, t.Name)))
		if s := parameters(t.Schema); s != nil {
			b.WriteString(`,"parameters":`)
			b.Write(wire.Marshal(s))
		}
		b.WriteByte('}')
	}
	b.WriteString(`]}],`)
	return b.Bytes()
}

func textPart(text string) string { return `{"text":` + wire.Text(text) + `}` }
