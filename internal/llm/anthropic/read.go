package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// reply is an answer in one piece.
type reply struct {
	Model   string    `json:"model"`
	Content content   `json:"content"`
	Stop    wire.Word `json:"stop_reason"`
	Usage   usage     `json:"usage"`
	Error   any       `json:"error"`
}

// content is a list of blocks, or, from some proxies, a text alone.
type content []json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(data []byte) error {
	var text string
	if len(data) > 0 && data[0] == '"' && json.Unmarshal(data, &text) == nil {
		*c = content{json.RawMessage(`{"type":"text","text":` + wire.Text(text) + `}`)}
		return nil
	}
	var list wire.List
	_ = list.UnmarshalJSON(data) // refuses nothing
	*c = content(list)
	return nil
}

func (p *Provider) readWhole(req llm.Request, from io.Reader) (llm.Reply, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return llm.Reply{}, wire.Broken("the answer broke off", err)
	}
	if mended, ok := wire.Mended(data); ok && !json.Valid(data) {
		data = mended
	}
	if values, _ := wire.Values(data); len(values) > 1 {
		return p.readValues(req, values)
	}
	var in reply
	data = wire.Inner(data, "content")
	if err := json.Unmarshal(data, &in); err != nil || wire.Meant(in.Error) || in.Content == nil && in.Stop == "" {
		if refusal := p.server.ErrorIn(data); refusal != nil {
			return llm.Reply{}, refusal
		}
		return llm.Reply{}, wire.Broken("the answer is not a message", err)
	}
	a := newAnswer(p, req)
	if err := a.whole(in); err != nil {
		return llm.Reply{}, err
	}
	out, err := a.finish()
	if err == nil && req.OnText != nil && out.Text != "" {
		req.OnText(out.Text)
	}
	return out, err
}

// whole takes a message that came in one piece.
func (a *answer) whole(in reply) error {
	a.model, a.stop, a.usage = in.Model, string(in.Stop), a.usage.with(in.Usage)
	for _, raw := range in.Content {
		if err := a.open(nil, raw); err != nil {
			return err
		}
	}
	return nil
}

// readValues reads a body that is a stream without events: a line for each.
func (p *Provider) readValues(req llm.Request, values []json.RawMessage) (llm.Reply, error) {
	s := &stream{answer: newAnswer(p, req)}
	s.veil = llm.NewVeil(req.OnText, s.names)
	for _, raw := range values {
		if err := s.event(raw, ""); err != nil {
			return llm.Reply{Usage: s.usage.usage()}, err
		}
	}
	if err := s.end(nil); err != nil {
		return llm.Reply{Usage: s.usage.usage()}, err
	}
	s.veil.Flush()
	return s.finish()
}

// stream is an answer that comes in events.
type stream struct {
	*answer
	veil *llm.Veil
	from *wire.Answer // nil if all of it is there
	done bool         // message_stop was seen
}

func (p *Provider) readStream(req llm.Request, from *wire.Answer) (out llm.Reply, err error) {
	events := wire.NewEvents(from)
	s := &stream{answer: newAnswer(p, req), from: from}
	defer func() {
		if err != nil {
			out.Usage = s.usage.usage()
		}
	}()
	s.veil = llm.NewVeil(req.OnText, s.names)
	for !s.done {
		data, ok := events.Next()
		if !ok {
			break
		}
		if err := s.data(bytes.TrimSpace(data), events.Kind()); err != nil {
			return llm.Reply{}, err
		}
		if events.Kind() == wire.Failed {
			return llm.Reply{}, p.server.ErrorOf(data)
		}
	}
	if err := s.end(events.Err()); err != nil {
		return llm.Reply{}, err
	}
	s.veil.Flush()
	return s.finish()
}

