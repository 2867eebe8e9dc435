package llmtest

import (
	"bytes"
	"encoding/json"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// The wire forms of a reply. Pointers tell a missing field from an empty one.
type wireCall struct {
	Index    *int            `json:"index,omitempty"`
	ID       *string         `json:"id,omitempty"`
	Type     string          `json:"type,omitempty"`
	Function wireFunction    `json:"function"`
	Extra    json.RawMessage `json:"extra_content,omitempty"`
}

type wireFunction struct {
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

type wireMessage struct {
	Role      string          `json:"role,omitempty"`
	Content   json.RawMessage `json:"content,omitempty"`
	Reasoning string          `json:"reasoning_content,omitempty"`
	Calls     []wireCall      `json:"tool_calls,omitempty"`
}

type wireChoice struct {
	Index   int          `json:"index"`
	Delta   *wireMessage `json:"delta,omitempty"`
	Message *wireMessage `json:"message,omitempty"`
	Finish  *string      `json:"finish_reason"`
}

type wireReply struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Model   string       `json:"model"`
	Choices []wireChoice `json:"choices"`
	Usage   *wireUsage   `json:"usage,omitempty"`
}

type wireUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func usageOf(u akitad.Usage) *wireUsage {
	w := &wireUsage{Prompt: u.Input, Completion: u.Output, Total: u.Input + u.Output}
	w.Details.Cached = u.Cached
	return w
}

func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("llmtest: " + err.Error())
	}
	return string(bytes.TrimRight(b.Bytes(), "\n"))
}

func (s shape) finishOf(r llm.Reply) *string {
	reason := string(r.Finish)
	if s.finish != "" {
		reason = s.finish
	}
	return &reason
}

func (s shape) content(text string) json.RawMessage {
	if text == "" && s.nullContent {
		return json.RawMessage("null")
	}
	return json.RawMessage(encode(text))
}

// whole is the reply as one object.
func (s shape) whole(r llm.Reply) []byte {
	m := &wireMessage{Role: "assistant", Content: s.content(r.Text), Reasoning: s.reasoning}
	if len(r.Calls) > 0 && r.Text == "" {
		m.Content = json.RawMessage("null")
	}
	for i, c := range r.Calls {
		wc := s.call(i, c)
		wc.Index = nil
		wc.Function.Arguments = s.args(string(c.Args))
		m.Calls = append(m.Calls, wc)
	}
	out := wireReply{
		ID: "chatcmpl-1", Object: "chat.completion", Model: r.Model,
		Choices: []wireChoice{{Message: m, Finish: s.finishOf(r)}},
	}
	if !s.noUsage {
		out.Usage = usageOf(r.Usage)
	}
	return []byte(encode(out))
}

func (s shape) args(text string) json.RawMessage {
	if s.argsObject && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return json.RawMessage(encode(text))
}

func (s shape) call(i int, c akitad.Call) wireCall {
	id := c.ID
	switch {
	case s.noIDs:
		id = ""
	case s.sameIDs:
		id = "call_same"
	}
	out := wireCall{Index: &i, ID: &id, Type: "function", Function: wireFunction{Name: llm.WireName(c.Tool)}}
	switch {
	case s.noIndex:
		out.Index = nil
	case s.zeroIndex:
		out.Index = new(int)
	}
	if s.extraContent != "" {
		out.Extra = json.RawMessage(s.extraContent)
	}
	return out
}

// chunks is the reply as the data of a stream: role, reasoning, text in two pieces, calls in two
// pieces each, finish, usage, [DONE].
func (s shape) chunks(r llm.Reply) []chunk {
	var deltas []wireMessage
	deltas = append(deltas, wireMessage{Role: "assistant", Content: s.content("")})
	if s.reasoning != "" {
		deltas = append(deltas, wireMessage{Reasoning: s.reasoning})
	}
	for _, piece := range halves(r.Text) {
		deltas = append(deltas, wireMessage{Content: s.content(piece)})
	}
	for i, c := range r.Calls {
		deltas = append(deltas, s.callDeltas(i, c)...)
	}
	next := wireReply{ID: "chatcmpl-1", Object: "chat.completion.chunk", Model: r.Model}
	var out []chunk
	for _, d := range deltas {
		next.Choices = []wireChoice{{Delta: &d}}
		out = append(out, chunk{data: encode(next), call: s.pieceOf(d)})
	}
	next.Choices = []wireChoice{{Delta: &wireMessage{}, Finish: s.finishOf(r)}}
	out = append(out, chunk{data: encode(next)})
	if !s.noUsage {
		next.Choices, next.Usage = []wireChoice{}, usageOf(r.Usage)
		out = append(out, chunk{data: encode(next)})
	}
	return append(out, chunk{data: "[DONE]", end: true})
}

func (s shape) pieceOf(d wireMessage) piece {
	switch {
	case len(d.Calls) == 0:
		return noCall
	case s.onePiece():
		return wholeCall
	}
	return partCall
}

// onePiece reports whether a call comes in one chunk, since pieces of it could not be told apart.
func (s shape) onePiece() bool { return s.argsObject || s.noIndex || s.zeroIndex }

// callDeltas is one call in two pieces, or in one where pieces could not be told apart.
func (s shape) callDeltas(i int, c akitad.Call) []wireMessage {
	whole := s.call(i, c)
	if s.onePiece() {
		whole.Function.Arguments = s.args(string(c.Args))
		return []wireMessage{{Calls: []wireCall{whole}}}
	}
	var out []wireMessage
	for n, piece := range halves(string(c.Args)) {
		part := whole
		part.Function.Arguments = s.args(piece)
		if n > 0 {
			part = wireCall{Index: whole.Index, Function: wireFunction{Arguments: s.args(piece)}}
			if s.repeatName {
				part.ID, part.Function.Name = whole.ID, whole.Function.Name
			}
		}
		out = append(out, wireMessage{Calls: []wireCall{part}})
	}
	return out
}

// halves cuts a text in two at a rune; an empty one has no pieces.
func halves(text string) []string {
	runes := []rune(text)
	switch len(runes) {
	case 0:
		return nil
	case 1:
		return []string{text}
	}
	mid := len(runes) / 2
	return []string{string(runes[:mid]), string(runes[mid:])}
}
