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

// part is an assistant message or a piece of one, as servers send it.
type part struct {
	Role      string            `json:"role"`
	Content   json.RawMessage   `json:"content"` // string, null, or a list of parts
	Refusal   string            `json:"refusal"`
	Thoughts  string            `json:"reasoning_content"`
	Reasoning string            `json:"reasoning"`
	Details   []json.RawMessage `json:"reasoning_details"`
	Calls     []callPart        `json:"tool_calls"`
}

type callPart struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // string, or the object itself
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"`
}

// arguments gives the piece of arguments as text; whole says that it was sent as an object, which
// is never a piece.
func (c callPart) arguments() (piece string, whole bool) {
	if json.Unmarshal(c.Function.Arguments, &piece) == nil {
		return piece, false
	}
	return string(wire.Canonical(c.Function.Arguments)), true
}

// contentOf reads content; had says that it was there and not null.
func contentOf(raw json.RawMessage) (text string, had bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", false
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	var parts []struct{ Type, Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return "", false
	}
	for _, p := range parts {
		if p.Type == "" || p.Type == "text" {
			text += p.Text
		}
	}
	return text, true
}

// answer is an assistant message in the making.
type answer struct {
	message
	text      strings.Builder
	thoughts  strings.Builder
	reasoning strings.Builder
	args      []*strings.Builder // of each call
	index     []*int             // of each call, as the server counts
	names     llm.Names
	changed   bool // the message is not what the server sent: it had to be mended
}

// whole takes a message that came in one piece.
func (a *answer) whole(p part) {
	a.prose(p)
	for _, c := range p.Calls {
		_, object := c.arguments()
		a.changed = a.changed || object
		a.open(c)
		a.extend(len(a.Calls)-1, c)
	}
}

// add takes the next piece, and gives the text in it.
func (a *answer) add(p part) string {
	text := a.prose(p)
	for _, c := range p.Calls {
		a.extend(a.find(c), c)
	}
	return text
}

func (a *answer) prose(p part) string {
	text, had := contentOf(p.Content)
	if had && a.Content == nil {
		a.Content = new(string)
	}
	a.text.WriteString(text)
	a.Refusal += p.Refusal
	a.thoughts.WriteString(p.Thoughts)
	a.reasoning.WriteString(p.Reasoning)
	a.Details = append(a.Details, p.Details...)
	return text + p.Refusal
}

// finish gives the reply that the message amounts to. used are the call ids that the conversation
// holds already.
func (a *answer) finish(p *Provider, req llm.Request, sent json.RawMessage) llm.Reply {
	words, textual := a.settle(p, req)
	reply := llm.Reply{Text: words, RawBy: p.rawBy}
	a.fixIDs(req)
	for _, c := range a.Calls {
		reply.Calls = append(reply.Calls, akitad.Call{
			ID: c.ID, Tool: a.names.Original(c.Function.Name), Args: llm.Arguments(c.Function.Arguments),
		})
	}
	switch {
	case textual && p.opts.TextTools:
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

// settle joins the pieces and looks for calls that the model wrote as text; textual says that there
// were any.
func (a *answer) settle(p *Provider, req llm.Request) (words string, textual bool) {
	if a.Role == "" {
		a.changed = true
	}
	a.Role = "assistant"
	text := a.text.String()
	if a.Content != nil || len(a.Calls) == 0 {
		a.Content = &text
	}
	a.Thoughts, a.Reasoning = a.thoughts.String(), a.reasoning.String()
	if p.opts.DropReasoning && (a.Thoughts != "" || a.Reasoning != "" || len(a.Details) > 0) {
		a.Thoughts, a.Reasoning, a.Details, a.changed = "", "", nil, true
	}
	for i := range a.Calls {
		if a.Calls[i].Function.Arguments = a.args[i].String(); strings.TrimSpace(a.Calls[i].Function.Arguments) == "" {
			a.Calls[i].Function.Arguments, a.changed = "{}", true
		}
	}
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