// data takes the data of one event. Data that is no JSON object, such as a keep-alive, is nothing.
func (s *stream) data(data []byte, kind string) error {
	if len(data) == 0 || data[0] != '{' {
		s.done = s.done || wire.IsDone(data)
		return nil
	}
	// Proxies that forget the blank line between events make one event of several.
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More() && !s.done; {
		var raw json.RawMessage
		from := dec.InputOffset()
		if err := dec.Decode(&raw); err != nil {
			if mended, ok := wire.Mended(data[from:]); ok {
				return s.data(mended, kind)
			}
			return wire.Broken("the stream broke off in the middle of an event", nil)
		}
		if err := s.event(raw, kind); err != nil {
			return err
		}
	}
	return nil
}

// event is one of a stream; which fields it has depends on its type.
type event struct {
	Type    string          `json:"type"`
	Index   json.RawMessage `json:"index"` // a number, or its text
	Message json.RawMessage `json:"message"`
	Block   json.RawMessage `json:"content_block"`
	Delta   json.RawMessage `json:"delta"`
	Usage   usage           `json:"usage"`
	Error   any             `json:"error"`
}

// event takes an event, whose name may tell its type too. Pings, and types that are new, are nothing.
func (s *stream) event(raw json.RawMessage, name string) error {
	var e event
	if err := json.Unmarshal(raw, &e); err != nil || wire.Meant(e.Error) {
		if refusal := s.p.server.ErrorIn(raw); refusal != nil {
			return refusal
		}
		return wire.Broken("the stream holds an event that cannot be read", err)
	}
	switch cmp.Or(e.Type, name) {
	case "message":
		return s.message(raw)
	case "message_start":
		return s.begin(e.Message)
	case "content_block_start":
		if len(e.Block) == 0 {
			return nil // what comes for it says what it is
		}
		if err := s.open(wire.IndexOf(e.Index), e.Block); err != nil {
			return err
		}
		s.veil.Write(string(s.last().Text))
	case "content_block_delta":
		text, err := s.extend(wire.IndexOf(e.Index), e.Delta)
		s.veil.Write(text)
		return err
	case "message_delta":
		return s.delta(e)
	case "message_stop":
		s.done = true
	}
	return nil
}

// message takes an answer that came in one piece though a stream was asked for. Behind its pieces it says nothing
// new, and "message" is also the name of an event that is none, such as a keep-alive.
func (s *stream) message(raw json.RawMessage) error {
	var in reply
	if err := json.Unmarshal(raw, &in); err != nil {
		return wire.Broken("the stream holds a message that cannot be read", err)
	}
	if len(s.parts) > 0 || in.Content == nil && in.Stop == "" {
		return nil
	}
	if err := s.whole(in); err != nil {
		return err
	}
	s.veil.Write(s.text())
	s.done = true
	return nil
}

// begin takes the message as it is before there is anything in it.
func (s *stream) begin(raw json.RawMessage) error {
	var in reply
	if err := json.Unmarshal(raw, &in); err != nil && len(raw) > 0 {
		return wire.Broken("the stream begins with a message that cannot be read", err)
	}
	s.model, s.usage = in.Model, s.usage.with(in.Usage)
	return nil
}

// delta takes what is known of the message once its content is complete.
func (s *stream) delta(e event) error {
	var in struct {
		Stop wire.Word `json:"stop_reason"`
	}
	if err := json.Unmarshal(e.Delta, &in); err != nil && len(e.Delta) > 0 {
		return wire.Broken("the stream holds an event that cannot be read", err)
	}
	s.usage = s.usage.with(e.Usage)
	if in.Stop == "" || in.Stop == "null" {
		return nil
	}
	s.stop = string(in.Stop)
	if s.from != nil {
		s.from.Finish()
	}
	return nil
}

// end says whether the stream is complete: it is if the server gave the reason for the end, even if the
// connection then broke, or closed the message. A call that is cut off without a reason is a stream that
// broke off, whatever was said.
func (s *stream) end(err error) error {
	switch {
	case s.stop != "":
		return nil
	case !s.done:
		return wire.Broken("the stream broke off before its end", err)
	case s.inCall():
		return wire.Broken("the stream ended in the middle of a tool call", nil)
	}
	return nil
}
