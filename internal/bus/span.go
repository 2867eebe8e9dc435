package bus

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

const (
	maxPendingSpans = 1024
	spanStall       = 2 * time.Second // pauses of the server of 200 ms do occur
)

// PublishSpan stores a span of trace without waiting for it. With 1,024 of them unanswered it
// waits up to 2 s for room and then gives up as overloaded. Close flushes; a span is lost only if
// the process dies within moments.
func (b *Bus) PublishSpan(ctx context.Context, trace string, body []byte) error {
	subj, err := subject("akita.span", trace)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fault("publish a span", err)
	}
	_, err = b.js.PublishMsgAsync(&nats.Msg{Subject: subj, Data: body}, jetstream.WithStallWait(spanStall))
	return fault("publish a span", err)
}

func (b *Bus) spanLost(_ jetstream.JetStream, m *nats.Msg, err error) {
	b.log.Warn("span is lost", zap.String("subject", m.Subject), zap.Error(err))
}

// FlushSpans returns when every span published so far is stored or known to be lost.
func (b *Bus) FlushSpans(ctx context.Context) error {
	if b.js == nil {
		return nil
	}
	select {
	case <-b.js.PublishAsyncComplete():
		return nil
	case <-ctx.Done():
		return fault("flush spans", ctx.Err())
	}
}

// ReadSpans calls fn with the stored spans of trace in the order they were published. An error of
// fn ends the read and comes back.
func (b *Bus) ReadSpans(ctx context.Context, trace string, fn func(body []byte) error) error {
	subj, err := subject("akita.span", trace)
	if err != nil {
		return err
	}
	return b.read(ctx, Spans, subj, 1, func(s Stored) error { return fn(s.Body) })
}
