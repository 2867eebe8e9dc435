package openai

import (
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// message is an assistant message as it is sent back.
type message struct {
	Role      string            `json:"role"`
	Content   *string           `json:"content"`
	Refusal   string            `json:"refusal,omitempty"`
	Thoughts  string            `json:"reasoning_content,omitempty"`
	Reasoning string            `json:"reasoning,omitempty"`
	Details   []json.RawMessage `json:"reasoning_details,omitempty"`
	Calls     []toolCall        `json:"tool_calls,omitempty"`
}

type toolCall struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Function function        `json:"function"`
	Extra    json.RawMessage `json:"extra_content,omitempty"` // Gemini's thought signatures
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// answer is an assistant message in the making.
type answer struct {
	message
	text      strings.Builder
	thoughts  strings.Builder
	reasoning strings.Builder
	args      []*strings.Builder // of each call
	half      wire.Half          // of a character of the text
	halves    []wire.Half        // and of the arguments of each call
	index     []*int             // of each call, as the server counts
	names     llm.Names
	changed   bool // the message is not what the server sent: it had to be mended
}

// whole takes a message that came in one piece.
func (a *answer) whole(p part) {
	a.prose(p)
	calls := p.calls()
	a.changed = a.changed || p.Call != nil || len(calls) != len(p.Calls)
	for _, c := range calls {
		_, object := c.arguments()
		a.changed = a.changed || object || c.mended
		a.open(c)
		a.extend(len(a.Calls)-1, c)
	}
}

// add takes the next piece, and gives the text in it.
func (a *answer) add(p part) string {
	text := a.prose(p)
	for _, c := range p.calls() {
		if !a.repeats(c) {
			a.extend(a.find(c), c)
		}
	}
	return text
}

func (a *answer) prose(p part) string {
	text, had := contentOf(a.half.Join(p.Content))
	if had && a.Content == nil {
		a.Content = new(string)
	}
	a.text.WriteString(text)
	a.Refusal += string(p.Refusal)
	a.thoughts.WriteString(string(p.Thoughts))
	a.reasoning.WriteString(string(p.Reasoning))
	a.Details = append(a.Details, p.Details...)
	return text + string(p.Refusal)
}

// finish gives the reply that the message amounts to. used are the call ids that the conversation
// holds already.
func (a *answer) finish(p *Provider, req llm.Request, sent json.RawMessage) llm.Reply {
	words, textual := a.settle(p, req)
	reply := llm.Reply{Text: words, RawBy: p.rawBy()}
	a.fixIDs(req)
	for _, c := range a.Calls {
		reply.Calls = append(reply.Calls, akitad.Call{
			ID: c.ID, Tool: a.names.Original(c.Function.Name), Args: llm.Arguments(c.Function.Arguments),
		})
	}
	a.sendable(reply.Calls)
	switch {
	case textual && p.textual():
		a.Calls = nil // the server knows them as text only
	case textual:
		a.Content = &words
	}
	reply.Raw = wire.Marshal(a.message)
	if sent != nil && !a.changed && !textual && a.Role == "assistant" {
		reply.Raw = wire.Canonical(sent)
	}
	return reply
}

// sendable gives calls that no server takes back a form that every server does: names of the wire, and
// arguments that are an object.
func (a *answer) sendable(calls []akitad.Call) {
	for i, c := range calls {
		f := &a.Calls[i].Function
		if llm.WireName(f.Name) != f.Name {
			f.Name, a.changed = llm.WireName(c.Tool), true
		}
		if !json.Valid([]byte(f.Arguments)) || strings.TrimSpace(f.Arguments)[0] != '{' {
			f.Arguments, a.changed = wire.ArgumentsOut(c.Args), true
		}
	}
}

// settle joins the pieces and looks for calls that the model wrote as text; textual says that there
// were any.
func (a *answer) settle(p *Provider, req llm.Request) (words string, textual bool) {
	if a.Role == "" {
		a.changed = true
	}
	a.Role = "assistant"
	a.order()
	text := a.text.String()
	if a.Content != nil || len(a.Calls) == 0 {
		a.Content = &text
	}
	a.Thoughts, a.Reasoning = a.thoughts.String(), a.reasoning.String()
	if (p.opts.DropReasoning || p.vendor.thoughts == dropped) && (a.Thoughts != "" || a.Reasoning != "" || len(a.Details) > 0) {
		a.Thoughts, a.Reasoning, a.Details, a.changed = "", "", nil, true
	}
	for i := range a.Calls {
		if a.Calls[i].Function.Arguments = a.args[i].String(); strings.TrimSpace(a.Calls[i].Function.Arguments) == "" {
			a.Calls[i].Function.Arguments, a.changed = "{}", true
		}
	}
	a.spread()
	if len(a.Calls) > 0 || len(req.Tools) == 0 {
		words, _ = llm.SplitText(text, a.names)
		return words + a.Refusal, false
	}
	words, calls := llm.SplitText(text, a.names)
	for _, c := range calls {
		a.Calls = append(a.Calls, toolCall{Type: "function", Function: function{llm.WireName(c.Tool), wire.ArgumentsOut(c.Args)}})
	}
	return words + a.Refusal, len(calls) > 0
}

// fixIDs gives each call whose id is empty, or in use already, an id of its own.
func (a *answer) fixIDs(req llm.Request) {
	ids := wire.NewIDs(req)
	for i, c := range a.Calls {
		a.Calls[i].ID = ids.Own(c.ID)
		a.changed = a.changed || a.Calls[i].ID != c.ID
	}
}
