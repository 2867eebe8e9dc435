package bus

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
)

// SetTimer publishes body on akita.due.<id> of the stream Timers at the given time. It replaces an earlier
// timer of id. The server checks every 250 ms: due messages are up to 300 ms late and never early. A time
// in the past is due at once.
func (b *Bus) SetTimer(ctx context.Context, id string, at time.Time, body []byte) error {
	subj, err := subject("akita.timer", id)
	if err != nil {
		return err
	}
	// The client library's own option truncates the time to whole seconds, so that the timer would be early.
	m := &nats.Msg{Subject: subj, Data: body, Header: nats.Header{
		"Nats-Schedule":        {"@at " + at.UTC().Format(time.RFC3339Nano)},
		"Nats-Schedule-Target": {"akita.due." + id},
	}}
	return b.publish(ctx, m, "")
}
