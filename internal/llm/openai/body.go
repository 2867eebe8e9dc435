package openai

import (
	"bytes"
	"slices"
	"strconv"

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
		if !p.vendor.noUsage && !p.manners.noUsage.Load() {
			b.WriteString(`,"stream_options":{"include_usage":true}`)
		}
	}
	if len(req.Tools) > 0 && !p.textual() {
		p.blocks[p.form()].Write(&b, req.Tools)
		if req.Choice == llm.ChoiceNone && !p.manners.noChoice.Load() {
			b.WriteString(`,"tool_choice":"none"`)
		}
	}
	if limit := p.limit(req.MaxOutput); limit > 0 {
		b.WriteString(`,"` + p.limitField() + `":` + strconv.Itoa(limit))
	}
	b.WriteString(`,"messages":[`)
	p.writeMessages(&b, req, plain)
	b.WriteString(`]}`)
	p.large.Store(int64(b.Len() + b.Len()/4))
	return b.Bytes()
}

// limit gives the output limit to ask for, in tokens: what is wanted, or the most that the server writes.
func (p *Provider) limit(wanted int) int {
	if most := int(p.manners.maxOutput.Load()); most > 0 {
		return min(wanted, most)
	}
	return wanted
}

// limitField is the name of that limit, of which servers know one or the other.
func (p *Provider) limitField() string {
	if p.vendor.newLimit != p.manners.otherLimit.Load() {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

func (p *Provider) writeMessages(b *bytes.Buffer, req llm.Request, plain bool) {
	system := req.System
	if p.textual() {
		system += textProtocol(req.Tools)
	}
	first := b.Len()
	next := func(json string) {
		if b.Len() > first {
			b.WriteByte(',')
		}
		b.WriteString(json)
	}
	messages := req.Messages
	if p.manners.noSystem.Load() {
		messages = withSystem(messages, system)
	} else if system != "" {
		next(`{"role":"system","content":` + wire.Text(system) + `}`)
	}
	for _, m := range messages {
		switch m.Speaker {
		case llm.User:
			next(`{"role":"user","content":` + p.content(m) + `}`)
		case llm.Assistant:
			next(p.assistant(m, plain))
		case llm.ToolReply:
			for _, o := range m.Results {
				next(p.result(o))
			}
		}
	}
}

// withSystem gives the messages with the system prompt at the beginning of the person's first words, for
// models that know no other place for it.
func withSystem(messages []llm.Message, system string) []llm.Message {
	at := slices.IndexFunc(messages, func(m llm.Message) bool { return m.Speaker == llm.User })
	if at < 0 || system == "" {
		return messages
	}
	messages = slices.Clone(messages)
	messages[at].Text = system + "\n\n" + messages[at].Text
	return messages
}

// assistant gives an answer of the model: as it came, if it came from here, else from its fields.
func (p *Provider) assistant(m llm.Message, plain bool) string {
	silent := m.Text == "" && len(m.Calls) > 0 && p.manners.nothing.Load()
	if m.RawBy == p.rawBy() && len(m.Raw) > 0 && !plain && !silent {
		return p.echo(m)
	}
	if p.textual() {
		return `{"role":"assistant","content":` + wire.Text(m.Text+textCalls(m.Calls)) + `}`
	}
	out := message{Role: "assistant", Content: &m.Text}
	if silent {
		out.Content = nil
	}
	for _, c := range m.Calls {
		out.Calls = append(out.Calls, toolCall{ID: c.ID, Type: "function", Function: function{
			Name: llm.WireName(c.Tool), Arguments: wire.ArgumentsOut(c.Args),
		}})
	}
	return p.filled(m, wire.Marshal(out))
}

// echo gives an answer as it came.
func (p *Provider) echo(m llm.Message) string {
	raw := wire.Canonical(m.Raw)
	if p.vendor.thoughts == needed && !bytes.Contains(raw, []byte(`"reasoning_content":"`)) {
		return p.filled(m, raw)
	}
	return string(raw)
}

// filled gives a message with calls with the field that some vendors demand of it, whatever is in it.
func (p *Provider) filled(m llm.Message, raw []byte) string {
	if p.vendor.thoughts != needed || len(m.Calls) == 0 || len(raw) == 0 || raw[0] != '{' {
		return string(raw)
	}
	thought := ""
	if p.manners.filled.Load() {
		thought = "." // the least that is not empty
	}
	return `{"reasoning_content":` + wire.Text(thought) + `,` + string(raw[1:])
}

func (p *Provider) result(o akitad.Observation) string {
	if p.textual() {
		return `{"role":"user","content":` + wire.Text(textResult(o)) + `}`
	}
	return `{"role":"tool","tool_call_id":` + wire.Text(o.Call) + `,"content":` + wire.Text(llm.ObservationText(o)) + `}`
}
