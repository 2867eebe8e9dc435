package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/text"
)

// runPlan hands out the steps that are ready and puts the task to sleep until one of its running
// steps ends; when all have, it ends the task or hands it to an agent that joins the results.
func (o *Orchestrator) runPlan(ctx context.Context, c *claim.Claim) error {
	for {
		t := c.Snapshot()
		p := *t.Planned.Plan
		env := plan.Env{Params: t.Sub.Params}
		f := plan.Next(p, outcomes(t), env, o.mayOverlap)
		if f.Finished {
			return o.finishPlan(ctx, c, t, plan.Envelope(p, outcomes(t), env))
		}
		if len(f.NeedsAnswer) > 0 && t.OpenRuns() == 0 {
			return o.stepNeedsAnswer(f.NeedsAnswer)
		}
		if err := o.handOut(ctx, c, t, f); err != nil {
			return err
		}
		ended := endedRuns(t)
		err := c.AppendIf(ctx, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonChildren, Any: true},
			func(t *journal.Task) bool { return endedRuns(t) == ended && !t.AskedCancel })
		if !errors.Is(err, claim.ErrMoot) {
			return err
		}
		if c.Snapshot().AskedCancel {
			return claim.ErrCancelAsked
		}
	}
}

// stepNeedsAnswer ends a plan whose step failed under on_error: ask when nobody can be asked.
func (o *Orchestrator) stepNeedsAnswer(notes []plan.Note) error {
	n := notes[0]
	msg := "step " + n.ID + " failed and asks what to do"
	if n.Failure != nil {
		msg += ": " + n.Failure.Message
	}
	return akitad.Errorf(akitad.ToolFailed, "%s", msg).WithHint("mend the cause and run the plan again, or set on_error to skip")
}

// outcomes are the ends of the plan's steps, by run.
func outcomes(t *journal.Task) map[string]plan.Outcome {
	out := map[string]plan.Outcome{}
	for _, c := range t.Children {
		if c.Run != "" && c.Done {
			out[c.Run] = plan.Outcome{State: c.State, Result: c.Result, Failure: c.Error}
		}
	}
	return out
}

func endedRuns(t *journal.Task) int { return len(outcomes(t)) }

// handOut names the ready steps in the journal and submits them. Both can be repeated: ids are
// derived from the task and the step.
func (o *Orchestrator) handOut(ctx context.Context, c *claim.Claim, t *journal.Task, f plan.Frontier) error {
	var d journal.DelegatedData
	for _, r := range f.Ready {
		id := t.ChildID(r.ID)
		if !slices.ContainsFunc(t.Children, func(c journal.Child) bool { return c.ID == id }) {
			d.Children = append(d.Children, journal.ChildRef{ID: id, Run: r.ID, Profile: profileFor(r.Step), Goal: stepText(r.Step)})
		}
	}
	d.Skipped = newNotes(t, f)
	if len(d.Children)+len(d.Skipped) > 0 {
		if err := c.Append(ctx, journal.Delegated, d); err != nil {
			return err
		}
	}
	for _, r := range f.Ready {
		if err := o.submitStep(ctx, t, r); err != nil {
			return err
		}
	}
	return nil
}

// newNotes are the steps that will not run and are not on record yet.
func newNotes(t *journal.Task, f plan.Frontier) []journal.StepNote {
	var out []journal.StepNote
	add := func(state string, notes []plan.Note) {
		for _, n := range notes {
			known := slices.ContainsFunc(t.Skipped, func(s journal.StepNote) bool { return s.Step == n.ID })
			ran := slices.ContainsFunc(t.Children, func(c journal.Child) bool { return c.Run == n.ID })
			if !known && !ran {
				out = append(out, journal.StepNote{Step: n.ID, State: state, Reason: n.Reason})
			}
		}
	}
	add("skipped", f.Skipped)
	add("blocked", f.Blocked)
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

func (o *Orchestrator) submitStep(ctx context.Context, t *journal.Task, r plan.Ready) error {
	sub := t.ChildData(profileFor(r.Step), stepText(r.Step))
	step := r.Step
	needs := plan.Needs(written(*t.Planned.Plan, step.ID))
	sub.Call, sub.Step = r.ID, &step
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
	}
	child, created, err := o.Journal.Create(ctx, t.ChildID(r.ID), sub)
	if created {
		journal.OpenSpans(ctx, o.Tracer, child, journal.OrchestratorProfile)
	}
	return err
}

// written gives the step as the plan has it, before its expressions became values.
func written(p akitad.Plan, id string) akitad.Step {
	for _, s := range p.Steps {
		if s.ID == id {
			return s
		}
	}
	return akitad.Step{}
}

// results are what a step, or each item of it, ended with.
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
// joined results of a plan that needed no agent, or by handing several results to an agent to join.
func (o *Orchestrator) finishPlan(ctx context.Context, c *claim.Claim, t *journal.Task, joined []plan.Result) error {
	good := slices.DeleteFunc(slices.Clone(joined), func(r plan.Result) bool { return r.State != plan.StepCompleted })
	if len(good) == 0 {
		return allStepsFailed(joined)
	}
	last := lastSteps(*t.Planned.Plan)
	switch {
	case len(last) == 1 && find(joined, last[0]).State == plan.StepCompleted:
		return o.complete(ctx, c, t, find(joined, last[0]), joined)
	case onlyTools(*t.Planned.Plan):
		return o.complete(ctx, c, t, envelope(good), joined)
	}
	return c.Append(ctx, journal.Woken, journal.WokenData{Reason: "the results are to be joined", To: t.Planned.Profile})
}

// complete appends the end of a plan that needs no agent to join it.
func (o *Orchestrator) complete(ctx context.Context, c *claim.Claim, t *journal.Task, r plan.Result, joined []plan.Result) error {
	res := &akitad.Result{Text: r.Text, Data: r.Data, Artifacts: r.Files, Missing: plan.Missing(joined), Degraded: append([]akitad.Degradation{}, t.Degraded...)}
	res.Partial = len(res.Missing) > 0
	text.Lang(t.Sub.Origin.Lang).Finish(res)
	return c.AppendIf(ctx, journal.Completed, journal.EndData{Result: res}, func(t *journal.Task) bool { return !t.AskedCancel })
}

func allStepsFailed(joined []plan.Result) error {
	kind, why := akitad.ToolFailed, []string{}
	for _, r := range joined {
		if r.Failure != nil {
			kind = r.Failure.Kind
			why = append(why, r.Step+": "+r.Failure.Message)
		}
	}
	return akitad.Errorf(kind, "no step of the plan came to a result: %s", strings.Join(why, "; "))
}

// lastSteps are the steps that no other needs.
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
		out.Files = append(out.Files, r.Files...)
	}
	out.Text = b.String()
	return out
}
