package channeltest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	fakeSecret = "fake-secret-token"
	// fakeLimit is the longest text of one message, in bytes.
	fakeLimit   = 2000
	fakeTimeout = 30 * time.Second // of one request
	fakeMark    = "(again) "
)

var errNotRunning = errors.New("the fake does not run")

// fakeChannel is a channel of a Fake.
type fakeChannel struct {
	f    *Fake
	open Open

	mu     sync.Mutex
	paused map[string]time.Time // chats that are to be left alone
	health error
}

func (c *fakeChannel) Name() string { return c.f.name }

func (c *fakeChannel) Health() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.health
}

func (c *fakeChannel) setHealth(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.health = err
}

// Run hands over what people write, each until it is taken.
func (c *fakeChannel) Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error {
	defer c.setHealth(errNotRunning)
	for ctx.Err() == nil {
		event, changed, deaf := c.f.deliver()
		switch {
		case deaf:
			c.setHealth(&fakeError{kind: akitad.Transport})
			sleep.For(ctx, 20*time.Millisecond)
		case event == nil:
			c.setHealth(nil)
			select {
			case <-changed:
			case <-ctx.Done():
			}
		case receive(ctx, *event) == nil:
			c.setHealth(nil)
			c.f.confirm()
		default:
			sleep.For(ctx, 10*time.Millisecond)
		}
	}
	return nil
}

// deliver returns the oldest event that was not taken, nil if there is none.
func (f *Fake) deliver() (event *akitad.Message, changed <-chan struct{}, deaf bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.strike("", func(k FaultKind) bool { return k == Deaf }).Kind == Deaf {
		return nil, nil, true
	}
	if f.taken < len(f.events) {
		event = &f.events[f.taken]
	}
	return event, f.Changed(), false
}

func (f *Fake) confirm() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.taken++
}

func (c *fakeChannel) Placeholder(ctx context.Context, to akitad.Origin, text, _ string) (string, error) {
	return c.insist(ctx, to.Chat, Message{Text: text, ReplyTo: to.Message, Thread: to.Thread, Silent: true}, nil)
}

func (c *fakeChannel) Progress(ctx context.Context, to akitad.Origin, message, text string) error {
	if c.quiet(to.Chat) > 0 {
		return nil
	}
	_, err := c.try(ctx, to.Chat, Message{ID: message, Text: text}, true, nil)
	if c.limited(to.Chat, err) {
		return nil
	}
	return fakeFail("progress", err)
}

