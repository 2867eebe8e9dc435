package pool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/text"
)

// errGoOn says that what the task was to wait for has come: run on.
var errGoOn = errors.New("nothing is left to wait for")

// settle appends what ends the activation. errGoOn means that nothing does.
func (w *Worker) settle(ctx context.Context, c *claim.Claim, i *Instance, out agent.Outcome, err error) error {
	cause := context.Cause(ctx)
	ctx, cancel := lastWrites(ctx)
	defer cancel()
	switch {
	case errors.Is(err, claim.ErrLost), errors.Is(cause, claim.ErrLost):
		return claim.ErrLost
	case errors.Is(cause, claim.ErrCancelAsked):
		return w.cancelled(ctx, c, i)
	case errors.Is(cause, claim.ErrShutdown), out.Drained:
		return claim.ErrShutdown
	case err != nil:
		return w.failed(ctx, c, i, err)
	case out.Paused:
		return c.Append(ctx, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonPaused})
	case out.Waits:
		return w.suspend(ctx, c)
	}
	return w.completed(ctx, c, i, out)
}

// lastWrites gives a context for the few appends after a cancel.
func lastWrites(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
}

func (w *Worker) completed(ctx context.Context, c *claim.Claim, i *Instance, out agent.Outcome) error {
	if t := c.Snapshot(); t.IsRoot() {
		text.Lang(t.Sub.Origin.Lang).Finish(out.Result)
	}
	err := c.AppendIf(ctx, journal.Completed, journal.EndData{
		Result: out.Result, Usage: out.Usage, Instance: i.ID, Reused: i.Reused(),
	}, func(t *journal.Task) bool { return !t.AskedCancel })
	if errors.Is(err, claim.ErrMoot) {
		return w.cancelled(ctx, c, i)
	}
	if err == nil {
		w.Pool.Settled(i.Profile.Name, !out.Result.Partial)
	}
	return err
}

func (w *Worker) cancelled(ctx context.Context, c *claim.Claim, i *Instance) error {
	ctx, cancel := lastWrites(ctx)
	defer cancel()
	return c.Append(ctx, journal.Cancelled, journal.EndData{
		Error:    &akitad.Failure{Kind: akitad.Cancelled, Message: "cancelled on request"},
		Instance: i.ID, Reused: i.Reused(),
	})
}

// failed decides what a failure means by its kind: hold until endpoints are back, hand over to the
// next agent, or end.
func (w *Worker) failed(ctx context.Context, c *claim.Claim, i *Instance, err error) error {
	w.Pool.Settled(i.Profile.Name, false)
	t := c.Snapshot()
	if w.holds(t, err) {
		return w.hold(ctx, c, t, err)
	}
	if next, ok := w.nextAgent(t, i.Profile, err); ok {
		d := akitad.Degradation{Layer: "agent", From: i.Profile.Name, To: next, Kind: akitad.KindOf(err), Reason: err.Error()}
		w.decision(ctx, "agent", []string{i.Profile.Name, next}, next, err.Error())
		return c.Append(ctx, journal.Woken, journal.WokenData{Reason: "next agent", To: next, Degraded: &d})
	}
	return c.Append(ctx, journal.Failed, journal.EndData{
		Error: akitad.FailureOf(err), Result: partialOf(t), Instance: i.ID, Reused: i.Reused(),
	})
}

// partialOf keeps what a failed task had found: the last words of its agent, if it said any.
func partialOf(t *journal.Task) *akitad.Result {
	for n := len(t.Rounds) - 1; n >= 0; n-- {
		if said := t.Rounds[n].Thought.Text; said != "" {
			return &akitad.Result{Text: said, Partial: true, Degraded: t.Degraded}
		}
	}
	return nil
}

// nextAgent names the agent that takes over, if the kind of failure allows one and any is left.
func (w *Worker) nextAgent(t *journal.Task, p akitad.Profile, err error) (string, bool) {
	kind := akitad.KindOf(err)
	if all, ok := errors.AsType[*llm.AllFailed](err); ok && all.Common() != "" {
		kind = all.Common()
	}
	verdict := fallback.Policy{}.Decide(fallback.Failure{Kind: kind, Again: true})
	if verdict != fallback.NextAgent {
		return "", false
	}
	tried := map[string]bool{p.Name: true, t.Sub.Profile: true}
	for _, d := range t.Degraded {
		if d.Layer == "agent" {
			tried[d.From], tried[d.To] = true, true
		}
	}
	for _, name := range p.Fallback {
		if _, err := w.Profiles.Find(name); err == nil && !tried[name] {
			return name, true
		}
	}
	return "", false
}

// holds reports whether the task should wait for its endpoints: all of them failed, for reasons
// that pass, and the waiting time is not used up.
func (w *Worker) holds(t *journal.Task, err error) bool {
	all, ok := errors.AsType[*llm.AllFailed](err)
	return ok && all.Temporary() && w.held(t) < len(w.opts.Hold)
}

// held counts the waits so far.
func (w *Worker) held(t *journal.Task) int { return t.Holds }

func (w *Worker) hold(ctx context.Context, c *claim.Claim, t *journal.Task, err error) error {
	until := time.Now().Add(w.opts.Hold[w.held(t)])
	d := journal.WaitingData{Reason: akitad.ReasonRetry, Until: &until}
	if w.held(t) == 0 {
		total := time.Duration(0)
		for _, h := range w.opts.Hold {
			total += h
		}
		d.Note = text.Lang(t.Sub.Origin.Lang).Held(time.Now().Add(total))
	}
	w.decision(ctx, "strategy", []string{"hold", "fail"}, "hold", err.Error())
	w.Log.Warn("no endpoint answers, the task waits", zap.String("task", string(t.ID)), zap.Time("until", until), zap.Error(err))
	return c.Append(ctx, journal.Waiting, d)
}

// suspend submits the children that open calls ask for and puts the task to sleep, unless every
// answer has come by then.
func (w *Worker) suspend(ctx context.Context, c *claim.Claim) error {
	if err := w.delegate(ctx, c); err != nil {
		return err
	}
	d := waitFor(c.Snapshot())
	err := c.AppendIf(ctx, journal.Waiting, d, func(t *journal.Task) bool { return len(t.Open) > 0 })
	if errors.Is(err, claim.ErrMoot) {
		return errGoOn
	}
	if err != nil {
		return fmt.Errorf("suspend: %w", err)
	}
	return nil
}

// waitFor says what the task waits for and until when, from its open calls.
func waitFor(t *journal.Task) journal.WaitingData {
	d := journal.WaitingData{Reason: akitad.ReasonChildren}
	for _, o := range t.Open {
		switch o.Kind {
		case "answer":
			d.Reason, d.Note = akitad.ReasonAnswer, t.Question()
		case "approval":
			d.Reason, d.Note = akitad.ReasonApproval, t.Question()
		}
		if o.Until != nil && (d.Until == nil || o.Until.Before(*d.Until)) {
			d.Until = o.Until
		}
	}
	return d
}
