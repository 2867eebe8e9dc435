package gemini

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// chunk is what a server sends: a whole answer, or a piece of one.
type chunk struct {
	Candidates wire.List `json:"candidates"`
	Feedback   struct {
		Blocked string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *usage    `json:"usageMetadata"`
	Model wire.Word `json:"modelVersion"`
	Error any       `json:"error"`

	Snake *usage `json:"usage_metadata"` // of proxies that write names as Google's own libraries do
}

type candidate struct {
	Index   json.RawMessage `json:"index"` // a number, or its text
	Content content         `json:"content"`
	Finish  wire.Word       `json:"finishReason"`
	Snake   wire.Word       `json:"finish_reason"` // of the same
}

// ends gives the reason for an end; "" if there is none. Google's libraries may write it as a number.
func (c candidate) ends() string {
	reason := string(cmp.Or(c.Finish, c.Snake))
	if n, err := strconv.Atoi(reason); err == nil && n >= 0 && n < len(reasons) {
		reason = reasons[n]
	}
	if reason == unspecified {
		return ""
	}
	return reason
}

var reasons = []string{unspecified, "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER"}

// content is what one side says, of which an answer is one.
type content struct {
	Role  string    `json:"role"`
	Parts wire.List `json:"parts"`
}

type part struct {
	Text      json.RawMessage `json:"text"`
	Thought   truth           `json:"thought"`
	Signature string          `json:"thoughtSignature"`
	Call      *functionCall   `json:"functionCall"`
	Snake     *functionCall   `json:"function_call"`
}

// truth is true, or its text; all else is false.
type truth bool

// UnmarshalJSON implements json.Unmarshaler. It refuses nothing.
func (t *truth) UnmarshalJSON(data []byte) error {
	*t = strings.Trim(string(data), `"`) == "true"
	return nil
}

type functionCall struct {
	ID   wire.Word       `json:"id"`
	Name wire.Word       `json:"name"`
	Args json.RawMessage `json:"args"`
}

// answer is an answer in the making.
type answer struct {
	names   llm.Names
	text    strings.Builder   // all of it
	plain   strings.Builder   // what goes into the next part
	half    wire.Half         // of a character of it
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
	p.Call = cmp.Or(p.Call, p.Snake)
	var words wire.Word
	has := len(p.Text) > 0 && json.Unmarshal(p.Text, &words) == nil
	switch {
	case p.Call != nil && strings.TrimSpace(string(p.Call.Name)) == "":
		return "", wire.Broken("the answer holds a call of no tool", nil)
	case p.Call != nil && a.repeats(*p.Call):
		return "", nil
	case p.Call != nil:
		a.calls = append(a.calls, *p.Call)
	case bool(p.Thought) && p.Signature == "":
		return "", nil
	case has && p.Signature == "":
		_ = words.UnmarshalJSON(a.half.Join(p.Text)) // refuses nothing
		a.plain.WriteString(string(words))
		a.text.WriteString(string(words))
		return string(words), nil
	}
	a.flush()
	a.parts = append(a.parts, wire.Canonical(raw))
	if bool(p.Thought) || !has {
		return "", nil
	}
	a.text.WriteString(string(words))
	return string(words), nil
}

// repeats reports whether a call has come already: some gateways say all of it once more at the end.
func (a *answer) repeats(c functionCall) bool {
	return c.ID != "" && slices.ContainsFunc(a.calls, func(b functionCall) bool {
		return b.ID == c.ID && b.Name == c.Name && bytes.Equal(wire.Canonical(b.Args), wire.Canonical(c.Args))
	})
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
		out.Calls = append(out.Calls, akitad.Call{ID: ids.Own(string(c.ID)), Tool: original(a.names, string(c.Name)), Args: llm.Arguments(string(c.Args))})
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
