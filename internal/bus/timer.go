package bus

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
)

// SetTimer makes body appear on akita.due.<id> of stream Timers at the given time, replacing the
// timer that id had. The server looks every 250 ms: due messages are up to 300 ms late and never
// early. A time in the past is due at once.
func (b *Bus) SetTimer(ctx context.Context, id string, at time.Time, body []byte) error {
	subj, err := subject("akita.timer", id)
	if err != nil {
		return err
	}
	// The client library's own option cuts the time to whole seconds, which is early.
	m := &nats.Msg{Subject: subj, Data: body, Header: nats.Header{
		"Nats-Schedule":        {"@at " + at.UTC().Format(time.RFC3339Nano)},
		"Nats-Schedule-Target": {"akita.due." + id},
	}}
	return b.publish(ctx, m, "")
}

// DropTimer removes the timer of id, and its due message if nobody has settled that yet. None is
// no error.
func (b *Bus) DropTimer(ctx context.Context, id string) error {
	for _, prefix := range []string{"akita.timer", "akita.due"} {
		subj, err := subject(prefix, id)
		if err != nil {
			return err
		}
		if err := b.purge(ctx, Timers, subj); err != nil {
			return err
		}
	}
	return nil
}
