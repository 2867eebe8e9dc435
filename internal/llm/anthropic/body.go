package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// marker ends what the service may keep in its cache: everything before it. It takes four of them.
const marker = `,"cache_control":{"type":"ephemeral"}}`

// mark gives a block with the marker.
func mark(block string) string { return strings.TrimSuffix(block, "}") + marker }

// body writes the request. Everything that stays the same over a session comes first and the
// messages last, so that, markers aside, the next request begins with the same bytes.
func (p *Provider) body(req llm.Request, how form) []byte {
	turns := p.turns(req.Messages, how)
	var b bytes.Buffer
	b.Grow(int(p.large.Load()))
	b.WriteString(`{"model":` + wire.Text(p.model))
	p.writeLimits(&b, req, turns)
	if !p.opts.NoStream {
		b.WriteString(`,"stream":true`)
	}
	if len(req.Tools) > 0 {
		p.blocks.Write(&b, req.Tools)
		if req.Choice == llm.ChoiceNone {
			b.WriteString(`,"tool_choice":{"type":"none"}`)
		}
	}
	if !blank(req.System) {
		b.WriteString(`,"system":[` + mark(textBlock(req.System).json) + `]`)
	}
	b.WriteString(`,"messages":[`)
	writeTurns(&b, turns)
	b.WriteString(`]}`)
	p.large.Store(int64(b.Len() + b.Len()/4))
	return b.Bytes()
}

// adaptiveRoom is how many tokens a model gets beside its answer that thinks as long as it likes: the limit
// of an answer is one of both together.
const adaptiveRoom = 8192

// writeLimits writes how long answer and thoughts may be. A service that is to think refuses a history
// in whose last turn somebody else, or nobody, did: then it is not asked to.
func (p *Provider) writeLimits(b *bytes.Buffer, req llm.Request, turns []turn) {
	limit := cmp.Or(req.MaxOutput, p.opts.MaxOutput)
	thinks := (p.opts.Thinking > 0 || p.opts.Adaptive) && thoughtful(turns)
	switch {
	case thinks && p.opts.Adaptive:
		limit += adaptiveRoom
	case thinks:
		limit += p.opts.Thinking
	}
	b.WriteString(`,"max_tokens":` + strconv.Itoa(limit))
	switch {
	case thinks && p.opts.Adaptive:
		b.WriteString(`,"thinking":{"type":"adaptive"}`)
	case thinks:
		b.WriteString(`,"thinking":{"type":"enabled","budget_tokens":` + strconv.Itoa(p.opts.Thinking) + `}`)
	}
}

// writeTurns writes the messages. The newest is marked, and so is the person's side before it, which
// was the newest of the request before: its cache is found even if this message is a long one.
func writeTurns(b *bytes.Buffer, turns []turn) {
	for i, t := range turns {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"role":"` + string(t.role) + `","content":[`)
		for j, block := range t.blocks {
			if j > 0 {
				b.WriteByte(',')
			}
			if last := j == len(t.blocks)-1; last && (i == len(turns)-1 || i == len(turns)-3) {
				b.WriteString(mark(block.json))
			} else {
				b.WriteString(block.json)
			}
		}
		b.WriteString(`]}`)
	}
}

func encodeTools(tools []llm.Tool) []byte {
	var b bytes.Buffer
	b.WriteString(`,"tools":[`)
	for i, t := range tools {
		if i > 0 {
			b.WriteByte(',')
		}
		one := `{"name":` + wire.Text(llm.WireName(t.Name))
		if t.Description != "" {
			one += `,"description":` + wire.Text(t.Description)
		}
		one += `,"input_schema":` + string(inputSchema(t.Schema)) + `}`
		if i == len(tools)-1 {
			one = mark(one)
		}
		b.WriteString(one)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// inputSchema gives a schema as the service takes it: of type object, and without alternatives at its
// top. What is left out is still checked when the tool is called.
func inputSchema(schema json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(schema, &fields) != nil || fields == nil {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	before := len(fields)
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		delete(fields, key)
	}
	if string(fields["type"]) == `"object"` && len(fields) == before {
		return wire.Canonical(schema)
	}
	fields["type"] = json.RawMessage(`"object"`)
	return wire.Marshal(fields)
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
