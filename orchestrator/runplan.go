package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
)

// runPlan delegates the steps that are ready, and lets the task wait until a running step ends, a person
// answers, or a step is to be tried again. When all steps have ended, it ends the task or hands it to an
// agent that joins the results.
func (o *Orchestrator) runPlan(ctx context.Context, c *claim.Claim) error {
	for {
		t := c.Snapshot()
		p := runnable(t)
		env, err := environment(t)
		if err != nil {
			return err
		}
		if stoppedByPerson(t) {
			return o.stopPlan(ctx, c, t, plan.Envelope(p, outcomes(t), env))
		}
		f := plan.Next(p, outcomes(t), env, o.mayOverlap)
		if w, wished := rewriteWish(t, f); wished {
			if err := o.replan(ctx, c, t, f, w); err != nil {
				return err
			}
			continue
		}
		switch {
		case f.Finished && len(newNotes(t, f)) > 0: // record them before the end, which mentions them
			if err := c.Append(ctx, journal.Delegated, journal.DelegatedData{Skipped: newNotes(t, f)}); err != nil {
				return err
			}
			continue
		case f.Finished:
			err = o.finishPlan(ctx, c, t, plan.Envelope(p, outcomes(t), env))
		case len(f.Ready) == 0 && len(f.NeedsAnswer) == 0: // nothing runs or will run: the task would wait for ever
			return verdict{akitad.Errorf(akitad.InvalidRequest, "the plan cannot go on: no step is left that may run")}
		default:
			err = o.goOn(ctx, c, t, f)
		}
		if !errors.Is(err, claim.ErrMoot) {
			return err
		}
		if !wanted(c.Snapshot()) {
			return claim.ErrCancelAsked
		}
	}
}

// goOn delegates the ready steps, asks the open questions and lets the task wait. ErrMoot means that an event
// in between has changed what is to be done, or that a step was refused.
func (o *Orchestrator) goOn(ctx context.Context, c *claim.Claim, t *journal.Task, f plan.Frontier) error {
	later, err := o.handOut(ctx, c, t, f)
	if err == nil {
		err = o.askSteps(ctx, c, f.NeedsAnswer)
	}
	if err != nil {
		return err
	}
	ended, answered := endedRuns(t), len(t.Answers)
	return c.AppendIf(ctx, journal.Waiting, planNap(c.Snapshot(), later), func(t *journal.Task) bool {
		return endedRuns(t) == ended && len(t.Answers) == answered && wanted(t)
	})
}

// planNap returns what the plan waits for and until when: running steps, an answer, or the time of a step's
// next attempt.
func planNap(t *journal.Task, later time.Time) journal.WaitingData {
	d := journal.WaitingData{Reason: akitad.ReasonRetry, Any: true}
	if !later.IsZero() {
		d.Until = &later
	}
	if call := t.QuestionCall(); call != "" {
		d.Reason = akitad.ReasonAnswer
		if call != t.SaidCall {
			d.Note = t.Question()
		}
	}
	for _, open := range t.Open {
		if open.Until != nil && (d.Until == nil || open.Until.Before(*d.Until)) {
			d.Until = open.Until
		}
	}
	if t.OpenRuns() > 0 {
		d.Reason = akitad.ReasonChildren
	}
	return d
}

// environment returns the values for the plan's expressions. A person's plan gets the parameters that were
// given with it, parsed as their declared types; every other plan gets the defaults.
func environment(t *journal.Task) (plan.Env, error) {
	params, err := plan.Params(*t.Planned.Plan, given(t))
	if err != nil {
		return plan.Env{}, verdict{akitad.Errorf(akitad.InvalidRequest, "%w", err)}
	}
	return plan.Env{Params: params}, nil
}

// byPerson reports whether a person wrote the plan.
func byPerson(t *journal.Task) bool { return t.Sub.Plan != "" || t.Sub.Flow != "" }

// given returns the parameters that a person gave with their plan.
func given(t *journal.Task) map[string]any {
	if !byPerson(t) {
		return nil
	}
	return t.Sub.Params
}

// endedRuns counts the ended tasks of steps, including those that were replaced. The number never goes
// down, so that an end is noticed even if the next attempt has begun.
func endedRuns(t *journal.Task) (n int) {
	for _, c := range t.Children {
		if c.Done {
			n++
		}
	}
	return n
}

