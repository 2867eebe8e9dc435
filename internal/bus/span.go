package bus

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

const (
	maxPendingSpans = 1024
	spanStall       = 2 * time.Second // the server was seen to pause for 200 ms
	flushRounds     = 3
	// spanWait is how long spans of a trace are collected: a trace is to be there within a second.
	spanWait  = 500 * time.Millisecond
	spanBytes = 64 << 10  // of one batch, unless a span alone has more
	maxSpan   = 900 << 10 // bytes: a message of the server has at most 1 MiB
)

// PublishSpan accepts a span of trace, one line of JSON, and returns at once. The spans of a trace within
// spanWait are stored as one message, because a message costs the server the same whatever its size. With
// 1,024 unanswered batches it waits for up to 2 s and then returns an error of kind overloaded. A batch whose
// answer was lost with the connection is sent again by the next call or by Close. A span is lost only if the
// process dies within moments; any other loss is logged.
func (b *Bus) PublishSpan(ctx context.Context, trace string, body []byte) error {
	subj, err := subject("akita.span", trace)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fault("publish a span", err)
	}
	if most := min(maxSpan, int(b.nc.MaxPayload())-spanBytes); len(body) > most || bytes.IndexByte(body, '\n') >= 0 {
		return akitad.Errorf(akitad.InvalidRequest, "publish a span: it has %d bytes, the most are %d on one line", len(body), most)
	}
	b.resendSpans()
	return fault("publish a span", b.collect(subj, body))
}

// spanBatch has the collected spans of one trace.
type spanBatch struct {
	mu    sync.Mutex
	lines []byte
	timer *time.Timer
	gone  bool // sent and removed from the map
}

// collect adds a span to its trace's batch.
func (b *Bus) collect(subj string, body []byte) (err error) {
	for {
		x := b.batch(subj)
		x.mu.Lock()
		if x.gone {
			x.mu.Unlock()
			continue
		}
		defer x.mu.Unlock()
		if len(x.lines) > 0 && len(x.lines)+len(body) >= spanBytes {
			err = b.send(subj, x)
		}
		x.lines = append(append(x.lines, body...), '\n')
		return err
	}
}

func (b *Bus) batch(subj string) *spanBatch {
	b.spanMu.Lock()
	defer b.spanMu.Unlock()
	x := b.spans[subj]
	if x == nil {
		x = &spanBatch{}
		x.mu.Lock() // until its timer is known
		x.timer = time.AfterFunc(spanWait, func() { b.endBatch(subj, x) })
		x.mu.Unlock()
		b.spans[subj] = x
	}
	return x
}

// send sends what a batch holds; its lock is held.
func (b *Bus) send(subj string, x *spanBatch) error {
	if len(x.lines) == 0 {
		return nil
	}
	m := &nats.Msg{Subject: subj, Data: bytes.TrimSuffix(x.lines, []byte("\n")), Header: nats.Header{nats.MsgIdHdr: {nuid.Next()}}}
	x.lines = nil
	return b.sendSpan(m)
}

// endBatch sends a batch and removes it, unless that is done.
func (b *Bus) endBatch(subj string, x *spanBatch) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gone {
		return
	}
	x.timer.Stop()
	x.gone = true
	if err := b.send(subj, x); err != nil {
		b.log.Warn("spans are lost", zap.String("subject", subj), zap.Error(err))
	}
	b.spanMu.Lock()
	defer b.spanMu.Unlock()
	delete(b.spans, subj)
}

// endBatches sends the batch of the given subject, or all batches if it is empty.
func (b *Bus) endBatches(of string) {
	b.spanMu.Lock()
	open := maps.Clone(b.spans)
	b.spanMu.Unlock()
	for subj, x := range open {
		if of == "" || subj == of {
			b.endBatch(subj, x)
		}
	}
}

func (b *Bus) sendSpan(m *nats.Msg) error {
	_, err := b.js.PublishMsgAsync(m, jetstream.WithStallWait(spanStall))
	return err
}

// spanFailed keeps a batch that may be sent again. It must not publish, because the client may hold a lock.
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

// resendSpans sends the batches that failed before and reports whether there were any.
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

// FlushSpans returns when every span that was published so far is stored, or with an error after three tries.
func (b *Bus) FlushSpans(ctx context.Context) error {
	b.endBatches("")
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

// ReadSpans calls fn with the stored spans of trace, including all that this process has published, in the
// order of their publication. An error of fn ends the read and is returned.
func (b *Bus) ReadSpans(ctx context.Context, trace string, fn func(body []byte) error) error {
	subj, err := subject("akita.span", trace)
	if err != nil {
		return err
	}
	if err := b.stored(ctx, subj); err != nil {
		return err
	}
	return b.read(ctx, Spans, subj, 1, func(s Stored) error {
		for line := range bytes.SplitSeq(s.Body, []byte("\n")) {
			if err := fn(line); err != nil {
				return err
			}
		}
		return nil
	})
}

// stored waits until the spans that this process has published of a trace are stored, for as long as a pause
// of the server may take.
func (b *Bus) stored(ctx context.Context, subj string) error {
	b.spanMu.Lock()
	_, open := b.spans[subj]
	b.spanMu.Unlock()
	if !open {
		return nil
	}
	b.endBatches(subj)
	timer := time.NewTimer(spanStall)
	defer timer.Stop()
	select {
	case <-b.js.PublishAsyncComplete():
	case <-timer.C:
	case <-ctx.Done():
		return fault("read spans", ctx.Err())
	}
	return nil
}
