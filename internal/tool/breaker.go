package tool

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
	"github.com/sony/gobreaker/v2"
)

const (
	breakerFailures = 5
	breakerRest     = time.Minute
)

// withBreaker answers unavailable for a minute after five failures in a row; then one call is let
// through, and its success ends the rest. Failures that the arguments or the caller caused do not
// count. The state belongs to the wrapped tool: all who share it share the state. The beginning and
// the end of a rest are on record as SUPERVISION spans if there is a tracer.
func withBreaker(t Tool, tracer *tracing.Tracer) Tool {
	b := broken{t, tracer, nil, new(atomic.Pointer[gobreaker.State])}
	b.breaker = gobreaker.NewCircuitBreaker[Result](gobreaker.Settings{
		Name:          t.Info().Name,
		Timeout:       breakerRest,
		ReadyToTrip:   func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= breakerFailures },
		IsExcluded:    blameless,
		OnStateChange: func(_ string, _, now gobreaker.State) { b.turned.Store(&now) },
	})
	return b
}

type broken struct {
	Tool
	tracer  *tracing.Tracer
	breaker *gobreaker.CircuitBreaker[Result]
	turned  *atomic.Pointer[gobreaker.State] // a change of state that is not on record yet
}

// record puts the beginning and the end of a rest on record, in the task whose call brought it about.
func (t broken) record(ctx context.Context) {
	now := t.turned.Swap(nil)
	if now == nil || *now == gobreaker.StateHalfOpen {
		return
	}
	level, action := "limit", "rest"
	if *now == gobreaker.StateClosed {
		level, action = "warn", "resume"
	}
	_, span := t.tracer.Start(ctx, akitad.SpanSupervision, "breaker", tracing.String("pattern", "breaker"),
		tracing.String("level", level), tracing.String("action", action), tracing.String(tracing.KeyTool, t.Info().Name))
	span.End(nil)
}

func (t broken) Call(ctx context.Context, in Input) (Result, error) {
	r, err := t.breaker.Execute(func() (Result, error) { return t.Tool.Call(ctx, in) })
	t.record(ctx)
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
	return errors.Is(err, syscall.ENOSPC)
}
