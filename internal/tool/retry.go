package tool

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	retries   = 2 // after the first try, for tools that may run twice
	retryBase = 250 * time.Millisecond
)

// WithRetry makes a failed call again, twice at most, if the failure is of a temporary kind and
// running the tool twice is the same as once. Other tools are never run again.
func WithRetry(t Tool) Tool { return retried{t} }

type retried struct{ Tool }

func (t retried) Call(ctx context.Context, in Input) (r Result, err error) {
	tries := 1
	if info := t.Info(); info.Readonly || info.Idempotent {
		tries += retries
	}
	for try := range tries {
		if try > 0 && !pause(ctx, retryBase<<(try-1)) {
			return r, err
		}
		r, err = t.Tool.Call(ctx, in)
		if err == nil || !akitad.KindOf(err).Temporary() || ctx.Err() != nil {
			return r, err
		}
	}
	return r, err
}

// pause waits for half to all of a time, so that callers do not come back all at once. It reports
// whether the wait was not cut short.
func pause(ctx context.Context, d time.Duration) bool {
	return sleep.For(ctx, d/2+rand.N(d/2))
}
