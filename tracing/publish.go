package tracing

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// openAfter is how long a span is open before it is published as open. Most spans end sooner and need only one
// record; a person who looks at a running task sees the longer ones.
const openAfter = 200 * time.Millisecond

// publisher passes the SDK's spans to the sink: every span when it ends, and a longer one also while it is
// open.
type publisher struct {
	t      *Tracer
	timers sync.Map // trace.SpanID -> *time.Timer, for open spans that are not published yet
	closed atomic.Bool
}

// OnStart implements sdktrace.SpanProcessor.
func (p *publisher) OnStart(_ context.Context, s sdktrace.ReadWriteSpan) {
	if p.t.sink == nil {
		return
	}
	id := s.SpanContext().SpanID()
	p.timers.Store(id, time.AfterFunc(openAfter, func() {
		if _, waits := p.timers.LoadAndDelete(id); waits && !p.closed.Load() {
			p.t.publish(context.Background(), record(s))
		}
	}))
}

// OnEnd implements sdktrace.SpanProcessor. If the record of the open span is stored later, Merge still
// prefers the end.
func (p *publisher) OnEnd(s sdktrace.ReadOnlySpan) {
	p.forget(s.SpanContext().SpanID())
	p.t.publish(context.Background(), record(s))
}

func (p *publisher) forget(id trace.SpanID) {
	if timer, waits := p.timers.LoadAndDelete(id); waits {
		timer.(*time.Timer).Stop()
	}
}

// Shutdown implements sdktrace.SpanProcessor. Spans that are still open are not published after it.
func (p *publisher) Shutdown(context.Context) error {
	p.closed.Store(true)
	p.timers.Range(func(id, _ any) bool {
		p.forget(id.(trace.SpanID))
		return true
	})
	return nil
}

// ForceFlush implements sdktrace.SpanProcessor. It does nothing, because no ended span is held back.
func (*publisher) ForceFlush(context.Context) error { return nil }