// Final sends the parts of a text, and then its files.
func (c *fakeChannel) Final(ctx context.Context, d akitad.Delivery) (ids []string, err error) {
	parts := c.parts(d)
	for i := max(d.From, 0); i < len(parts); i++ {
		if d.Before != nil {
			if err := d.Before(ctx, i); err != nil {
				return ids, fmt.Errorf("before part %d: %w", i, err)
			}
		}
		id, err := c.part(ctx, d, parts[i], i == d.From && d.Repeat)
		if err != nil {
			return ids, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// fakePart is one message of a delivery.
type fakePart struct {
	Message
	choices []akitad.Choice
	file    *akitad.File
}

func (c *fakeChannel) parts(d akitad.Delivery) (out []fakePart) {
	to := d.Reply.Origin
	for _, text := range cut(d.Reply.Text) {
		out = append(out, fakePart{Message: Message{Text: text, Thread: to.Thread, Silent: true}})
	}
	out[0].ID, out[0].Silent, out[0].ReplyTo = d.Message, false, to.Message
	out[len(out)-1].choices = d.Choices
	for _, f := range d.Reply.Files {
		out = append(out, fakePart{Message: Message{Thread: to.Thread, Silent: true}, file: &f})
	}
	if d.Notify != "" {
		out = append(out, fakePart{Message: Message{Text: d.Notify, Thread: to.Thread, ReplyTo: to.Message}})
	}
	return out
}

// cut cuts a text into messages, at the ends of lines where that is possible.
func cut(text string) (out []string) {
	for len(text) > fakeLimit {
		at := strings.LastIndexByte(text[:fakeLimit], '\n') + 1
		if at == 0 {
			at = fakeLimit
		}
		out = append(out, text[:at])
		text = text[at:]
	}
	return append(out, cmp.Or(text, "…"))
}

func (c *fakeChannel) part(ctx context.Context, d akitad.Delivery, p fakePart, repeat bool) (string, error) {
	if p.file != nil {
		body, err := c.open(ctx, *p.file)
		if err != nil {
			return "", fakeFail("open", err)
		}
		defer body.Close()
		bytes, err := io.ReadAll(body)
		if err != nil {
			return "", fakeFail("open", err)
		}
		p.File = &File{Name: p.file.Name, Bytes: bytes}
	}
	if repeat && p.ID == "" {
		p.Text = fakeMark + p.Text
	}
	return c.insist(ctx, d.Reply.Origin.Chat, p.Message, p.choices)
}

// insist makes a request and waits limits out. Refused markup is left out, once; an edit is repeated.
func (c *fakeChannel) insist(ctx context.Context, chat string, m Message, choices []akitad.Choice) (string, error) {
	for formatted, tries := true, 0; ; {
		sleep.For(ctx, c.quiet(chat))
		id, err := c.try(ctx, chat, m, formatted, choices)
		refused, ours := errors.AsType[*fakeError](err)
		switch {
		case ctx.Err() != nil:
		case c.limited(chat, err):
			continue
		case ours && refused.markup && formatted:
			formatted = false
			continue
		case err != nil && m.ID != "" && akitad.KindOf(fakeFail("", err)).Temporary() && tries < 3:
			tries++
			continue
		}
		return id, fakeFail("send", err)
	}
}

// try makes one request.
func (c *fakeChannel) try(ctx context.Context, chat string, m Message, formatted bool, choices []akitad.Choice) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, fakeTimeout)
	defer cancel()
	m.Text = strings.NewReplacer("**", "", "`", "").Replace(m.Text)
	return c.f.put(ctx, chat, m, formatted, choices)
}

// quiet says how long a chat is still to be left alone.
func (c *fakeChannel) quiet(chat string) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, time.Until(c.paused[chat]))
}

func (c *fakeChannel) limited(chat string, err error) bool {
	e, ok := errors.AsType[*fakeError](err)
	if !ok || e.kind != akitad.RateLimited {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paused[chat] = time.Now().Add(e.wait)
	return true
}

func fakeFail(op string, err error) error {
	e, ok := errors.AsType[*fakeError](err)
	switch {
	case err == nil:
		return nil
	case ok:
		return &akitad.Error{Kind: e.kind, Op: "fake " + op, Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &akitad.Error{Kind: akitad.Timeout, Op: "fake " + op, Err: err}
	case errors.Is(err, context.Canceled):
		return &akitad.Error{Kind: akitad.Cancelled, Op: "fake " + op, Err: err}
	}
	return err
}

func (c *fakeChannel) Typing(_ context.Context, to akitad.Origin) error {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	c.f.typing[to.Chat]++
	return nil
}

func (c *fakeChannel) Receipt(context.Context, akitad.Origin) error { return nil }

func (c *fakeChannel) Fetch(_ context.Context, _ akitad.Origin, file akitad.File) (io.ReadCloser, error) {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	f, ok := c.f.remote[file.Remote]
	if !ok {
		return nil, akitad.Errorf(akitad.NotFound, "no file %q", file.Remote)
	}
	return io.NopCloser(bytes.NewReader(f.Bytes)), nil
}

// Pressed takes the buttons off the message.
func (c *fakeChannel) Pressed(ctx context.Context, to akitad.Origin, p akitad.Press, _, settled string) error {
	if settled == "" {
		return nil
	}
	_, err := c.insist(ctx, to.Chat, Message{ID: p.Message, Text: settled}, nil)
	return err
}
