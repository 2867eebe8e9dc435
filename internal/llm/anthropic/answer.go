package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// part is a block of an answer in the making.
type part struct {
	Type      wire.Word       `json:"type"`
	Text      wire.Word       `json:"text"`
	Thinking  wire.Word       `json:"thinking"`
	Signature wire.Word       `json:"signature"`
	ID        wire.Word       `json:"id"`
	Name      wire.Word       `json:"name"`
	Input     json.RawMessage `json:"input"`

	index *int            // as the server counts
	sent  json.RawMessage // as it came, if nothing was added since
	more  strings.Builder // what was added to text, thoughts or input
}

// answer is a message of the model in the making.
type answer struct {
	p     *Provider
	req   llm.Request
	names llm.Names
	parts []*part
	model string
	stop  string
	usage usage
	half  wire.Half // of a character of the text
}

func newAnswer(p *Provider, req llm.Request) *answer {
	return &answer{p: p, req: req, names: req.Names()}
}

// open begins a block with what the server says of it, which for a whole answer is everything.
func (a *answer) open(index *int, raw json.RawMessage) error {
	next := &part{index: index, sent: raw}
	if err := json.Unmarshal(raw, next); err != nil {
		return wire.Broken("the answer holds a block that cannot be read", err)
	}
	a.parts = append(a.parts, next)
	return nil
}

func (a *answer) last() *part { return a.parts[len(a.parts)-1] }

// find gives the newest block with the index, or the newest of all if there is no index; nil if there is
// none. Some servers count every block as 0.
func (a *answer) find(index *int) *part {
	for i := len(a.parts) - 1; i >= 0; i-- {
		if have := a.parts[i].index; index == nil || have == nil || *have == *index {
			return a.parts[i]
		}
	}
	return nil
}

// extend adds a piece to a block, and gives the text in it. Pieces of a new kind are nothing.
func (a *answer) extend(index *int, raw json.RawMessage) (text string, err error) {
	var head struct{ Type string }
	var d struct {
		Text      json.RawMessage `json:"text"`
		Thinking  wire.Word       `json:"thinking"`
		Signature wire.Word       `json:"signature"`
		JSON      json.RawMessage `json:"partial_json"` // text, or the object itself
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return "", wire.Broken("the stream holds an event that cannot be read", err)
	}
	kind := kindOf(head.Type)
	if kind == "" {
		return "", nil
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return "", wire.Broken("the stream holds an event that cannot be read", err)
	}
	to := a.find(index)
	if to != nil && kind == kindCall && to.Type != kindCall && strings.HasSuffix(string(to.Type), kindCall) {
		return "", nil // of a call that the server makes itself
	}
	if to == nil || to.Type != wire.Word(kind) {
		if kind == kindCall {
			return "", wire.Broken("the stream holds a piece of a tool call that never began", nil)
		}
		to = &part{Type: wire.Word(kind), index: index}
		a.parts = append(a.parts, to)
	}
	to.sent = nil
	var said wire.Word
	if len(d.Text) > 0 {
		_ = said.UnmarshalJSON(a.half.Join(d.Text)) // refuses nothing
	}
	piece := pieceOf(d.JSON)
	if kind == kindCall && to.more.String() == nothing && strings.HasPrefix(piece, "{") {
		to.more.Reset()
	}
	to.more.WriteString(string(said+d.Thinking) + piece)
	to.Signature += d.Signature
	return string(said), nil
}

// nothing are the arguments that some servers send first, whatever comes.
const nothing = "{}"

// pieceOf gives a piece of arguments as text.
func pieceOf(raw json.RawMessage) (piece string) {
	if len(raw) == 0 || json.Unmarshal(raw, &piece) == nil {
		return piece
	}
	return string(wire.Canonical(raw))
}

// kindOf gives the type of block that a piece belongs to; "" if that is new.
func kindOf(delta string) string {
	switch delta {
	case "text_delta":
		return kindText
	case "input_json_delta":
		return kindCall
	case "thinking_delta", "signature_delta":
		return kindThought
	}
	return ""
}

// input gives the arguments of a call as text. What came in pieces counts more than what the block began
// with, which usually is an empty object.
func (p *part) input() string {
	if p.more.Len() > 0 {
		return p.more.String()
	}
	return string(p.Input)
}

// inCall reports whether a call's arguments are cut off.
func (a *answer) inCall() bool {
	for _, p := range a.parts {
		if text := strings.TrimSpace(p.input()); p.Type == kindCall && text != "" && !json.Valid([]byte(text)) {
			return true
		}
	}
	return false
}

// text gives all that the model said.
func (a *answer) text() string {
	var b strings.Builder
	for _, p := range a.parts {
		if p.Type == kindText {
			b.WriteString(string(p.Text) + p.more.String())
		}
	}
	return b.String()
}

// finish gives the reply that the message amounts to.
func (a *answer) finish() (llm.Reply, error) {
	out := llm.Reply{RawBy: a.p.rawBy}
	ids := wire.NewIDs(a.req)
	var blocks []block
	for _, p := range a.parts {
		b, call := a.block(p, ids)
		if call != nil {
			out.Calls = append(out.Calls, *call)
		}
		if b.kind != "" {
			blocks = append(blocks, b)
		}
	}
	words, textual := llm.SplitText(a.text(), a.names)
	if len(out.Calls) == 0 && len(textual) > 0 {
		blocks = a.textual(&out, words, textual, ids)
	}
	out.Text, out.Raw = words, rawOf(blocks)
	return a.complete(out)
}

// block gives a block as it is sent back, which for blank text is none, and the call that it makes.
func (a *answer) block(p *part, ids *wire.IDs) (block, *akitad.Call) {
	switch p.Type {
	case kindCall:
		call := &akitad.Call{ID: a.own(string(p.ID), ids), Tool: a.names.Original(string(p.Name)), Args: llm.Arguments(p.input())}
		return callBlock(call.ID, call.Tool, call.Args), call
	case kindText:
		if blank(string(p.Text) + p.more.String()) {
			return block{}, nil
		}
	}
	if p.sent != nil {
		return block{string(p.Type), string(wire.Canonical(p.sent))}, nil
	}
	if p.Type == kindThought {
		return block{kindThought, `{"type":"thinking","thinking":` + wire.Text(string(p.Thinking)+p.more.String()) +
			`,"signature":` + wire.Text(string(p.Signature)) + `}`}, nil
	}
	return textBlock(string(p.Text) + p.more.String()), nil
}

// own gives the id of a call; one that the service would not take back is replaced.
func (a *answer) own(id string, ids *wire.IDs) string {
	if !validID.MatchString(id) {
		id = ""
	}
	return ids.Own(id)
}

// textual gives the blocks of a message in which the model wrote its calls as text, and adds the calls.
func (a *answer) textual(out *llm.Reply, words string, calls []akitad.Call, ids *wire.IDs) (blocks []block) {
	if !blank(words) {
		blocks = append(blocks, textBlock(words))
	}
	for _, c := range calls {
		c.ID = ids.Own("")
		out.Calls = append(out.Calls, c)
		blocks = append(blocks, callBlock(c.ID, c.Tool, c.Args))
	}
	return blocks
}

func rawOf(blocks []block) json.RawMessage {
	all := make([]string, len(blocks))
	for i, b := range blocks {
		all[i] = b.json
	}
	return json.RawMessage(`{"role":"assistant","content":[` + strings.Join(all, ",") + `]}`)
}
