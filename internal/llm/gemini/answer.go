package gemini

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
	"github.com/akitad/akitad/internal/pattern"
)

// chunk is what a server sends: a whole answer, or a piece of one.
type chunk struct {
	Candidates wire.List `json:"candidates"`
	Feedback   feedback  `json:"promptFeedback"`
	Usage      *usage    `json:"usageMetadata"`
	Model      wire.Word `json:"modelVersion"`
	Error      any       `json:"error"`
}

type feedback struct {
	Blocked wire.Word `json:"blockReason"`
}

type candidate struct {
	Index   json.RawMessage `json:"index"` // a number, or its text
	Content content         `json:"content"`
	Finish  wire.Word       `json:"finishReason"`
}

// read reads an object. Its names are taken as they are in the protocol and, of proxies that write them as Google's own
// libraries do, with underscores.
func read[T any](data []byte, into *T) error {
	var members map[string]json.RawMessage
	if bytes.IndexByte(data, '_') < 0 || !scored.MatchString(string(data)) || json.Unmarshal(data, &members) != nil {
		return json.Unmarshal(data, into)
	}
	plain := make(map[string]json.RawMessage, len(members))
	for name, v := range members {
		plain[strings.ReplaceAll(name, "_", "")] = v // and in which case, the standard library does not ask
	}
	return json.Unmarshal(wire.Marshal(plain), into)
}

var scored = pattern.New(`"[a-z]+_[a-z_]+"\s*:`)

// UnmarshalJSON implements json.Unmarshaler.
func (c *chunk) UnmarshalJSON(data []byte) error {
	type plain chunk
	return read(data, (*plain)(c))
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *feedback) UnmarshalJSON(data []byte) error {
	type plain feedback
	return read(data, (*plain)(f))
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *candidate) UnmarshalJSON(data []byte) error {
	type plain candidate
	return read(data, (*plain)(c))
}

// ends gives the reason for an end; "" if there is none. Google's libraries may write it as a number, or with the name of
// its type before it.
func (c candidate) ends() string {
	reason := strings.ToUpper(string(c.Finish))
	if n, err := strconv.Atoi(reason); err == nil && n >= 0 && n < len(reasons) {
		reason = reasons[n]
	}
	if reason == unspecified {
		return ""
	}
	return strings.TrimPrefix(reason, "FINISH_REASON_")
}

// reasons are those whose numbers Google's two services agree on, or agree that they are of a filter: 7 and 8.
var reasons = []string{unspecified, "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER", "6", "PROHIBITED_CONTENT", "PROHIBITED_CONTENT"}

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
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *part) UnmarshalJSON(data []byte) error {
	type plain part
	return read(data, (*plain)(p))
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

	Arguments  json.RawMessage `json:"arguments"` // the same, of gateways that know other protocols
	Parameters json.RawMessage `json:"parameters"`
}

// given gives the arguments by whichever of their names.
func (c functionCall) given() json.RawMessage {
	for _, args := range []json.RawMessage{c.Args, c.Arguments, c.Parameters} {
		if len(args) > 0 {
			return args
		}
	}
	return nil
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
		return b.ID == c.ID && b.Name == c.Name && bytes.Equal(wire.Canonical(b.given()), wire.Canonical(c.given()))
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
		out.Calls = append(out.Calls, akitad.Call{ID: ids.Own(string(c.ID)), Tool: original(a.names, string(c.Name)), Args: llm.Arguments(string(c.given()))})
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
