package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	tryWait    = 2 * time.Second  // for the answer to one write; server pauses of 200 ms do occur
	answerWait = 5 * time.Second  // for the answer to any other request
	insistWait = 10 * time.Second // for all tries, if the caller sets no deadline
)

// try calls do once, with a context that ends after wait or when the connection is lost, because then the
// answer will never arrive. It waits for a connection first, so that no request is buffered and later sent
// together with its own repetition.
func (b *Bus) try(ctx context.Context, wait time.Duration, do func(context.Context) error) error {
	try, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	life, err := b.link.await(try, b.closed)
	if err != nil {
		return err
	}
	defer context.AfterFunc(life, cancel)()
	err = do(try)
	if err != nil && errors.Is(err, context.Canceled) && life.Err() != nil && ctx.Err() == nil {
		return errLost
	}
	return err
}

// insist repeats do while there is no answer or the server is temporarily unavailable: a cluster that has
// just started elects leaders first, and two nodes may create the same stream at once. do must be
// idempotent. If the time ends during a try, the error is that of the try before.
func (b *Bus) insist(ctx context.Context, wait time.Duration, do func(context.Context) error) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, insistWait)
		defer cancel()
	}
	var pause pauses
	for before := error(nil); ; {
		err := b.try(ctx, wait, do)
		if before != nil && errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
			return before
		}
		before = err
		again := passing(err) || errors.Is(err, jetstream.ErrStreamNameAlreadyInUse)
		if err == nil || !again || ctx.Err() != nil || pause.wait(ctx) != nil {
			return err
		}
	}
}
