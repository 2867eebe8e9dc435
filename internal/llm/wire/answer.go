package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/pattern"
)

// maxAnswer is by default the bound of an answer in bytes, whole or in chunks: a server that never ends
// one must not fill the memory. The longest answers there are, sent token by token, stay far below.
const maxAnswer = 64 << 20

// Answer is the body of an answer, from its first byte on that is no blank.
type Answer struct {
	*bufio.Reader
	Whole bool // it is JSON, whatever was asked for; else it is a stream of events

	watch *llm.Watch
}

// Finish says that all that matters has come: the rest of the answer gets a short while only.
func (a *Answer) Finish() { a.watch.Finish() }

// open takes the answer in the form in which it comes: whatever was asked for, some servers do not
// stream, and some proxies answer with a web page.
func (s *Server) open(resp *http.Response, watch *llm.Watch) (*Answer, error) {
	from := bufio.NewReader(&bounded{watch.Body(resp.Body), s.opts.MaxAnswer, s.opts.MaxAnswer})
	switch first, err := firstByte(from); {
	case err != nil:
		return nil, Broken("the server sent an empty answer", err)
	case first == '<':
		return nil, akitad.Errorf(akitad.Unavailable, "what answers is no model server: it sent a web page%s", titleOf(from)).
			WithHint("check base_url, also for a proxy or a login page in between: it should look like " + s.opts.Example)
	default:
		return &Answer{Reader: from, Whole: first == '{' || first == '[', watch: watch}, nil
	}
}

var title = pattern.New(`(?is)<title[^>]*>(.{1,100}?)</title>`)

// titleOf gives the title of a page in quotes, as far as it has come.
func titleOf(r *bufio.Reader) string {
	start, _ := r.Peek(min(max(r.Buffered(), 1), 4<<10))
	m := title.FindStringSubmatch(string(start))
	if m == nil {
		return ""
	}
	return fmt.Sprintf(" (%q)", strings.Join(strings.Fields(m[1]), " "))
}

// firstByte skips blanks and a byte order mark and gives what comes next, without taking it.
func firstByte(r *bufio.Reader) (byte, error) {
	if start, err := r.Peek(len(mark)); err == nil && bytes.Equal(start, mark) {
		_, _ = r.Discard(3)
	}
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if !bytes.ContainsRune([]byte(" \t\r\n\x00"), rune(b)) {
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

// Broken is the error of an answer that is not as it should be; one that has a kind of its own keeps it.
func Broken(what string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return akitad.Errorf(akitad.Transport, "%s", what)
	}
	if known, ok := errors.AsType[*akitad.Error](err); ok {
		return known
	}
	return akitad.Errorf(akitad.Transport, "%s: %w", what, err)
}

// What may still come after an answer, and for how long it is waited for.
const (
	maxTail  = 64 << 10 // bytes
	tailTime = 100 * time.Millisecond
)

// drain reads the rest of a body whose answer is known: a connection serves the next call only if its
// body was read to the end, which often comes a little after the last word. A server that does not end
// it costs a little time and the connection.
func drain(body io.Reader, watch *llm.Watch) {
	watch.Drain(tailTime)
	_, _ = io.CopyN(io.Discard, body, maxTail)
}
