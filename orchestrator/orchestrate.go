package orchestrator

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/sleep"
	"github.com/akitad/akitad/tracing"
)

// planAll claims the tasks in the orchestrator's queue. It compiles and plans them, and delegates the steps
// of their plans as they become ready.
func (o *Orchestrator) planAll(ctx context.Context) error {
	queue, err := o.Bus.OpenWork(ctx, journal.OrchestratorProfile)
	if err != nil {
		return err
	}
	defer queue.Close()
	if err := queue.Reset(ctx); err != nil {
		return err
	}
	stop, err := o.Bus.ServeHere(journal.OrchestratorProfile, func() []byte { return []byte("{}") })
	if err != nil {
		return err
	}
	defer stop()
	work, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(o.opts.Grace, func() { cut(claim.ErrShutdown) })
	})()
	var eg errgroup.Group
	eg.SetLimit(o.opts.Parallel)
	slots := make(chan struct{}, o.opts.Parallel)
	for ctx.Err() == nil {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		d, err := queue.Next(ctx)
		if err != nil {
			<-slots
			if ctx.Err() == nil {
				o.Log.Warn("no work item", zap.Error(err))
				sleep.For(ctx, time.Second)
			}
			continue
		}
		eg.Go(func() error {
			defer func() { <-slots }()
			o.Holder.Serve(work, d, o.orchestrate)
			return nil
		})
	}
	return eg.Wait()
}

// verdict is a failure of the task itself, because of its steps. It ends the task whatever its kind, and is
// not taken for a failure of the bus, after which the item would be served again.
type verdict struct{ err *akitad.Error }

func (v verdict) Error() string { return v.err.Error() }

func (v verdict) Unwrap() error { return v.err }

func isVerdict(err error) bool {
	_, ok := errors.AsType[verdict](err)
	return ok
}

func wanted(t *journal.Task) bool { return !t.AskedCancel }

// orchestrate advances a claimed task as far as possible without an agent.
func (o *Orchestrator) orchestrate(ctx context.Context, c *claim.Claim) error {
	t := c.Snapshot()
	ctx = c.TellStalls(o.Tracer.InTask(ctx, t.Sub.Root, t.SpanTask()), o.Log)
	err := o.advance(ctx, c)
	cause := context.Cause(ctx)
	lctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, claim.ErrLost), errors.Is(cause, claim.ErrLost):
		return claim.ErrLost
	case errors.Is(err, claim.ErrCancelAsked), errors.Is(cause, claim.ErrCancelAsked):
		return o.cancelled(lctx, c)
	case errors.Is(cause, claim.ErrShutdown):
		return claim.ErrShutdown
	case isVerdict(err): // ends below
	case akitad.KindOf(err) == akitad.Unknown, akitad.KindOf(err).Temporary(), akitad.KindOf(err) == akitad.Unavailable:
		return err // a failure of the bus or the disk: the item will be delivered again
	}
	err = c.AppendIf(lctx, journal.Failed, journal.EndData{Error: akitad.FailureOf(err)}, wanted)
	if errors.Is(err, claim.ErrMoot) {
		return o.cancelled(lctx, c)
	}
	return err
}

func (o *Orchestrator) cancelled(ctx context.Context, c *claim.Claim) error {
	return c.Append(ctx, journal.Cancelled, journal.EndData{
		Error: &akitad.Failure{Kind: akitad.Cancelled, Message: "cancelled on request"},
	})
}

// advance does what comes next for the task: ask, compile, plan, run the plan, or hand over to an agent.
func (o *Orchestrator) advance(ctx context.Context, c *claim.Claim) error {
	t := c.Snapshot()
	switch {
	case t.AskedCancel:
		return claim.ErrCancelAsked
	case t.IsPaused:
		err := c.AppendIf(ctx, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonPaused},
			func(t *journal.Task) bool { return t.IsPaused && !t.AskedCancel })
		if errors.Is(err, claim.ErrMoot) {
			return o.advance(ctx, c) // the task was resumed or cancelled meanwhile
		}
		return err
	}
	if t.Compiled == nil {
		if err := o.compile(ctx, c, t); err != nil {
			return err
		}
		t = c.Snapshot()
	}
	if q, ask := missing(t); ask {
		return o.askMissing(ctx, c, q)
	}
	if t.Planned == nil {
		if err := o.plan(ctx, c, t); err != nil {
			return err
		}
		t = c.Snapshot()
	}
	return o.approve(ctx, c, t)
}

// handOver hands the task to a profile for good, unless a cancel was requested.
func (o *Orchestrator) handOver(ctx context.Context, c *claim.Claim, d journal.WokenData) error {
	return orCancel(c.AppendIf(ctx, journal.Woken, d, wanted))
}

// orCancel turns the ErrMoot of an append into ErrCancelAsked.
func orCancel(err error) error {
	if errors.Is(err, claim.ErrMoot) {
		return claim.ErrCancelAsked
	}
	return err
}

// compile makes the spec. No model is asked for a person's plan or flow, or when the budget of the tree is
// used up.
func (o *Orchestrator) compile(ctx context.Context, c *claim.Claim, t *journal.Task) error {
	earlier, err := o.earlier(ctx, t)
	if err != nil {
		return err
	}
	ctx, span := o.Tracer.Start(ctx, akitad.SpanPrompt, "compile")
	out, err := o.Compiler.Compile(ctx, compiler.Input{
		Text: t.Sub.Text, Files: t.Sub.Files, Lang: t.Sub.Origin.Lang, Task: t.ID, Earlier: earlier,
		Command: t.Sub.Plan != "" || t.Sub.Flow != "" || t.Sub.Offline || o.usedUp(ctx, t, akitad.Usage{}) != "",
	})
	span.Set(tracing.String("source", out.Source), tracing.Int("warnings", len(out.Warnings)), tracing.Bool("cached", out.Cached))
	span.End(err)
	if err != nil {
		return err
	}
	return c.Append(ctx, journal.Compiled, journal.CompiledData{
		Spec: out.Spec, Source: out.Source, Warnings: out.Warnings, Cached: out.Cached, Complexity: out.Complexity, Usage: out.Usage, Bills: out.Bills,
	})
}

// earlierTurns is the number of the session's last turns that the compiler sees, to resolve words like "it".
const earlierTurns = 3

// earlier returns the session's last turns, oldest first.
func (o *Orchestrator) earlier(ctx context.Context, t *journal.Task) ([]llm.BriefTurn, error) {
	var out []llm.BriefTurn
	given, err := o.Journal.Given(ctx, t, earlierTurns)
	if err != nil {
		return nil, err
	}
	for _, g := range given {
		out = append(out, llm.BriefTurn{Said: g.Said, Answered: g.Answered})
	}
	if len(out) > 0 {
		return out, nil
	}
	for id := t.Sub.Follows; id != "" && len(out) < earlierTurns; {
		before, err := o.Journal.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		if !before.Exists() {
			break // purged
		}
		turn := llm.BriefTurn{Said: before.Sub.Text}
		if before.Result != nil {
			turn.Answered = before.Result.Text
		}
		out = append(out, turn)
		id = before.Sub.Follows
	}
	slices.Reverse(out)
	return out, nil
}
