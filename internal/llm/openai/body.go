package openai

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// body writes the request. Everything that stays the same over a session comes first and the
// messages last, so that the next request begins with the same bytes. The plain form of history
// uses only what every server takes.
func (p *Provider) body(req llm.Request, plain bool) []byte {
	var b bytes.Buffer
	b.Grow(int(p.large.Load()))
	b.WriteString(`{"model":` + wire.Text(p.model))
	if !p.opts.NoStream {
		b.WriteString(`,"stream":true`)
		if !p.noOpts.Load() {
			b.WriteString(`,"stream_options":{"include_usage":true}`)
		}
	}
	if len(req.Tools) > 0 && !p.opts.TextTools {
		p.blocks.Write(&b, req.Tools)
	}
	if req.Choice == llm.ChoiceNone && len(req.Tools) > 0 && !p.opts.TextTools {
		b.WriteString(`,"tool_choice":"none"`)
	}
	if req.MaxOutput > 0 {
		b.WriteString(`,"` + p.maxTokensField() + `":` + strconv.Itoa(req.MaxOutput))
	}
	b.WriteString(`,"messages":[`)
	p.writeMessages(&b, req, plain)
	b.WriteString(`]}`)
	p.large.Store(int64(b.Len() + b.Len()/4))
	return b.Bytes()
}

// maxTokensField is what OpenAI calls the limit since its reasoning models; others know the old name.
func (p *Provider) maxTokensField() string {
	if p.host == "api.openai.com" || strings.HasSuffix(p.host, ".openai.azure.com") {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

func (p *Provider) writeMessages(b *bytes.Buffer, req llm.Request, plain bool) {
	system := req.System
	if p.opts.TextTools {
		system += textProtocol(req.Tools)
	}
	first := b.Len()
	next := func(json string) {
		if b.Len() > first {
			b.WriteByte(',')
		}
		b.WriteString(json)
	}
	if system != "" {
		next(`{"role":"system","content":` + wire.Text(system) + `}`)
	}
	for _, m := range req.Messages {
		switch m.Speaker {
		case llm.User:
			next(`{"role":"user","content":` + wire.Text(m.Text) + `}`)
		case llm.Assistant:
			next(p.assistant(m, plain))
		case llm.ToolReply:
			for _, o := range m.Results {
				next(p.result(o))
			}
		}
	}
}

// assistant gives an answer of the model: as it came, if it came from here, else from its fields.
func (p *Provider) assistant(m llm.Message, plain bool) string {
	if m.RawBy == p.rawBy && len(m.Raw) > 0 && !plain {
		return string(wire.Canonical(m.Raw))
	}
	if p.opts.TextTools {
		return `{"role":"assistant","content":` + wire.Text(m.Text+textCalls(m.Calls)) + `}`
	}
	out := message{Role: "assistant", Content: &m.Text}
	for _, c := range m.Calls {
		out.Calls = append(out.Calls, toolCall{ID: c.ID, Type: "function", Function: function{
			Name: llm.WireName(c.Tool), Arguments: wire.ArgumentsOut(c.Args),
		}})
	}
	return string(wire.Marshal(out))
}

func (p *Provider) result(o akitad.Observation) string {
	if p.opts.TextTools {
		return `{"role":"user","content":` + wire.Text(textResult(o)) + `}`
	}
	return `{"role":"tool","tool_call_id":` + wire.Text(o.Call) + `,"content":` + wire.Text(llm.ObservationText(o)) + `}`
}
