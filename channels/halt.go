package channels

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// halts are the messages whose files are being fetched, or written down, or whose album is not whole yet, one
// for a session at most. No task is made of them yet that could be stopped.
type halts struct {
	mu sync.Mutex
	on map[akitad.SessionKey]*halt
}

type halt struct {
	message akitad.Message
	cancel  context.CancelFunc
	halted  bool
}

func newHalts() *halts { return &halts{on: map[akitad.SessionKey]*halt{}} }

// begin gives a context that ends when the message is stopped.
func (h *halts) begin(ctx context.Context, m akitad.Message) (context.Context, *halt) {
	ctx, cancel := context.WithCancel(ctx)
	this := &halt{message: m, cancel: cancel}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.on[m.Session] = this
	return ctx, this
}

// end reports whether the message was stopped; from then on it cannot be.
func (h *halts) end(this *halt) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	this.cancel()
	if h.on[this.message.Session] == this {
		delete(h.on, this.message.Session)
	}
	return this.halted
}

// stop ends what is on its way in the session of by, the message that asks for it: only its sender and an
// owner may.
func (h *halts) stop(by akitad.Message) (akitad.Message, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	this := h.on[by.Session]
	if this == nil || this.halted || !by.Origin.Owner && this.message.Origin.Sender != by.Origin.Sender {
		return akitad.Message{}, false
	}
	this.halted = true
	this.cancel()
	return this.message, true
}

// stopEarly serves the wish to stop what runs where no task runs yet, but a message's files are on their
// way. False leaves it to the commands.
func (d *desk) stopEarly(ctx context.Context, m akitad.Message) (done bool, err error) {
	if d.opts.Commands == nil || d.opts.Running == nil || len(strings.Fields(m.Text)) != 1 {
		return false, nil
	}
	if again, err := d.served.has(ctx, m.Task); again || err != nil {
		return again, err
	}
	if _, busy, err := d.opts.Running(ctx, m.Session); busy || err != nil {
		return false, err
	}
	ended, ok := d.halts.stop(m)
	if !ok {
		return false, nil
	}
	if err := d.served.add(ctx, m.Task); err != nil {
		d.log.Warn("a command that was served is not noted", zap.String("message", m.ID), zap.Error(err))
	}
	asked := strings.TrimSpace(ended.Text)
	if len(ended.Files) > 0 {
		asked = cmp.Or(asked, ended.Files[0].Name)
	}
	return true, d.say(ctx, m, text.Lang(ended.Origin.Lang).Stopping(string(ended.Task), asked, 0))
}

// gather waits until a parcel is whole. An album can be stopped meanwhile; it is waited for all the same, so
// that none of its parts becomes a message by itself.
func (d *desk) gather(ctx context.Context, p *parcel) (whole, stopped bool) {
	begun := join(p.all())
	if p.key == "" || begun.Message.Origin.Group && !begun.Addressed {
		return d.albums.wait(ctx, p), false
	}
	_, halting := d.halts.begin(ctx, begun.Message)
	whole = d.albums.wait(ctx, p)
	return whole, d.halts.end(halting)
}
