package gemini

import (
	"bytes"
	"encoding/json"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// unsigned is the mark, by Google's documentation, of a call that another model has made, or nobody.
const unsigned = "skip_thought_signature_validator"

// begins is what a person says in a conversation that begins with an answer: the first word must be
// theirs.
const begins = "(the conversation goes on)"

// contents writes the messages. Roles must alternate: what one side says in several messages becomes
// several parts of one.
type contents struct {
	b     *bytes.Buffer
	role  string
	calls map[string]sentCall // of the answer before, by the ids that we know them by
}

// sentCall is a call as the server knows it.
type sentCall struct{ id, name string }

func (p *Provider) writeContents(b *bytes.Buffer, messages []llm.Message, form form) {
	c := &contents{b: b}
	for _, m := range messages {
		switch m.Speaker {
		case llm.User:
			c.person(m)
		case llm.Assistant:
			c.model(m, p.partsOf(m, form))
		case llm.ToolReply:
			for _, o := range m.Results {
				c.part("user", c.result(o))
			}
		}
	}
	c.close()
}

// part adds a part of what a role says.
func (c *contents) part(role, json string) {
	switch {
	case c.role == role:
		c.b.WriteByte(',')
	case c.role == "" && role == "model":
		c.part("user", textPart(begins))
		c.part(role, json)
		return
	default:
		c.close()
		if c.role != "" {
			c.b.WriteByte(',')
		}
		c.b.WriteString(`{"role":"` + role + `","parts":[`)
	}
	c.role = role
	c.b.WriteString(json)
}

func (c *contents) close() {
	if c.role != "" {
		c.b.WriteString(`]}`)
	}
}

func (c *contents) person(m llm.Message) {
	for _, p := range m.Parts {
		c.part("user", personPart(p))
	}
	if m.Text != "" {
		c.part("user", textPart(m.Text))
	}
}

// model adds an answer, and remembers its calls for the results.
func (c *contents) model(m llm.Message, parts []json.RawMessage) {
	c.calls = map[string]sentCall{}
	next := 0
	for _, raw := range parts {
		c.part("model", string(raw))
		var p part
		if json.Unmarshal(raw, &p) != nil {
			continue
		}
		if call := p.Call; call != nil && next < len(m.Calls) {
			c.calls[m.Calls[next].ID] = sentCall{string(call.ID), string(call.Name)}
			next++
		}
	}
}

// result gives what came of a call, under the name and the id that the server knows it by.
func (c *contents) result(o akitad.Observation) string {
	call, ok := c.calls[o.Call]
	if !ok {
		call.name = wireName(o.Tool)
	}
	key := "output"
	if o.Error != nil {
		key = "error"
	}
	id := ""
	if call.id != "" {
		id = `"id":` + wire.Text(call.id) + `,`
	}
	return `{"functionResponse":{` + id + `"name":` + wire.Text(call.name) +
		`,"response":{"` + key + `":` + wire.Text(llm.ObservationText(o)) + `}}}`
}

// partsOf gives the parts of an answer: as they came, if they came from here, else made from its fields.
func (p *Provider) partsOf(m llm.Message, form form) (out []json.RawMessage) {
	if m.RawBy == p.rawBy && form != rebuilt {
		var raw content
		if json.Unmarshal(m.Raw, &raw) == nil && len(raw.Parts) > 0 {
			for _, one := range raw.Parts {
				out = append(out, wire.Canonical(one))
			}
			return out
		}
	}
	return rebuild(m, form != asCame)
}

// rebuild makes the parts of an answer from its fields. Of the calls of one answer the first alone
// carries a signature.
func rebuild(m llm.Message, mark bool) (out []json.RawMessage) {
	if m.Text != "" {
		out = append(out, json.RawMessage(textPart(m.Text)))
	}
	for i, call := range m.Calls {
		signature := ""
		if mark && i == 0 {
			signature = `,"thoughtSignature":"` + unsigned + `"`
		}
		out = append(out, json.RawMessage(`{"functionCall":{"name":`+wire.Text(wireName(call.Tool))+
			`,"args":`+wire.ArgumentsOut(call.Args)+`}`+signature+`}`))
	}
	return out
}