// handOut journals the ready steps and submits their tasks. later is the time at which the next step is due
// that has to wait before its next attempt. All of this can be repeated, because ids are derived from the
// task, the step and the attempt. ErrMoot means that a step was refused.
func (o *Orchestrator) handOut(ctx context.Context, c *claim.Claim, t *journal.Task, f plan.Frontier) (later time.Time, err error) {
	now := time.Now()
	var due []started
	var fresh []journal.ChildRef
	for _, r := range f.Ready {
		ref, at := childFor(t, r)
		if at.After(now) {
			if later.IsZero() || at.Before(later) {
				later = at
			}
			continue
		}
		if !slices.ContainsFunc(t.Children, func(c journal.Child) bool { return c.ID == ref.ID }) {
			fresh = append(fresh, ref)
		}
		due = append(due, started{r, ref})
	}
	d := journal.DelegatedData{Skipped: newNotes(t, f)}
	refused := map[string]bool{}
	if len(fresh) > 0 {
		var notes []journal.StepNote
		d.Children, notes = o.affordable(ctx, t, fresh)
		for _, n := range notes {
			refused[n.Step] = true
		}
		d.Skipped = append(d.Skipped, notes...)
	}
	if len(d.Children)+len(d.Skipped) > 0 {
		if err := c.Append(ctx, journal.Delegated, d); err != nil {
			return later, err
		}
	}
	for _, s := range due {
		if refused[s.ID] {
			continue
		}
		if err := o.submitStep(ctx, t, s); err != nil {
			return later, err
		}
	}
	if len(refused) > 0 {
		return later, claim.ErrMoot // first handle the steps that need the refused one
	}
	return later, nil
}

// started is a step with its child.
type started struct {
	plan.Ready
	ref journal.ChildRef
}

// newNotes returns the steps that are settled without a task of their own and not recorded yet: nothing
// else in the journal tells what became of them.
func newNotes(t *journal.Task, f plan.Frontier) []journal.StepNote {
	var out []journal.StepNote
	add := func(state string, notes []plan.Note) {
		for _, n := range notes {
			known := slices.ContainsFunc(t.Skipped, func(s journal.StepNote) bool { return s.Step == n.ID })
			ran := slices.ContainsFunc(t.Children, func(c journal.Child) bool { return c.Run == n.ID || journal.StepOf(c.Run) == n.ID })
			if !known && !ran {
				out = append(out, noteOf(state, n))
			}
		}
	}
	add(plan.StepSkipped, f.Skipped)
	add(plan.StepBlocked, f.Blocked)
	add(plan.StepFailed, f.Failed)
	add(plan.StepCompleted, f.Done) // a for_each over an empty list
	return out
}

// noteOf returns the record of a step that is settled without a task.
func noteOf(state string, n plan.Note) journal.StepNote {
	out := journal.StepNote{Step: n.ID, State: state, Reason: n.Reason}
	if state == plan.StepFailed && n.Failure != nil {
		out.Kind, out.Reason = n.Failure.Kind, n.Failure.Message
	}
	return out
}

func stepText(s akitad.Step) string {
	switch s.Kind() {
	case "tool":
		return "run the tool " + s.Tool
	case "model":
		return s.Prompt
	}
	return s.Goal
}

func (o *Orchestrator) submitStep(ctx context.Context, t *journal.Task, r started) error {
	switch {
	case followsUp(t, r.ref): // the follow-up is submitted when its predecessor is joined
		return nil
	case slices.ContainsFunc(t.Children, func(c journal.Child) bool { return c.ID == r.ref.ID && c.Placed }):
		return nil
	}
	why := reasons(t, r.ref)
	sub := t.ChildData(profileFor(r.Step), stepText(r.Step)+feedback(r.ID, why))
	step := r.Step
	needs := plan.Needs(written(*t.Planned.Plan, step.ID))
	sub.Call, sub.Step, sub.Attempt, sub.Reasons = r.ID, &step, r.ref.Attempt, why
	sub.MayReplan = step.Kind() == "agent" && mayReplan(t)
	if r.ref.ID != t.ChildID(r.ID) {
		sub.Key = string(r.ref.ID)
	}
	if len(step.Output) > 0 {
		schema, err := json.Marshal(step.Output)
		if err != nil {
			return fmt.Errorf("output schema of step %s: %w", step.ID, err)
		}
		sub.Schema = schema
	}
	for _, need := range needs {
		sub.Results = append(sub.Results, results(t, need)...)
	}
	if step.Context == "shared" {
		sub.Request = "The task this step is part of: " + t.Sub.Text
		for _, c := range t.Compiled.Spec.Constraints {
			sub.Request += "\nconstraint: " + c
		}
	}
	child, created, err := o.Journal.Create(ctx, r.ref.ID, sub)
	if created {
		journal.OpenSpans(ctx, o.Tracer, child, journal.OrchestratorProfile)
	}
	return err
}

// written returns the step as it is in the plan, before its expressions were replaced by values.
func written(p akitad.Plan, id string) akitad.Step {
	for _, s := range p.Steps {
		if s.ID == id {
			return s
		}
	}
	return akitad.Step{}
}

