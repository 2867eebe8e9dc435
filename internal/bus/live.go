package bus

import (
	"context"
	"errors"
	"strconv"

	"github.com/nats-io/nats.go"
)

// Limits on the messages that wait for a slow listener. Beyond them, messages are lost, which is logged.
const (
	liveMessages = 4096
	liveBytes    = 8 << 20
)

// Live sends a message that may be lost (partial text, progress) to the current listeners of id.
func (b *Bus) Live(id string, body []byte) error {
	subj, err := subject("akita.live", id)
	if err != nil {
		return err
	}
	return fault("send live", b.nc.Publish(subj, body))
}

// OnLive calls fn with every message that Live sends for id from now on, one at a time, until stop is called
// or ctx ends. If fn is slow, messages are lost.
func (b *Bus) OnLive(ctx context.Context, id string, fn func([]byte)) (stop func(), err error) {
	unlisten, err := b.listen("akita.live", id, func(m *nats.Msg) { fn(m.Data) })
	if err != nil {
		return nil, err
	}
	release := context.AfterFunc(ctx, unlisten)
	return func() { release(); unlisten() }, nil
}

// Nudge tells listeners that there may be something new about id. Every stored event does that by itself;
// Nudge is for news that is not an event.
func (b *Bus) Nudge(id string) error {
	subj, err := subject("akita.ctl", id)
	if err != nil {
		return err
	}
	return fault("nudge", b.nc.Publish(subj, nil))
}

// OnNudge calls fn with the sequence of each stored event of id, and with 0 for each Nudge. Calls may be
// lost, so a listener must also read the journal from time to time.
func (b *Bus) OnNudge(id string, fn func(seq uint64)) (stop func(), err error) {
	return b.listen("akita.ctl", id, func(m *nats.Msg) {
		seq, _ := strconv.ParseUint(m.Header.Get("Nats-Sequence"), 10, 64)
		fn(seq)
	})
}

// OnEvent calls fn with each stored event of id, and with a Stored of sequence 0 for each Nudge. Calls may
// be lost, so a listener must check the sequences, and read the journal from time to time.
func (b *Bus) OnEvent(id string, fn func(Stored)) (stop func(), err error) {
	return b.listen("akita.ctl", id, func(m *nats.Msg) {
		s, err := stored(m)
		if err != nil {
			s = Stored{} // a bare nudge
		}
		fn(s)
	})
}

// listen subscribes and returns once the server has the subscription.
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
	stop = func() { _ = sub.Unsubscribe() } // fails only if the subscription is gone already
	if err := sub.SetPendingLimits(liveMessages, liveBytes); err != nil {
		stop()
		return nil, fault("listen on "+subj, err)
	}
	// If the connection is lost meanwhile, the client subscribes again by itself.
	if err := b.insist(context.Background(), answerWait, b.flush); err != nil {
		stop()
		return nil, fault("listen on "+subj, err)
	}
	return stop, nil
}

// flush returns once the server has received everything that was sent. For a lost connection the client
// returns ErrConnectionClosed, as if it was closed.
func (b *Bus) flush(ctx context.Context) error {
	err := b.nc.FlushWithContext(ctx)
	if errors.Is(err, nats.ErrConnectionClosed) && !b.nc.IsClosed() {
		return errLost
	}
	return err
}
