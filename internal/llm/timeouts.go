package llm

import (
	"context"
	"io"
	"net/http/httptrace"
	"sync"
	"time"

	"github.com/akitad/akitad"
)

// Timeouts bound the phases of one model call over HTTP, so that a server which says nothing is
// found out before a person gives up. Zero fields mean the default.
type Timeouts struct {
	Connect   time.Duration // until there is a connection, name lookup and TLS included; default 10 s
	FirstByte time.Duration // streaming: until the first byte of the answer's body; default 30 s
	Idle      time.Duration // streaming: between two pieces; default 60 s
	Whole     time.Duration // not streaming: from the request to the end; default 120 s
}

func (t Timeouts) withDefaults() Timeouts {
	for _, d := range []struct {
		field *time.Duration
		def   time.Duration
	}{{&t.Connect, 10 * time.Second}, {&t.FirstByte, 30 * time.Second}, {&t.Idle, 60 * time.Second}, {&t.Whole, 120 * time.Second}} {
		if *d.field <= 0 {
			*d.field = d.def
		}
	}
	return t
}

// Watch cancels a call that is silent for too long. Its context is the one to make the request
// with; the context's cause is then an *akitad.Error of kind timeout that names the phase.
type Watch struct {
	limits    Timeouts
	streaming bool
	start     time.Time
	cancel    context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer
	phase phase
	limit time.Duration
	first time.Duration
}

// Watch starts the clock for a call that is about to be made. The caller must Stop it.
func (t Timeouts) Watch(ctx context.Context, streaming bool) (context.Context, *Watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &Watch{limits: t.withDefaults(), streaming: streaming, start: time.Now(), cancel: cancel}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(w.limits.Connect, w.expire)
	w.phase, w.limit = phase{"no connection", "see whether base_url is right and the server up; if the way is long, raise connect"}, w.limits.Connect
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { w.connected() },
	}), w
}

// A phase of a call is what is missing when its time is over, and what an owner may do.
type phase struct{ lacks, hint string }

const slowHint = "the server does not answer in time; if its model only needs longer, raise "

func (w *Watch) connected() {
	if w.streaming {
		w.enter(phase{"no answer", slowHint + "first_byte"}, w.limits.FirstByte)
		return
	}
	w.enter(phase{"no complete answer", slowHint + "whole"}, w.limits.Whole)
}

// enter begins a phase and its limit.
func (w *Watch) enter(p phase, limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.phase, w.limit = p, limit
	w.timer.Reset(limit)
}

func (w *Watch) expire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := akitad.Errorf(akitad.Timeout, "%s within %v", w.phase.lacks, w.limit)
	if w.phase.hint != "" {
		err = err.WithHint(w.phase.hint + " of this endpoint")
	}
	w.cancel(err)
}

// Body gives rc with every piece that is read restarting the idle clock of a streaming call.
func (w *Watch) Body(rc io.Reader) io.Reader { return &watchedBody{rc, w} }

type watchedBody struct {
	from io.Reader
	w    *Watch
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if n > 0 {
		b.w.read()
	}
	return n, err
}

func (w *Watch) read() {
	w.mu.Lock()
	if w.first == 0 {
		w.first = time.Since(w.start)
	}
	w.mu.Unlock()
	if w.streaming {
		w.enter(phase{"the stream was silent: nothing", slowHint + "idle"}, w.limits.Idle)
	}
}

// finishGrace is how long the end of a stream may take once the reason for the end is known.
const finishGrace = 5 * time.Second

// Finish gives the call a short while more: all that matters has come, and only the end is missing.
func (w *Watch) Finish() {
	w.enter(phase{lacks: "no end of the stream"}, min(finishGrace, w.limits.Idle))
}

// Drain gives what may follow a complete answer its time.
func (w *Watch) Drain(limit time.Duration) { w.enter(phase{lacks: "no end of the answer"}, limit) }

// FirstByte gives the time from the start to the first byte of the body; 0 if there was none.
func (w *Watch) FirstByte() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.first
}

// Stop ends the watch and the call's context.
func (w *Watch) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	w.cancel(nil)
}
