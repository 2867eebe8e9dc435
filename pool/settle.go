package pool

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
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

var (
	// errGoOn says that what the task was to wait for has come, so that its run continues.
	errGoOn = errors.New("nothing is left to wait for")
	// errHopeless says that the task cannot be begun and that no other agent could do better.
	errHopeless = errors.New("the task cannot be begun")
)

// settle appends the event that ends the activation. It returns errGoOn if the run must continue instead.
func (w *Worker) settle(ctx context.Context, c *claim.Claim, i *Instance, out agent.Outcome, err error) error {
	cause := context.Cause(ctx)
	var busy later
	ctx, cancel := journal.Outlast(ctx)
	defer cancel()
	switch {
	case errors.Is(err, claim.ErrLost), errors.Is(cause, claim.ErrLost):
		return claim.ErrLost
	case errors.Is(cause, claim.ErrCancelAsked):
		return w.cancelled(ctx, c, i)
	case out.Drained && w.handsBack(i.Profile.Name):
		return w.moot(ctx, c, i, c.AppendIf(ctx, journal.Woken, journal.WokenData{Reason: akitad.ReasonPaused}, wanted))
	case err != nil && errors.Is(cause, claim.ErrShutdown), out.Drained: // what it has come to all the same counts
		return claim.ErrShutdown
	case errors.Is(err, agent.ErrStore):
		return err
	case errors.As(err, &busy):
		return w.waitTurn(ctx, c, i, busy)
	case err != nil:
		return w.failed(ctx, c, i, out, err)
	case out.Paused:
		return w.wait(ctx, c, i, journal.WaitingData{Reason: akitad.ReasonPaused}, func(t *journal.Task) bool { return t.IsPaused })
	case out.Waits:
		return w.suspend(ctx, c, i)
	}
	return w.completed(ctx, c, i, out)
}

// handsBack reports whether the profile is paused. Its tasks then go back to the queue and wait there.
func (w *Worker) handsBack(profile string) bool {
	paused, _ := w.gate.paused(profile)
	return paused
}

// wait appends waiting, if still is true of the task. If a cancel was requested meanwhile, it ends the task
// instead, because a waiting task would not notice the request.
func (w *Worker) wait(ctx context.Context, c *claim.Claim, i *Instance, d journal.WaitingData, still func(*journal.Task) bool) error {
	err := c.AppendIf(ctx, journal.Waiting, d, func(t *journal.Task) bool { return !t.AskedCancel && still(t) })
	return w.moot(ctx, c, i, err)
}

// moot handles ErrMoot of an append: after a cancel request it ends the task; otherwise the run continues
// (errGoOn). Other errors, and nil, are returned as they are.
func (w *Worker) moot(ctx context.Context, c *claim.Claim, i *Instance, err error) error {
	switch {
	case !errors.Is(err, claim.ErrMoot):
		return err
	case c.Snapshot().AskedCancel:
		return w.cancelled(ctx, c, i)
	}
	return errGoOn
}

func wanted(t *journal.Task) bool { return !t.AskedCancel }

// completed ends the task with its result, unless there is a correction that the model has not seen.
func (w *Worker) completed(ctx context.Context, c *claim.Claim, i *Instance, out agent.Outcome) error {
	if t := c.Snapshot(); t.IsRoot() {
		if lacks := lacking(t, out.Result.Missing); len(lacks) > 0 {
			out.Result.Partial, out.Result.Missing = true, append(slices.Clone(out.Result.Missing), lacks...)
		}
		text.Lang(t.Sub.Origin.Lang).Finish(out.Result)
	}
	err := c.AppendIf(ctx, journal.Completed, w.endOf(i, out), func(t *journal.Task) bool { return wanted(t) && len(t.Steers) <= out.Steers })
	if err == nil {
		w.settled(ctx, c.Snapshot(), i.Profile.Name, partly(out))
	}
	return w.moot(ctx, c, i, err)
}

// partly returns the failure as which a partial result counts for the profile's health. It is nil for a
// complete result, and for one that says itself why it is partial, since another agent could do no more.
func partly(out agent.Outcome) *akitad.Failure {
	if !out.Result.Partial || out.Told {
		return nil
	}
	return &akitad.Failure{Kind: akitad.Loop, Message: "it stopped with a partial result"}
}

