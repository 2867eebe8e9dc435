package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
	"go.uber.org/zap"
)

const (
	// DefaultTimeout is the time limit of a call whose tool names none.
	DefaultTimeout = 10 * time.Second
	// Grace is how long a call may take to return once its time is up or it is cancelled.
	Grace = time.Second
)

// Options of Wrap; the zero value works.
type Options struct {
	Log    *zap.Logger     // default silent
	Tracer *tracing.Tracer // for the breaker's interventions; nil records none

	Timeout time.Duration // of a tool that names none; default DefaultTimeout
}

// Wrap gives a tool what every tool has, in the one order. From the inside out: an intent is taken out
// of the arguments; a panic becomes an error; each try has its time limit; temporary failures are tried again where that is safe; a
// tool that keeps failing is left alone for a while. Policy and tracing stand outside of all this.
func Wrap(t Tool, opts Options) Tool {
	return withBreaker(WithRetry(timed{withRecover(WithIntent(t), opts), opts.Timeout}), opts.Tracer)
}

// withRecover turns a panic of the tool into tool_failed. The stack goes to the log only.
func withRecover(t Tool, opts Options) Tool {
	if opts.Log == nil {
		opts.Log = zap.NewNop()
	}
	return recovered{t, opts.Log}
}

type recovered struct {
	Tool
	log *zap.Logger
}

func (t recovered) Call(ctx context.Context, in Input) (r Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			name := t.Info().Name
			t.log.Error("tool panicked", zap.String("tool", name), zap.String("panic", fmt.Sprint(p)), zap.ByteString("stack", debug.Stack()))
			r, err = Result{}, akitad.Errorf(akitad.ToolFailed, "%s failed unexpectedly", name).WithHint("try other arguments or another tool")
		}
	}()
	return t.Tool.Call(ctx, in)
}

// timed ends a call at the tool's time limit with the kind timeout, and at the caller's cancel with that
// kind, even if the tool pays no heed: it is left behind after Grace. What the tool still returns within
// Grace of its time limit is used if it is a result or an error with a kind.
type timed struct {
	Tool
	usual time.Duration // 0 is DefaultTimeout
}

type outcome struct {
	result Result
	err    error
}

func (t timed) Call(ctx context.Context, in Input) (Result, error) {
	info := t.Info()
	limit := info.Timeout
	if limit <= 0 {
		limit = cmp.Or(t.usual, DefaultTimeout)
	}
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		r, err := t.Tool.Call(inner, in)
		done <- outcome{r, err}
	}()
	select {
	case o := <-done:
		return t.judge(ctx, inner, o, limit)
	case <-inner.Done():
	}
	grace := time.NewTimer(Grace)
	defer grace.Stop()
	select {
	case o := <-done:
		return t.judge(ctx, inner, o, limit)
	case <-grace.C:
		return t.judge(ctx, inner, outcome{err: context.Cause(inner)}, limit)
	}
}

// judge gives an error that comes from the end of a context the kind and the words of that end.
// What the tool says to have changed is kept, whatever the error.
func (t timed) judge(ctx, inner context.Context, o outcome, limit time.Duration) (Result, error) {
	switch {
	case o.err == nil:
	case ctx.Err() != nil:
		if akitad.KindOf(o.err) != akitad.KindOf(ctx.Err()) {
			o.err = context.Cause(ctx)
		}
		o.err = &akitad.Error{Kind: akitad.KindOf(ctx.Err()), Op: t.Info().Name, Err: o.err}
	case inner.Err() != nil && !hasKind(o.err):
		o.err = akitad.Errorf(akitad.Timeout, "%s took longer than %v and was stopped", t.Info().Name, limit).
			WithHint("ask for less at a time")
	}
	return o.result, o.err
}

// hasKind reports whether a tool said itself what went wrong, and not just that its context ended.
func hasKind(err error) bool {
	e, ok := errors.AsType[*akitad.Error](err)
	return ok && e.Kind != akitad.Cancelled
}
