package llmtest

import (
	"encoding/json"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// messageOut is a message as the service sends it.
type messageOut struct {
	ID      string            `json:"id"`
	Type    string            `json:"type"`
	Role    string            `json:"role"`
	Model   string            `json:"model"`
	Content []json.RawMessage `json:"content"`
	Stop    *string           `json:"stop_reason"`
	Cut     *string           `json:"stop_sequence"`
	Usage   *messageUsage     `json:"usage,omitempty"`
}

type messageUsage struct {
	Input   int `json:"input_tokens"`
	Written int `json:"cache_creation_input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
	Output  int `json:"output_tokens"`
}

// messageUsage splits the input: a service of this kind counts what it cached beside the rest.
func (s shape) messageUsage(u akitad.Usage) *messageUsage {
	if s.noUsage {
		return nil
	}
	written := (u.Input - u.Cached) / 2
	return &messageUsage{Input: u.Input - u.Cached - written, Written: written, Read: u.Cached, Output: u.Output}
}

func (s shape) stopOf(r llm.Reply) *string {
	reason := map[llm.Finish]string{
		llm.FinishStop: "end_turn", llm.FinishCalls: "tool_use", llm.FinishLength: "max_tokens", llm.FinishFiltered: "refusal",
	}[r.Finish]
	if s.finish != "" {
		reason = s.finish
	}
	return &reason
}

// blocksOut gives the content: thoughts, text, calls. A stream sends a block empty first and fills it by
// its deltas; whole is the block at once.
type blockOut struct {
	start, whole string
	deltas       []string
	call         bool
}

func (s shape) blocksOut(r llm.Reply) (out []blockOut) {
	if s.reasoning != "" {
		sign := quote(signature(s.reasoning))
		b := blockOut{
			start: `{"type":"thinking","thinking":"","signature":""}`,
			whole: `{"type":"thinking","thinking":` + encode(s.reasoning) + `,"signature":` + sign + `}`,
		}
		for _, piece := range halves(s.reasoning) {
			b.deltas = append(b.deltas, `{"type":"thinking_delta","thinking":`+encode(piece)+`}`)
		}
		b.deltas = append(b.deltas, `{"type":"signature_delta","signature":`+sign+`}`)
		out = append(out, b, blockOut{start: redacted, whole: redacted})
	}
	if r.Text != "" || len(r.Calls) == 0 {
		b := blockOut{start: `{"type":"text","text":""}`, whole: `{"type":"text","text":` + encode(r.Text) + `}`}
		for _, piece := range halves(r.Text) {
			b.deltas = append(b.deltas, `{"type":"text_delta","text":`+encode(piece)+`}`)
		}
		out = append(out, b)
	}
	for _, c := range r.Calls {
		out = append(out, s.callOut(c))
	}
	return out
}

const redacted = `{"type":"redacted_thinking","data":"Zm9v+/=="}`

func (s shape) callOut(c akitad.Call) blockOut {
	id := c.ID
	switch {
	case s.noIDs:
		id = ""
	case s.sameIDs:
		id = "call_same"
	}
	head := `{"type":"tool_use","id":` + quote(id) + `,"name":` + quote(llm.WireName(c.Tool)) + `,"input":`
	b := blockOut{start: head + `{}}`, whole: head + string(c.Args) + `}`, call: true}
	if s.argsObject {
		b.start = b.whole
		return b
	}
	if string(c.Args) == "{}" { // the service sends nothing where there is nothing
		b.deltas = []string{`{"type":"input_json_delta","partial_json":""}`}
		return b
	}
	for _, piece := range append([]string{""}, halves(string(c.Args))...) {
		b.deltas = append(b.deltas, `{"type":"input_json_delta","partial_json":`+encode(piece)+`}`)
	}
	return b
}

// message is the reply as one object.
func (s shape) message(r llm.Reply) []byte {
	m := messageOut{ID: "msg_1", Type: "message", Role: "assistant", Model: r.Model, Stop: s.stopOf(r), Usage: s.messageUsage(r.Usage)}
	for _, b := range s.blocksOut(r) {
		m.Content = append(m.Content, json.RawMessage(b.whole))
	}
	return []byte(encode(m))
}

// messageEvents is the reply as a stream: the empty message, each block from start to stop, why it ends
// and what it cost, and that it is over.
func (s shape) messageEvents(r llm.Reply) []chunk {
	began := s.messageUsage(r.Usage)
	if began != nil {
		began.Output = 1
	}
	start := messageOut{ID: "msg_1", Type: "message", Role: "assistant", Model: r.Model, Content: []json.RawMessage{}, Usage: began}
	out := []chunk{event("message_start", `"message":`+encode(start))}
	for i, b := range s.blocksOut(r) {
		if s.zeroIndex {
			i = 0
		}
		at := `"index":` + encode(i)
		if s.noIndex {
			at = `"unknown":null`
		}
		first := event("content_block_start", at+`,"content_block":`+b.start)
		if b.call && len(b.deltas) == 0 {
			first.call = wholeCall
		}
		out = append(out, first)
		for j, d := range b.deltas {
			next := event("content_block_delta", at+`,"delta":`+d)
			if b.call && j > 0 {
				next.call = partCall
			}
			out = append(out, next)
		}
		out = append(out, event("content_block_stop", at))
	}
	end := `"delta":{"stop_reason":` + quote(*s.stopOf(r)) + `,"stop_sequence":null}`
	if !s.noUsage {
		end += `,"usage":{"output_tokens":` + encode(r.Usage.Output) + `}`
	}
	last := event("message_stop", "")
	last.end = true
	return append(out, event("message_delta", end), last)
}

func event(name, fields string) chunk {
	if fields != "" {
		fields = "," + fields
	}
	return chunk{event: name, data: `{"type":"` + name + `"` + fields + `}`}
}
