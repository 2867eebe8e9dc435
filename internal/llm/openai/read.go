package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strings"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// reply is what a server sends: a whole completion, or one chunk of a stream.
type reply struct {
	Model   string        `json:"model"`
	Choices choices       `json:"choices"`
	Usage   object[usage] `json:"usage"`
	Groq    object[reply] `json:"x_groq"` // in which Groq puts the usage
	Error   any           `json:"error"`
}

type choice struct {
	Index   json.RawMessage `json:"index"` // a number, or its text
	Delta   object[part]    `json:"delta"`
	Message json.RawMessage `json:"message"`
	Text    word            `json:"text"` // of completions that are no chat
	Finish  word            `json:"finish_reason"`
	Usage   object[usage]   `json:"usage"` // Moonshot puts it here
	Error   json.RawMessage `json:"error"` // and OpenRouter this
}

// piece gives what a chunk holds: the delta, or a message where servers send that.
func (c choice) piece() part {
	if c.Delta.it != nil {
		return *c.Delta.it
	}
	var p part
	if json.Unmarshal(c.Message, &p) != nil {
		p = part{}
	}
	if c.Text != "" {
		p.Content = wire.Marshal(string(c.Text))
	}
	return p
}

func (p *Provider) readWhole(req llm.Request, from io.Reader) (llm.Reply, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return llm.Reply{}, wire.Broken("the answer broke off", err)
	}
	if mended, ok := wire.Mended(data); ok && !json.Valid(data) {
		data = mended
	}
	switch values, rest := wire.Values(data); {
	case len(values) > 1, len(values) == 1 && rest:
		return p.readChunks(req, data, values)
	case len(values) == 1:
		data = values[0]
	}
	var in reply
	data = wire.Inner(data, "choices")
	if err := json.Unmarshal(data, &in); err != nil || wire.Meant(in.Error) || len(in.Choices) == 0 {
		if refusal := p.server.ErrorIn(data); refusal != nil {
			return llm.Reply{}, refusal
		}
		return llm.Reply{}, wire.Broken("the answer is not a chat completion", err)
	}
	if in.Choices.parted() {
		return p.readChunks(req, data, []json.RawMessage{data})
	}
	c := in.Choices[0]
	if refusal := p.refusal(c); refusal != nil {
		return llm.Reply{}, refusal
	}
	if len(c.Message) == 0 && c.Delta.it == nil && c.Text == "" {
		return llm.Reply{}, wire.Broken("the answer holds no message", nil)
	}
	m := c.piece()
	a := &answer{names: req.Names()}
	a.Role = string(m.Role)
	a.whole(m)
	if a.nameless() {
		return llm.Reply{}, errNameless
	}
	out := a.finish(p, req, c.Message)
	if req.OnText != nil && out.Text != "" {
		req.OnText(out.Text)
	}
	return complete(out, string(cmp.Or(c.Finish, m.Finish)), in.Model, lastUsage(c.Usage.it, in.Usage.it))
}

// readChunks reads a body that is a stream without events: chunks on lines of their own, or in a list.
func (p *Provider) readChunks(req llm.Request, data []byte, values []json.RawMessage) (out llm.Reply, err error) {
	s := p.newStream(req, nil)
	defer func() { out = s.billed(out, err) }()
	for _, raw := range values {
		if err := s.chunk(p, raw); err != nil {
			return llm.Reply{}, err
		}
	}
	return s.close(p, req, nil, data)
}

// bare takes chunks that stood in the stream without being events.
func (s *stream) bare(p *Provider, tail []byte) error {
	values, _ := wire.Values(tail)
	for _, raw := range values {
		if err := s.chunk(p, raw); err != nil {
			return err
		}
	}
	return nil
}

var errNameless = wire.Broken("the answer holds a call of no tool", nil)

// A stream is an answer that comes in chunks.
type stream struct {
	answer *answer
	veil   *llm.Veil
	from   *wire.Answer // nil if all of it is there
	finish string
	begun  bool // something of an answer has come
	done   bool // [DONE] was seen
	deltas bool // pieces have come, and no message
	model  string
	usage  *usage
}

func (p *Provider) newStream(req llm.Request, from *wire.Answer) *stream {
	s := &stream{answer: &answer{names: req.Names()}, from: from}
	s.veil = llm.NewVeil(req.OnText, s.answer.names)
	s.answer.Role = "assistant"
	return s
}

func (p *Provider) readStream(req llm.Request, from *wire.Answer) (out llm.Reply, err error) {
	events := wire.NewEvents(from)
	s := p.newStream(req, from)
	defer func() { out = s.billed(out, err) }()
	for !s.done {
		data, ok := events.Next()
		if !ok {
			break
		}
		if err := s.event(p, data); err != nil {
			return llm.Reply{}, err
		}
		if events.Kind() == wire.Failed {
			return llm.Reply{}, p.server.ErrorOf(data)
		}
	}
	if !s.begun && !s.done {
		if err := s.bare(p, events.Tail()); err != nil {
			return llm.Reply{}, err
		}
	}
	return s.close(p, req, events.Err(), events.Tail())
}

// billed gives, beside an error, what the server has told of the call's usage.
func (s *stream) billed(out llm.Reply, err error) llm.Reply {
	if err != nil && s.usage != nil {
		out.Usage = s.usage.usage()
	}
	return out
}