// lacking lists the steps of the task's plan without a result or with a partial one, each with the reason,
// except those in named.
func lacking(t *journal.Task, named []string) []string {
	var out []string
	add := func(step, why string) {
		if line := step + ": " + why; !slices.Contains(named, line) {
			out = append(out, line)
		}
	}
	for _, c := range t.Children {
		switch {
		case c.Run == "" || !c.Done:
		case c.State != akitad.Completed && c.Error != nil:
			add(c.Run, c.Error.Message)
		case c.State != akitad.Completed:
			add(c.Run, string(c.State))
		case c.Result != nil && c.Result.Partial:
			add(c.Run, cmp.Or(strings.Join(c.Result.Missing, "; "), "it is not complete"))
		}
	}
	for _, n := range t.Skipped {
		if n.State == "blocked" || n.Refused() {
			add(n.Step, n.Reason)
		}
	}
	return out
}

func (w *Worker) cancelled(ctx context.Context, c *claim.Claim, i *Instance) error {
	ctx, cancel := journal.Outlast(ctx)
	defer cancel()
	return c.Append(ctx, journal.Cancelled, journal.EndData{
		Error:    &akitad.Failure{Kind: akitad.Cancelled, Message: "cancelled on request"},
		Instance: i.ID, Reused: i.Reused(),
	})
}

// failed decides by the kind of a failure: wait until endpoints are back, continue with the same agent, hand
// over to the next agent, or end the task.
func (w *Worker) failed(ctx context.Context, c *claim.Claim, i *Instance, out agent.Outcome, err error) error {
	t := c.Snapshot()
	if w.holds(t, err) {
		return w.hold(ctx, c, i, out.Bills, err)
	}
	if goesOn(t, err) {
		w.Log.Warn("an agent's work broke off and goes on once more", zap.String("task", string(t.ID)), zap.Error(err))
		w.decision(ctx, "agent", []string{"once more", "give up"}, "once more", err.Error())
		return w.moot(ctx, c, i, c.AppendIf(ctx, journal.Woken, journal.WokenData{Reason: "once more", Broke: akitad.FailureOf(err), Bills: out.Bills}, wanted))
	}
	u, failedCheck := errors.AsType[unverified](err)
	var common akitad.Kind
	if all, ok := errors.AsType[*llm.AllFailed](err); ok {
		common = all.Common()
	}
	if next, ok := w.nextAgent(ctx, t, i.Profile, err); ok {
		d := akitad.Degradation{Layer: "agent", From: i.Profile.Name, To: next, Kind: akitad.KindOf(err), Reason: err.Error()}
		w.decision(ctx, "agent", []string{i.Profile.Name, next}, next, err.Error())
		rerr := c.AppendIf(ctx, journal.Woken, journal.WokenData{Reason: "next agent", To: next, Degraded: &d, Bills: out.Bills}, wanted)
		return w.moot(ctx, c, i, w.countFailure(ctx, t, i, err, rerr))
	}
	rerr := c.AppendIf(ctx, journal.Failed, journal.EndData{
		Error: failure(t, i.Profile, err), Result: partialOf(t), Usage: out.Usage, Bills: out.Bills, Instance: i.ID, Reused: i.Reused(),
		Unverified: failedCheck, Common: common, Files: w.noteFailure(ctx, t, i, err, u.changed),
	}, wanted)
	return w.moot(ctx, c, i, w.countFailure(ctx, t, i, err, rerr))
}

// countFailure counts a failure once it is on record: whoever finds it not recorded meets it again. It gives what
// became of the record.
func (w *Worker) countFailure(ctx context.Context, t *journal.Task, i *Instance, failure, recorded error) error {
	_, failedCheck := errors.AsType[unverified](failure)
	switch {
	case recorded != nil:
	case failedCheck: // the step is tried again by the same agent; its health is not affected
		w.Pool.Settled(i.Profile.Name, false)
	default:
		w.settled(ctx, t, i.Profile.Name, akitad.FailureOf(failure))
	}
	return recorded
}

