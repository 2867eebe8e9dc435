package bus

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Append stores body under the subject akita.task.<id>.<route>, if the newest event that matches fence
// (exactly akita.task.<id>.>) has the sequence expect, where 0 means that there is none. It returns the
// sequence of the new event.
//
// It fails with ErrConflict if there is a newer event. That may be the caller's own one, if an earlier try
// was stored and the server's answer was lost. While the server does not answer, Append sends the same
// message again until ctx ends. A body above the server's payload limit (1 MiB) is an error of kind
// invalid_request, a full disk one of kind overloaded.
func (b *Bus) Append(ctx context.Context, subject, fence string, expect uint64, msgID string, body []byte) (seq uint64, err error) {
	if err := checkAppend(subject, fence); err != nil {
		return 0, err
	}
	var pause pauses
	for {
		seq, err := b.appendOnce(ctx, subject, fence, expect, msgID, body)
		switch {
		case err == nil:
			return seq, nil
		case conflict(err):
			return 0, fmt.Errorf("append to %s: %w", subject, ErrConflict)
		case !passing(err):
			return 0, fault("append to "+subject, err)
		}
		if werr := pause.wait(ctx); werr != nil {
			return 0, fault("append to "+subject, errors.Join(werr, err))
		}
	}
}

func (b *Bus) appendOnce(ctx context.Context, subject, fence string, expect uint64, msgID string, body []byte) (uint64, error) {
	var ack *jetstream.PubAck
	err := b.try(ctx, tryWait, func(ctx context.Context) (err error) {
		// A new message each time, because publishing writes headers into it.
		m := &nats.Msg{Subject: subject, Data: body}
		ack, err = b.js.PublishMsg(ctx, m, jetstream.WithMsgID(msgID),
			jetstream.WithExpectLastSequenceForSubject(expect, fence), jetstream.WithRetryAttempts(0))
		return err
	})
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}
