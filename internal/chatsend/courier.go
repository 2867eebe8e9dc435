package chatsend

import (
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pace"
)

// courierTries is how often a message is sent that was surely not taken.
const courierTries = 3

// Courier sends through a service that does not know a message again, nor says how long it wants to be left
// alone.
type Courier struct {
	Gate  *pace.Gate
	Retry time.Duration // the first pause after an error that passes
	Pause time.Duration // how long a chat is left alone after a refusal for sending too much
	Log   *zap.Logger
	Kind  func(error) akitad.Kind
	// Untaken reports that a message has not come into the chat.
	Untaken func(error) bool
}

// Send makes a request until it is answered. Limits are waited out; what was surely not taken is sent again
// some times. Room for the first try was taken.
func (c Courier) Send(ctx context.Context, chat string, class pace.Class, once func(context.Context) (string, error)) (id string, err error) {
	retry := Retry(c.Retry)
	for try := 1; ; {
		id, err = once(ctx)
		var wait time.Duration
		switch kind := c.Kind(err); {
		case err == nil || ctx.Err() != nil:
			return id, err
		case kind == akitad.RateLimited:
			wait = c.Pause
			c.Gate.Refused(chat, wait)
		case kind.Temporary() && c.Untaken(err) && try < courierTries:
			wait = retry.NextBackOff()
			try++
		default:
			return "", err
		}
		c.Log.Warn("message not sent, tried again", zap.Duration("after", wait), zap.Error(err))
		c.Gate.Pause(chat, wait)
		if err := c.Gate.Wait(ctx, chat, class); err != nil {
			return "", err
		}
	}
}
