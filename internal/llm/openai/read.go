package openai

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// reply is what a server sends: a whole completion, or one chunk of a stream.
type reply struct {
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage"`
	Error   any      `json:"error"`
}

type choice struct {
	Index   int             `json:"index"`
	Delta   part            `json:"delta"`
	Message json.RawMessage `json:"message"`
	Finish  string          `json:"finish_reason"`
	Usage   *usage          `json:"usage"` // Moonshot puts it here
}

func (p *Provider) readWhole(req llm.Request, from io.Reader) (llm.Reply, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return llm.Reply{}, wire.Broken("the answer broke off", err)
	}
	var in reply
	if err := json.Unmarshal(data, &in); err != nil || wire.Meant(in.Error) || len(in.Choices) == 0 {
		if refusal := p.server.ErrorIn(data); refusal != nil {
			return llm.Reply{}, refusal
		}
		return llm.Reply{}, wire.Broken("the answer is not a chat completion", err)
	}
	var m part
	if err := json.Unmarshal(in.Choices[0].Message, &m); err != nil {
		return llm.Reply{}, wire.Broken("the answer holds no message", err)
	}
	a := &answer{names: llm.NamesOf(req.Tools)}
	a.Role = m.Role
	a.whole(m)
	out := a.finish(p, req, in.Choices[0].Message)
	if req.OnText != nil && out.Text != "" {
		req.OnText(out.Text)
	}
	return complete(out, in.Choices[0].Finish, in.Model, firstUsage(in.Usage, in.Choices[0].Usage))
}

// A stream is an answer that comes in chunks.
type stream struct {
	answer *answer
	veil   *llm.Veil
	from   *wire.Answer
	finish string
	done   bool // [DONE] was seen
	model  string
	usage  *usage
}

func (p *Provider) readStream(req llm.Request, from *wire.Answer) (llm.Reply, error) {
	events := wire.NewEvents(from)
	s := &stream{answer: &answer{names: llm.NamesOf(req.Tools)}, from: from}
	s.veil = llm.NewVeil(req.OnText, s.answer.names)
	s.answer.Role = "assistant"
	for !s.done {
		data, ok := events.Next()
		if !ok {
			break
		}
		if err := s.event(p, data); err != nil {
			return llm.Reply{}, err
		}
	}
	if err := s.end(events.Err()); err != nil {
		if refusal := p.server.ErrorIn(events.Tail()); refusal != nil {
			err = refusal
		}
		return llm.Reply{}, err
	}
	s.veil.Flush()
	return complete(s.answer.finish(p, req, nil), s.finish, s.model, s.usage)
}

// event takes the data of one event. Data that is no JSON object, such as a keep-alive, is nothing.
func (s *stream) event(p *Provider, data []byte) error {
	data = bytes.TrimSpace(data)
	if bytes.HasPrefix(data, []byte("[DONE]")) {
		s.done = true
		return nil
	}
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return nil
	}
	// Servers that forget the blank line between events make one event of several chunks.
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More(); {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			if bytes.Contains(data, []byte("[DONE]")) {
				s.done = true
				return nil
			}
			return wire.Broken("the stream broke off in mid-chunk", nil)
		}
		if err := s.chunk(p, raw); err != nil {
			return err
		}
	}
	return nil
}

func (s *stream) chunk(p *Provider, raw json.RawMessage) error {
	var in reply
	if err := json.Unmarshal(raw, &in); err != nil || wire.Meant(in.Error) {
		if refusal := p.server.ErrorIn(raw); refusal != nil {
			return refusal
		}
		return wire.Broken("the stream holds a chunk that cannot be read", err)
	}
	if in.Model != "" {
		s.model = in.Model
	}
	s.usage = firstUsage(in.Usage, s.usage)
	for _, c := range in.Choices {
		if c.Index != 0 {
			continue
		}
		s.usage = firstUsage(c.Usage, s.usage)
		s.veil.Write(s.answer.add(c.Delta))
		if c.Finish != "" {
			s.finish = c.Finish
			s.from.Finish()
		}
	}
	return nil
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
	for _, args := range s.answer.args {
		if text := strings.TrimSpace(args.String()); text != "" && !json.Valid([]byte(text)) {
			return wire.Broken("the stream ended in the middle of a tool call", nil)
		}
	}
	return nil
}
