package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// maxAnswer is by default the bound of an answer in bytes, whole or in chunks: a server that never ends
// one must not fill the memory. The longest answers there are, sent token by token, stay far below.
const maxAnswer = 64 << 20

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

// read takes the answer in the form in which it comes: whatever was asked for, some servers do not
// stream, and some proxies answer with a web page.
func (p *Provider) read(req llm.Request, resp *http.Response, watch *llm.Watch) (llm.Reply, error) {
	from := bufio.NewReader(&bounded{watch.Body(resp.Body), p.opts.MaxAnswer, p.opts.MaxAnswer})
	switch first, err := firstByte(from); {
	case err != nil:
		return llm.Reply{}, broken("the server sent an empty answer", err)
	case first == '{' || first == '[':
		return p.readWhole(req, from)
	case first == '<':
		return llm.Reply{}, akitad.Errorf(akitad.Unavailable, "the server answered with a web page").
			WithHint("check base_url: it ends in the version, as in https://api.openai.com/v1")
	}
	return p.readStream(req, from, watch)
}

// firstByte skips blanks and a byte order mark and gives what comes next, without taking it.
func firstByte(r *bufio.Reader) (byte, error) {
	if mark, err := r.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = r.Discard(3)
	}
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if !bytes.ContainsRune([]byte(" \t\r\n"), rune(b)) {
			return b, r.UnreadByte()
		}
	}
}

// bounded gives what comes from a reader, and an error of kind unavailable past the last byte allowed.
type bounded struct {
	from        io.Reader
	left, limit int
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if len(p) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.from.Read(p)
	if n > b.left {
		n, err = b.left, akitad.Errorf(akitad.Unavailable, "the answer is longer than %d MiB", b.limit>>20).
			WithHint("the server repeats itself without end, or base_url is not that of a model")
	}
	b.left -= n
	return n, err
}

// broken is the error of an answer that is not as it should be; one that has a kind of its own keeps it.
func broken(what string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return akitad.Errorf(akitad.Transport, "%s", what)
	}
	if known, ok := errors.AsType[*akitad.Error](err); ok {
		return known
	}
	return akitad.Errorf(akitad.Transport, "%s: %w", what, err)
}

func (p *Provider) readWhole(req llm.Request, from io.Reader) (llm.Reply, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return llm.Reply{}, broken("the answer broke off", err)
	}
	var in reply
	if err := json.Unmarshal(data, &in); err != nil || meant(in.Error) || len(in.Choices) == 0 {
		if refusal := p.errorIn(data); refusal != nil {
			return llm.Reply{}, refusal
		}
		return llm.Reply{}, broken("the answer is not a chat completion", err)
	}
	var m part
	if err := json.Unmarshal(in.Choices[0].Message, &m); err != nil {
		return llm.Reply{}, broken("the answer holds no message", err)
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

// meant reports whether an error field holds one: some servers always send it, empty.
func meant(field any) bool {
	switch f := field.(type) {
	case nil:
		return false
	case string:
		return f != ""
	case bool:
		return f
	case map[string]any:
		return len(f) > 0
	}
	return true
}

// A stream is an answer that comes in chunks.
type stream struct {
	answer *answer
	veil   *llm.Veil
	watch  *llm.Watch
	finish string
	done   bool // [DONE] was seen
	model  string
	usage  *usage
}

func (p *Provider) readStream(req llm.Request, from io.Reader, watch *llm.Watch) (llm.Reply, error) {
	events := newEvents(from)
	s := &stream{answer: &answer{names: llm.NamesOf(req.Tools)}, watch: watch}
	s.veil = llm.NewVeil(req.OnText, s.answer.names)
	s.answer.Role = "assistant"
	for !s.done {
		data, ok := events.next()
		if !ok {
			break
		}
		if err := s.event(p, data); err != nil {
			return llm.Reply{}, err
		}
	}
	if err := s.end(events.err()); err != nil {
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
			return broken("the stream broke off in mid-chunk", nil)
		}
		if err := s.chunk(p, raw); err != nil {
			return err
		}
	}
	return nil
}

func (s *stream) chunk(p *Provider, raw json.RawMessage) error {
	var in reply
	if err := json.Unmarshal(raw, &in); err != nil || meant(in.Error) {
		if refusal := p.errorIn(raw); refusal != nil {
			return refusal
		}
		return broken("the stream holds a chunk that cannot be read", err)
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
			s.watch.Finish()
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
		return broken("the stream broke off before its end", err)
	}
	for _, args := range s.answer.args {
		if text := strings.TrimSpace(args.String()); text != "" && !json.Valid([]byte(text)) {
			return broken("the stream ended in the middle of a tool call", nil)
		}
	}
	return nil
}