// results returns the results of a step, or of each item of it.
func results(t *journal.Task, step string) []journal.NamedResult {
	var out []journal.NamedResult
	for _, c := range t.Children {
		if !c.Done || (c.Run != step && !strings.HasPrefix(c.Run, step+"/")) {
			continue
		}
		n := journal.NamedResult{Name: c.Run}
		switch {
		case c.Result != nil:
			n.Text, n.Data = c.Result.Text, c.Result.Data
		case c.Error != nil:
			n.Failed = c.Error.Message
		default:
			n.Failed = string(c.State)
		}
		out = append(out, n)
	}
	return out
}

// finishPlan ends a task whose steps have all ended: with the result of its one last step, with the
// joined results of a plan that needed no agent, or by handing several results to an agent to join; so also
// when the person has said something meanwhile. ErrMoot says that they did so, or cancelled it, just now.
func (o *Orchestrator) finishPlan(ctx context.Context, c *claim.Claim, t *journal.Task, joined []plan.Result) error {
	good := slices.DeleteFunc(slices.Clone(joined), func(r plan.Result) bool { return r.State != plan.StepCompleted })
	if len(good) == 0 && len(lost(joined)) > 0 {
		return allStepsFailed(joined)
	}
	last := lastSteps(*t.Planned.Plan)
	switch {
	case !heard(t):
	case len(last) == 1 && find(joined, last[0]).State == plan.StepCompleted && satisfies(t, find(joined, last[0])):
		return o.complete(ctx, c, t, find(joined, last[0]), joined, heard)
	case onlyTools(*t.Planned.Plan):
		return o.complete(ctx, c, t, envelope(good), joined, heard)
	}
	return o.handOver(ctx, c, journal.WokenData{Reason: "the results are to be joined", To: t.Planned.Profile})
}

// satisfies reports whether a result satisfies the request's output schema, if there is one.
func satisfies(t *journal.Task, r plan.Result) bool {
	if len(t.Sub.Schema) == 0 {
		return true
	}
	_, err := tool.Satisfy(t.Sub.Schema, "result", r.Data)
	return err == nil
}

// lost returns the steps without a result, except those that were skipped by their own when.
func lost(joined []plan.Result) []plan.Result {
	return slices.DeleteFunc(slices.Clone(joined), func(r plan.Result) bool {
		return r.State == plan.StepCompleted && !r.Partial || r.State == plan.StepSkipped && r.Failure == nil
	})
}

// heard reports whether an agent was shown all that the person has said to the task.
func heard(t *journal.Task) bool { return len(t.Steers) <= t.SteersSeen }

// complete appends the end of a plan that needs no agent to join it, while still is true of it.
func (o *Orchestrator) complete(ctx context.Context, c *claim.Claim, t *journal.Task, r plan.Result, joined []plan.Result, still func(*journal.Task) bool) error {
	res := &akitad.Result{Text: r.Text, Data: r.Data, Artifacts: r.Files, Missing: plan.Missing(lost(joined)), Degraded: append([]akitad.Degradation{}, t.Degraded...)}
	res.Partial = len(res.Missing) > 0
	if t.IsRoot() {
		text.Lang(t.Sub.Origin.Lang).Finish(res)
	}
	return c.AppendIf(ctx, journal.Completed, journal.EndData{Result: res}, func(t *journal.Task) bool { return wanted(t) && still(t) })
}

// allStepsFailed is the failure of a plan without any result, with the kind that all failures share, if any.
func allStepsFailed(joined []plan.Result) error {
	var kind akitad.Kind
	var why []string
	for _, r := range joined {
		if r.Failure == nil {
			continue
		}
		if why = append(why, r.Step+": "+r.Failure.Message); kind != "" && kind != r.Failure.Kind {
			kind = akitad.AllFailed
			continue
		}
		kind = r.Failure.Kind
	}
	return verdict{akitad.Errorf(kind, "no step of the plan came to a result: %s", strings.Join(why, "; "))}
}

// lastSteps returns the steps that no other step needs.
func lastSteps(p akitad.Plan) []string {
	needed := map[string]bool{}
	for _, s := range p.Steps {
		for _, n := range plan.Needs(s) {
			needed[n] = true
		}
	}
	var out []string
	for _, s := range p.Steps {
		if !needed[s.ID] {
			out = append(out, s.ID)
		}
	}
	return out
}

func find(all []plan.Result, id string) plan.Result {
	for _, r := range all {
		if r.Step == id {
			return r
		}
	}
	return plan.Result{}
}

func onlyTools(p akitad.Plan) bool {
	return !slices.ContainsFunc(p.Steps, func(s akitad.Step) bool { return s.Kind() != "tool" })
}

// envelope joins the results of several steps in plan order.
func envelope(good []plan.Result) plan.Result {
	var b strings.Builder
	out := plan.Result{State: plan.StepCompleted}
	for i, r := range good {
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "**%s**\n%s", r.Step, strings.TrimSpace(r.Text))
		out.Files = plan.AddFiles(out.Files, r.Files)
	}
	out.Text = b.String()
	return out
}
