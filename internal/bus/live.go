package bus

import (
	"context"
	"errors"
	"strconv"

	"github.com/nats-io/nats.go"
)

// A listener that falls behind by this much loses messages; the loss is logged.
const (
	liveMessages = 4096
	liveBytes    = 8 << 20
)

// Live sends something that may be lost (partial text, progress) to whoever listens for id now.
func (b *Bus) Live(id string, body []byte) error {
	subj, err := subject("akita.live", id)
	if err != nil {
		return err
	}
	return fault("send live", b.nc.Publish(subj, body))
}

// OnLive calls fn with everything that Live sends for id from now on, one at a time, until stop is
// called or ctx ends. A slow fn loses messages.
func (b *Bus) OnLive(ctx context.Context, id string, fn func([]byte)) (stop func(), err error) {
	unlisten, err := b.listen("akita.live", id, func(m *nats.Msg) { fn(m.Data) })
	if err != nil {
		return nil, err
	}
	release := context.AfterFunc(ctx, unlisten)
	return func() { release(); unlisten() }, nil
}

// Nudge tells listeners that there may be something new in the journal of id. Every stored event
// does so by itself; this is for what is not an event.
func (b *Bus) Nudge(id string) error {
	subj, err := subject("akita.ctl", id)
	if err != nil {
		return err
	}
	return fault("nudge", b.nc.Publish(subj, nil))
}

// OnNudge calls fn after each event of id was stored, with its sequence, and for each Nudge, with
// 0. Nudges may be lost: a listener also looks by itself now and then.
func (b *Bus) OnNudge(id string, fn func(seq uint64)) (stop func(), err error) {
	return b.listen("akita.ctl", id, func(m *nats.Msg) {
		seq, _ := strconv.ParseUint(m.Header.Get("Nats-Sequence"), 10, 64)
		fn(seq)
	})
}

// OnEvent calls fn with each event of id after it was stored, and with a Stored of sequence 0 for each
// Nudge. What it gives may have gaps: a listener looks at the sequences, and by itself now and then.
func (b *Bus) OnEvent(id string, fn func(Stored)) (stop func(), err error) {
	return b.listen("akita.ctl", id, func(m *nats.Msg) {
		s, err := stored(m)
		if err != nil {
			s = Stored{} // a bare nudge
		}
		fn(s)
	})
}

// listen subscribes and returns once the server knows.
func (b *Bus) listen(prefix, id string, fn nats.MsgHandler) (stop func(), err error) {
	subj, err := subject(prefix, id)
	if err != nil {
		return nil, err
	}
	return b.subscribe(subj, fn)
}

func (b *Bus) subscribe(subj string, fn nats.MsgHandler) (stop func(), err error) {
	sub, err := b.nc.Subscribe(subj, fn)
	if err != nil {
		return nil, fault("listen on "+subj, err)
	}
	stop = func() { _ = sub.Unsubscribe() } // only fails when it is gone already
	if err := sub.SetPendingLimits(liveMessages, liveBytes); err != nil {
		stop()
		return nil, fault("listen on "+subj, err)
	}
	// A connection that is lost meanwhile subscribes anew by itself; it only has to be waited for.
	if err := b.insist(context.Background(), answerWait, b.flush); err != nil {
		stop()
		return nil, fault("listen on "+subj, err)
	}
	return stop, nil
}

// flush returns once the server has all that was sent. The client calls a connection closed that is
// only lost.
func (b *Bus) flush(ctx context.Context) error {
	err := b.nc.FlushWithContext(ctx)
	if errors.Is(err, nats.ErrConnectionClosed) && !b.nc.IsClosed() {
		return errLost
	}
	return err
}