// close gives the reply once no more chunks come; tail is what stood outside of them.
func (s *stream) close(p *Provider, req llm.Request, broken error, tail []byte) (llm.Reply, error) {
	err := s.end(broken)
	if err == nil && s.answer.nameless() {
		err = errNameless
	}
	if err != nil {
		if refusal := p.server.ErrorIn(tail); refusal != nil {
			err = refusal
		}
		return llm.Reply{}, err
	}
	s.veil.Flush()
	return complete(s.answer.finish(p, req, nil), s.finish, s.model, s.usage)
}

// event takes the data of one event. Data that is no JSON object, such as a keep-alive, is nothing.
func (s *stream) event(p *Provider, data []byte) error {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("data:"))) // some proxies write it twice
	if wire.IsDone(data) {
		s.done = true
		return nil
	}
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return nil
	}
	// Servers that forget the blank line between events make one event of several chunks.
	for dec, some := json.NewDecoder(bytes.NewReader(data)), false; dec.More(); some = true {
		var raw json.RawMessage
		from := dec.InputOffset()
		if err := dec.Decode(&raw); err != nil {
			return s.odd(p, bytes.TrimSpace(data[from:]), some)
		}
		if err := s.chunk(p, raw); err != nil {
			return err
		}
	}
	return nil
}

var finished = []byte("[DONE]")

// odd takes what is no JSON; behind a chunk there may be anything that does not begin like one.
func (s *stream) odd(p *Provider, data []byte, behind bool) error {
	if bytes.Contains(data, finished) {
		s.done = true
		return nil
	}
	if behind && data[0] != '{' && data[0] != '[' {
		return nil
	}
	if mended, ok := wire.Mended(data); ok {
		return s.event(p, mended)
	}
	return wire.Broken("the stream broke off in mid-chunk", nil)
}

func (s *stream) chunk(p *Provider, raw json.RawMessage) error {
	var in reply
	if err := json.Unmarshal(raw, &in); err != nil || wire.Meant(in.Error) {
		if refusal := p.server.ErrorIn(raw); refusal != nil {
			return refusal
		}
		return wire.Broken("the stream holds a chunk that cannot be read", err)
	}
	if len(in.Choices) == 0 {
		if inner := wire.Inner(raw, "choices"); len(inner) < len(raw) {
			return s.chunk(p, inner)
		}
	}
	if len(in.Choices) == 0 && in.Usage.it == nil {
		return p.server.ErrorAmong(raw)
	}
	s.model = cmp.Or(in.Model, s.model)
	if in.Groq.it != nil {
		s.usage = lastUsage(s.usage, in.Groq.it.Usage.it)
	}
	s.usage = lastUsage(s.usage, in.Usage.it)
	for _, c := range in.Choices {
		if refusal := p.refusal(c); refusal != nil {
			return refusal
		}
		if at := wire.IndexOf(c.Index); at == nil || *at <= 0 {
			s.take(c)
		}
	}
	return nil
}

// refusal gives the error that stands in a choice; nil if there is none.
func (p *Provider) refusal(c choice) error {
	var said any
	if len(c.Error) == 0 || json.Unmarshal(c.Error, &said) != nil || !wire.Meant(said) {
		return nil
	}
	return p.server.ErrorOf(c.Error)
}

func (s *stream) take(c choice) {
	s.begun = true
	s.usage = lastUsage(s.usage, c.Usage.it)
	s.veil.Write(s.answer.add(s.piece(c)))
	if c.Delta.it != nil {
		c.Finish = cmp.Or(c.Finish, c.Delta.it.Finish)
	}
	if c.Finish != "" && c.Finish != "null" {
		s.finish = string(c.Finish)
		if s.from != nil {
			s.from.Finish()
		}
	}
}

// piece gives what is new in a chunk. A message behind deltas sums up what they said, but for what they did
// not say.
func (s *stream) piece(c choice) part {
	delta := c.Delta.it
	if len(c.Message) == 0 || delta != nil && !delta.empty() {
		s.deltas = true
		return c.piece()
	}
	m := choice{Message: c.Message}.piece()
	if a := s.answer; delta != nil || s.deltas {
		if a.text.Len() > 0 {
			m.Content, m.Refusal = nil, ""
		}
		if len(a.Calls) > 0 {
			m.Calls, m.Call = nil, nil
		}
		if a.thoughts.Len()+a.reasoning.Len()+len(a.Details) > 0 {
			m.Thoughts, m.Reasoning, m.Details = "", "", nil
		}
	}
	if m.empty() && delta != nil {
		return *delta
	}
	return m
}

// end says whether the stream is complete: it is if the server said so, with a finish reason or
// with [DONE], even if the connection then broke. Arguments that are cut off without a reason are
// a stream that broke off, whatever was said.
func (s *stream) end(err error) error {
	if s.finish != "" {
		return nil
	}
	if !s.done {
		return wire.Broken("the stream broke off before its end", err)
	}
	if !s.begun {
		return wire.Broken("the stream held no answer", nil)
	}
	for _, args := range s.answer.args {
		if text := strings.TrimSpace(args.String()); text != "" && !json.Valid([]byte(text)) {
			return wire.Broken("the stream ended in the middle of a tool call", nil)
		}
	}
	return nil
}
