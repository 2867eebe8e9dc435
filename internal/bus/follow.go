package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

const followBatch = 1000 // messages that the server sends ahead to an ordered reader

// ScanTasks calls fn with every event that matches one of filters, from sequence from on and in order, up to
// the end of the stream at the time of the call. It is the fast way to read many tasks. An error of fn ends
// the scan and is returned.
func (b *Bus) ScanTasks(ctx context.Context, filters []string, from uint64, fn func(Stored) error) error {
	var end uint64
	err := b.insist(ctx, answerWait, func(ctx context.Context) error {
		s, err := b.js.Stream(ctx, Tasks)
		if err == nil {
			end = s.CachedInfo().State.LastSeq
		}
		return err
	})
	if err != nil {
		return fault("scan tasks", err)
	}
	if end == 0 || from > end {
		return nil
	}
	f := &follower{b: b, filters: filters, next: max(from, 1), end: end, fn: fn}
	return f.run(ctx)
}

// FollowTasks calls fn with every event that matches one of filters, from sequence from on and in order:
// first the stored ones, then each new one. It returns nil when ctx ends, or an error of fn. After a lost
// connection it continues without a gap or a repetition.
func (b *Bus) FollowTasks(ctx context.Context, filters []string, from uint64, fn func(Stored) error) error {
	f := &follower{b: b, filters: filters, next: max(from, 1), fn: fn}
	err := f.run(ctx)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// follower reads a stream in order, through one ordered consumer after another.
type follower struct {
	b       *Bus
	filters []string
	next    uint64 // the first sequence not yet handed to fn
	end     uint64 // where to stop; 0 means never
	fn      func(Stored) error

	delivered uint64 // messages that the current consumer has sent
}

func (f *follower) run(ctx context.Context) error {
	for _, filter := range f.filters {
		if err := checkFilter("akita.task", filter); err != nil {
			return err
		}
	}
	var pause pauses
	for {
		before := f.next
		err := f.once(ctx)
		if done, err := f.verdict(ctx, err); done {
			return err
		}
		if f.next != before {
			pause = pauses{}
		}
		f.b.log.Debug("ordered reader starts again", zap.Uint64("from", f.next), zap.Error(err))
		if err := pause.wait(ctx); err != nil {
			return err
		}
	}
}

// verdict decides whether reading is over, and with which error.
func (f *follower) verdict(ctx context.Context, err error) (done bool, _ error) {
	if e, ok := errors.AsType[*readerError](err); ok {
		return true, e.err
	}
	switch {
	case errors.Is(err, errStop):
		return true, nil
	case ctx.Err() != nil:
		return true, ctx.Err()
	case errors.Is(err, nats.ErrConnectionClosed), akitad.KindOf(err) == akitad.InvalidRequest:
		return true, fault("read tasks in order", err)
	}
	return false, nil
}

// once reads through one consumer until it breaks, ctx ends, fn fails, or the end is reached (errStop). The
// next consumer starts at f.next, so the consumer's own state is not needed.
func (f *follower) once(ctx context.Context) error {
	var cons jetstream.Consumer
	err := f.b.try(ctx, answerWait, func(ctx context.Context) (err error) {
		cons, err = f.b.js.CreateConsumer(ctx, Tasks, jetstream.ConsumerConfig{
			FilterSubjects: f.filters, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: f.next,
			AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute,
		})
		return err
	})
	if err != nil {
		return fault("read tasks in order", err)
	}
	defer f.drop(ctx, cons.CachedInfo().Name)
	if f.end > 0 && cons.CachedInfo().NumPending == 0 {
		return errStop
	}
	f.delivered = 0
	p := pump{b: f.b, cons: cons, batch: followBatch, ordered: true, fn: f.handle}
	return p.run(ctx)
}

// drop deletes the consumer at once: the server allows 1,000 per stream and would keep it for a minute.
func (f *follower) drop(ctx context.Context, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := f.b.js.DeleteConsumer(ctx, Tasks, name); err != nil {
		f.b.log.Debug("ordered consumer is left to time out", zap.Error(err))
	}
}

func (f *follower) handle(m jetstream.Msg) error {
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	f.delivered++
	if meta.Sequence.Consumer != f.delivered {
		return errGap
	}
	seq := meta.Sequence.Stream
	if f.end > 0 && seq > f.end {
		return errStop
	}
	err = f.fn(Stored{Seq: seq, Subject: m.Subject(), Time: meta.Timestamp, Body: m.Data(), ID: m.Headers().Get(jetstream.MsgIDHeader)})
	if err != nil {
		return &readerError{err}
	}
	f.next = seq + 1
	if f.end > 0 && (seq == f.end || meta.NumPending == 0) {
		return errStop
	}
	return nil
}

var (
	errGap  = errors.New("a message is missing")
	errStop = errors.New("the end is reached")
)

// readerError marks an error of fn, to tell it from one of the connection.
type readerError struct{ err error }

func (e *readerError) Error() string { return e.err.Error() }
func (e *readerError) Unwrap() error { return e.err }
