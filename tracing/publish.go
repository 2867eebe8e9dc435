package tracing

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// openAfter is how long a span stays open before it is published as open. Most end sooner and then
// cost one record in place of two; a person who looks at a running task sees what lasts.
const openAfter = 200 * time.Millisecond

// publisher hands the SDK's spans to the sink: those that last once while they are open, all when
// they end.
type publisher struct {
	t      *Tracer
	timers sync.Map // trace.SpanID -> *time.Timer, of spans that are open and not published yet
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

// OnEnd implements sdktrace.SpanProcessor. A record of the open span may still be on its way: an end
// wins over it in whatever order they are stored.
func (p *publisher) OnEnd(s sdktrace.ReadOnlySpan) {
	p.forget(s.SpanContext().SpanID())
	p.t.publish(context.Background(), record(s))
}

func (p *publisher) forget(id trace.SpanID) {
	if timer, waits := p.timers.LoadAndDelete(id); waits {
		timer.(*time.Timer).Stop()
	}
}

// Shutdown implements sdktrace.SpanProcessor: spans that are still open are not published any more.
func (p *publisher) Shutdown(context.Context) error {
	p.closed.Store(true)
	p.timers.Range(func(id, _ any) bool {
		p.forget(id.(trace.SpanID))
		return true
	})
	return nil
}

// ForceFlush implements sdktrace.SpanProcessor; nothing is held back that has ended.
func (*publisher) ForceFlush(context.Context) error { return nil }
