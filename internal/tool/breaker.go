package tool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/akitad/akitad"
	"github.com/sony/gobreaker/v2"
)

const (
	breakerFailures = 5
	breakerRest     = time.Minute
)

// WithBreaker answers unavailable for a minute after five failures in a row; then one call is let
// through, and its success ends the rest. Failures that the arguments or the caller caused do not
// count. The state belongs to the wrapped tool: all who share it share the state.
func WithBreaker(t Tool) Tool {
	return broken{t, gobreaker.NewCircuitBreaker[Result](gobreaker.Settings{
		Name:        t.Info().Name,
		Timeout:     breakerRest,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= breakerFailures },
		IsExcluded:  blameless,
	})}
}

type broken struct {
	Tool
	breaker *gobreaker.CircuitBreaker[Result]
}

func (t broken) Call(ctx context.Context, in Input) (Result, error) {
	r, err := t.breaker.Execute(func() (Result, error) { return t.Tool.Call(ctx, in) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		name := t.Info().Name
		return Result{}, &akitad.Error{
			Kind: akitad.Unavailable, Err: fmt.Errorf("%s failed %d times in a row and rests for up to %v", name, breakerFailures, breakerRest),
			Hint: "go on without " + name + " or try it again later",
		}
	}
	return r, err
}

// blameless reports whether a failure says nothing about the tool.
func blameless(err error) bool {
	switch akitad.KindOf(err) {
	case akitad.InvalidRequest, akitad.NotFound, akitad.PermissionDenied, akitad.Cancelled, akitad.Loop, akitad.OverBudget:
		return true
	}
	return false
}
