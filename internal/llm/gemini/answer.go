package gemini

import (
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// chunk is what a server sends: a whole answer, or a piece of one.
type chunk struct {
	Candidates []candidate `json:"candidates"`
	Feedback   struct {
		Blocked string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *usage `json:"usageMetadata"`
	Model string `json:"modelVersion"`
	Error any    `json:"error"`
}

type candidate struct {
	Index   int     `json:"index"`
	Content content `json:"content"`
	Finish  string  `json:"finishReason"`
}

// content is what one side says, of which an answer is one.
type content struct {
	Role  string            `json:"role"`
	Parts []json.RawMessage `json:"parts"`
}

type part struct {
	Text      *string       `json:"text"`
	Thought   bool          `json:"thought"`
	Signature string        `json:"thoughtSignature"`
	Call      *functionCall `json:"functionCall"`
}

type functionCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// answer is an answer in the making.
type answer struct {
	names   llm.Names
	text    strings.Builder   // all of it
	plain   strings.Builder   // what goes into the next part
	parts   []json.RawMessage // to be sent back
	calls   []functionCall
	finish  string
	blocked string
	model   string
	usage   usage
}

// add takes the next piece, and gives the text in it. Texts that have no signature become one part;
// everything else stays as it came, but for thoughts, which nobody reads again.
func (a *answer) add(raw json.RawMessage) (string, error) {
	var p part
	if err := json.Unmarshal(raw, &p); err != nil {
		return "", wire.Broken("the answer holds a part that cannot be read", err)
	}
	switch {
	case p.Call != nil && strings.TrimSpace(p.Call.Name) == "":
		return "", wire.Broken("the answer holds a call of no tool", nil)
	case p.Call != nil:
		a.calls = append(a.calls, *p.Call)
	case p.Thought && p.Signature == "":
		return "", nil
	case p.Text != nil && p.Signature == "":
		a.plain.WriteString(*p.Text)
		a.text.WriteString(*p.Text)
		return *p.Text, nil
	}
	a.flush()
	a.parts = append(a.parts, wire.Canonical(raw))
	if p.Thought || p.Text == nil {
		return "", nil
	}
	a.text.WriteString(*p.Text)
	return *p.Text, nil
}

// flush makes a part of the text that has come so far.
func (a *answer) flush() {
	if a.plain.Len() > 0 {
		a.parts = append(a.parts, json.RawMessage(textPart(a.plain.String())))
		a.plain.Reset()
	}
}

// reply gives what the answer amounts to. Calls that the model wrote as text count if there are no
// others.
func (a *answer) reply(p *Provider, req llm.Request) llm.Reply {
	a.flush()
	ids := wire.NewIDs(req)
	words, textual := llm.SplitText(a.text.String(), a.names)
	out := llm.Reply{Text: words, RawBy: p.rawBy, Model: a.model, Usage: a.usage.usage()}
	for _, c := range a.calls {
		out.Calls = append(out.Calls, akitad.Call{ID: ids.Own(c.ID), Tool: original(a.names, c.Name), Args: llm.Arguments(string(c.Args))})
	}
	if len(a.calls) == 0 && len(textual) > 0 {
		for _, c := range textual {
			out.Calls = append(out.Calls, akitad.Call{ID: ids.Own(""), Tool: c.Tool, Args: c.Args})
		}
		a.parts = rebuild(out.Message(), false)
	}
	if a.parts == nil {
		a.parts = []json.RawMessage{}
	}
	out.Raw = wire.Marshal(content{Role: "model", Parts: a.parts})
	return out
}
