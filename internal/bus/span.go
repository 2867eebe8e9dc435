package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"go.uber.org/zap"
)

const (
	maxPendingSpans = 1024
	spanStall       = 2 * time.Second // pauses of the server of 200 ms do occur
	flushRounds     = 3
)

// PublishSpan stores a span of trace without waiting for it. With 1,024 of them unanswered it
// waits up to 2 s for room and then gives up as overloaded. Spans whose answer was lost with the
// connection are sent again by the next call, or by Close, which flushes; a span is lost only if
// the process dies within moments, and otherwise with a line in the log.
func (b *Bus) PublishSpan(ctx context.Context, trace string, body []byte) error {
	subj, err := subject("akita.span", trace)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fault("publish a span", err)
	}
	b.resendSpans()
	m := &nats.Msg{Subject: subj, Data: body, Header: nats.Header{nats.MsgIdHdr: {nuid.Next()}}}
	return fault("publish a span", b.sendSpan(m))
}

func (b *Bus) sendSpan(m *nats.Msg) error {
	_, err := b.js.PublishMsgAsync(m, jetstream.WithStallWait(spanStall))
	return err
}

// spanFailed keeps a span that may be sent again. It must not publish: the client may hold a lock.
func (b *Bus) spanFailed(_ jetstream.JetStream, m *nats.Msg, err error) {
	if passing(err) || errors.Is(err, jetstream.ErrAsyncPublishTimeout) {
		select {
		case b.unsent <- m:
			return
		default:
		}
	}
	b.log.Warn("span is lost", zap.String("subject", m.Subject), zap.Error(err))
}

// resendSpans sends what failed before and tells whether there was anything.
func (b *Bus) resendSpans() (any bool) {
	for range len(b.unsent) {
		select {
		case m := <-b.unsent:
			any = true
			if err := b.sendSpan(m); err != nil {
				b.log.Warn("span is lost", zap.String("subject", m.Subject), zap.Error(err))
			}
		default:
		}
	}
	return any
}

// FlushSpans returns when every span published so far is stored, or three tries have failed.
func (b *Bus) FlushSpans(ctx context.Context) error {
	for range flushRounds {
		select {
		case <-b.js.PublishAsyncComplete():
		case <-ctx.Done():
			return fault("flush spans", ctx.Err())
		}
		if !b.resendSpans() {
			return nil
		}
	}
	return nil
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