// goesOn reports whether the same agent continues after a failure of unknown kind, about which it is then
// told: once per distinct failure, and a few times in total. A plan's single call is not repeated, since
// its effect is not known.
func goesOn(t *journal.Task, err error) bool {
	_, failedCheck := errors.AsType[unverified](err)
	if akitad.KindOf(err) != akitad.Unknown || failedCheck || errors.Is(err, errHopeless) || oneCall(t) {
		return false
	}
	sign := fallback.Signature(akitad.Unknown, err.Error())
	f := fallback.Failure{Kind: akitad.Unknown, Attempt: len(t.Broke) + 1, Again: slices.ContainsFunc(t.Broke, func(b journal.Broke) bool {
		return fallback.Signature(b.Kind, b.Message) == sign
	})}
	return fallback.Policy{}.Decide(f) == fallback.FeedBack
}

// failure returns the error with which a task ends. After several agents it is all_failed and lists the
// failure of each.
func failure(t *journal.Task, p akitad.Profile, err error) *akitad.Failure {
	f := akitad.FailureOf(err)
	passed := t.PassedOver()
	if len(passed) == 0 {
		return f
	}
	var each []string
	for _, d := range passed {
		each = append(each, d.From+" ("+string(d.Kind)+"): "+d.Reason)
	}
	each = append(each, p.Name+" ("+string(f.Kind)+"): "+f.Message)
	f.Kind, f.Message = akitad.AllFailed, "every agent failed: "+strings.Join(each, "; ")
	return f
}

// partialOf returns the last text of a failed task's agent as a partial result, nil if there is none.
func partialOf(t *journal.Task) *akitad.Result {
	for n := len(t.Rounds) - 1; n >= 0; n-- {
		if said := t.Rounds[n].Thought.Text; said != "" {
			return &akitad.Result{Text: said, Partial: true, Degraded: t.Degraded}
		}
	}
	return nil
}

// nextAgent returns the agent that takes over, if the kind of failure allows it and one is left.
func (w *Worker) nextAgent(ctx context.Context, t *journal.Task, p akitad.Profile, err error) (string, bool) {
	if errors.Is(err, errHopeless) || oneCall(t) {
		return "", false // another agent would make the same call
	}
	if _, failedCheck := errors.AsType[unverified](err); failedCheck {
		return "", false // the step is tried again from the start, with the reason
	}
	kind := akitad.KindOf(err)
	if all, ok := errors.AsType[*llm.AllFailed](err); ok && all.Common() != "" {
		kind = all.Common()
	}
	verdict := fallback.Policy{}.Decide(fallback.Failure{Kind: kind, Again: true})
	if verdict != fallback.NextAgent {
		return "", false
	}
	return t.NextAgent(p.Name, w.healthyFirst(ctx, p.Fallback), func(name string) bool {
		_, err := w.Profiles.Find(name)
		return err == nil
	})
}

// holds reports whether the task should wait for its endpoints: all of them failed for temporary reasons,
// and the waiting time is not used up.
func (w *Worker) holds(t *journal.Task, err error) bool {
	all, ok := errors.AsType[*llm.AllFailed](err)
	return ok && all.Temporary() && w.held(t) < len(w.opts.Hold)
}

// held returns the number of such waits so far.
func (w *Worker) held(t *journal.Task) int { return t.Holds }

func (w *Worker) hold(ctx context.Context, c *claim.Claim, i *Instance, bills akitad.Bills, err error) error {
	t := c.Snapshot()
	until := time.Now().Add(w.opts.Hold[w.held(t)])
	d := journal.WaitingData{Reason: akitad.ReasonRetry, Until: &until, Bills: bills, Cause: err.Error()}
	if w.held(t) == 0 {
		total := time.Duration(0)
		for _, h := range w.opts.Hold {
			total += h
		}
		d.Note = text.Lang(t.Sub.Origin.Lang).Held(time.Now().Add(total))
	}
	w.decision(ctx, "strategy", []string{"hold", "fail"}, "hold", err.Error())
	w.Log.Warn("no endpoint answers, the task waits", zap.String("task", string(t.ID)), zap.Time("until", until), zap.Error(err))
	return w.wait(ctx, c, i, d, func(*journal.Task) bool { return true })
}

// suspend submits the children that open calls ask for and lets the task wait, unless all calls have been
// answered by then.
func (w *Worker) suspend(ctx context.Context, c *claim.Claim, i *Instance) error {
	if err := w.delegate(ctx, c); err != nil {
		return err
	}
	return w.wait(ctx, c, i, waitFor(c.Snapshot()), func(t *journal.Task) bool { return len(t.Open) > 0 })
}

// waitFor returns what the task waits for and until when, according to its open calls.
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
