package gemini

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// reader takes the chunks of one answer.
type reader struct {
	*answer
	server *wire.Server
	veil   *llm.Veil
	in     *wire.Answer
	done   bool // a gateway that speaks other protocols too has ended it in their way
}

// read takes the answer in the form in which it comes: as events, as one chunk, or as a list of
// chunks, which is how a server streams that does not know of events.
func (p *Provider) read(req llm.Request, in *wire.Answer) (llm.Reply, error) {
	r := &reader{answer: &answer{names: namesOf(req)}, server: p.server, in: in}
	r.veil = llm.NewVeil(req.OnText, r.names)
	take := r.stream
	if in.Whole {
		take = r.whole
	}
	if err := take(); err != nil {
		return llm.Reply{Usage: r.usage.usage()}, err
	}
	r.veil.Flush()
	return r.complete(r.reply(p, req))
}

func (r *reader) whole() error {
	data, err := io.ReadAll(r.in)
	if err != nil {
		return wire.Broken("the answer broke off", err)
	}
	if mended, ok := wire.Mended(data); ok && !json.Valid(data) {
		data = mended
	}
	chunks, rest := wire.Values(data)
	if rest {
		return wire.Broken("the answer broke off", nil)
	}
	for _, c := range chunks {
		if err := r.chunk(c); err != nil {
			return err
		}
	}
	if !r.begun() {
		return wire.Broken("the answer says nothing", nil)
	}
	return nil
}

// begun reports whether the server has said anything that is an answer.
func (r *reader) begun() bool {
	return r.finish != "" || r.blocked != "" || len(r.parts) > 0 || len(r.calls) > 0 || r.text.Len() > 0
}

// stream reads events to their end. The answer is complete if the server has said why it ends, even
// if the connection then broke.
func (r *reader) stream() error {
	events := wire.NewEvents(r.in)
	for {
		data, ok := events.Next()
		if !ok {
			break
		}
		if err := r.event(data); err != nil {
			return err
		}
		if events.Kind() == wire.Failed {
			return r.server.ErrorOf(data)
		}
	}
	if r.finish == "" && r.blocked == "" && !(r.done && r.begun()) {
		if refusal := r.server.ErrorIn(events.Tail()); refusal != nil {
			return refusal
		}
		return wire.Broken("the stream broke off before its end", events.Err())
	}
	return nil
}

// event takes the data of one event. Data that is no JSON object, such as a keep-alive, is nothing.
// Servers that forget the blank line between events make one event of several chunks.
func (r *reader) event(data []byte) error {
	data = bytes.TrimSpace(data)
	if wire.IsDone(data) {
		r.done = true
		return nil
	}
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return nil
	}
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More(); {
		var raw json.RawMessage
		from := dec.InputOffset()
		if err := dec.Decode(&raw); err != nil {
			if mended, ok := wire.Mended(data[from:]); ok {
				return r.event(mended)
			}
			if r.finish != "" {
				return nil
			}
			return wire.Broken("the stream broke off in mid-chunk", nil)
		}
		if err := r.chunk(raw); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) chunk(raw json.RawMessage) error {
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil || wire.Meant(c.Error) {
		if refusal := r.server.ErrorIn(raw); refusal != nil {
			return refusal
		}
		return wire.Broken("the answer holds a chunk that cannot be read", err)
	}
	for _, field := range []string{"candidates", "error"} {
		if len(c.Candidates) > 0 {
			break
		}
		if inner := wire.Inner(raw, field); len(inner) < len(raw) {
			return r.chunk(inner)
		}
	}
	r.model = cmp.Or(string(c.Model), r.model)
	r.usage.raise(c.Usage)
	if c.Feedback.Blocked != "" {
		r.blocked = string(c.Feedback.Blocked)
	}
	for _, raw := range c.Candidates {
		var one candidate
		if err := json.Unmarshal(raw, &one); err != nil {
			return wire.Broken("the answer holds a chunk that cannot be read", err)
		}
		if at := wire.IndexOf(one.Index); at == nil || *at == 0 {
			if err := r.candidate(one); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) candidate(c candidate) error {
	for _, raw := range c.Content.Parts {
		text, err := r.add(raw)
		if err != nil {
			return err
		}
		r.veil.Write(text)
	}
	if reason := c.ends(); reason != "" {
		r.finish = reason
		r.in.Finish()
	}
	return nil
}
