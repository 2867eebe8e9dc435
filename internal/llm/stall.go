package llm

import (
	"context"
	"errors"
	"time"

	"github.com/akitad/akitad"
)

// Stall is an endpoint that said nothing for as long as it is given, and who is asked next.
type Stall struct {
	Endpoint string
	Next     string        // Endpoint, if it is tried once more
	Try      int           // of the attempt that was silent, from 1
	Waited   time.Duration // for that attempt
}

type stallKey struct{}

// OnStall has fn called for each stall of the requests that are made with the context that comes back, one
// at a time for each request and before the next attempt begins.
func OnStall(ctx context.Context, fn func(context.Context, Stall)) context.Context {
	return context.WithValue(ctx, stallKey{}, fn)
}

// silent reports a time-out that no server has told of: nobody said anything. To ask once more what hangs
// costs the whole wait again.
func silent(err error) bool {
	_, said := errors.AsType[*ServerError](err)
	return akitad.KindOf(err) == akitad.Timeout && !said
}

// tell passes on that s was silent, if it was.
func (s *stop) tell(ctx context.Context, err error, next *stop) {
	fn, ok := ctx.Value(stallKey{}).(func(context.Context, Stall))
	if !ok || !silent(err) {
		return
	}
	fn(ctx, Stall{Endpoint: s.Name, Next: next.Name, Try: s.tries, Waited: s.waited})
}
