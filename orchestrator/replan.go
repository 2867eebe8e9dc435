package orchestrator

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/tracing"
)

//go:embed replan.md
var replanPrompt string

// maxReplans is how often a rewrite of the unfinished steps of a root task's plan is tried.
const maxReplans = 2

// mayReplan reports whether the plan may be rewritten: not if a person wrote it, not by the offline engine,
// and not more than maxReplans times.
func mayReplan(t *journal.Task) bool {
	return !byPerson(t) && !t.Sub.Offline && t.Replans < maxReplans
}

// wish has the reasons why the unfinished steps should be rewritten.
type wish struct {
	causes  []string // the causes, see journal.ReplannedData
	reasons []string
	drifts  bool // the plan as a whole drifts
}

func (w *wish) add(t *journal.Task, cause, why string) {
	if !slices.Contains(t.Causes, cause) {
		w.causes, w.reasons = append(w.causes, cause), append(w.reasons, why)
	}
}

// rewriteWish collects the reasons for a rewrite that were not handled yet: a step that asks for it, steps
// that have finally failed, and signs of drift.
func rewriteWish(t *journal.Task, f plan.Frontier) (w wish, wished bool) {
	if !mayReplan(t) {
		return wish{}, false
	}
	begun := map[string]bool{}
	for _, c := range t.Children {
		begun[journal.StepOf(c.Run)] = true
		switch {
		case c.Run == "" || !c.Done:
		case c.Result != nil && c.Result.Replan != "":
			w.add(t, string(c.ID), "step "+c.Run+" asks for another plan: "+c.Result.Replan)
		case c.State == akitad.Failed && mendable(c.Error) && failedStep(f, c.Run) && !refusedRun(t, c.Run):
			w.add(t, string(c.ID), "step "+c.Run+" failed: "+failureOf(t, c).Message)
		}
	}
	for _, n := range f.Failed {
		if !begun[n.Step] && (n.Failure == nil || mendable(n.Failure)) {
			w.add(t, "step:"+n.Step, "step "+n.Step+" could not begin: "+n.Reason)
		}
	}
	driftWish(t, f, &w)
	return w, len(w.causes) > 0
}

// mendable reports whether other steps could help after a failure of this kind.
func mendable(f *akitad.Failure) bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case akitad.OverBudget, akitad.Cancelled, akitad.Expired:
		return false
	}
	return true
}

func failedStep(f plan.Frontier, run string) bool {
	return slices.ContainsFunc(f.Failed, func(n plan.Note) bool { return n.Step == journal.StepOf(run) })
}

// replan asks the planner to rewrite the unfinished steps. The outcome is recorded in any case, so that the
// same cause leads to one try only. If the rewrite is not valid, the old plan stays.
func (o *Orchestrator) replan(ctx context.Context, c *claim.Claim, t *journal.Task, f plan.Frontier, w wish) error {
	d := journal.ReplannedData{Causes: w.causes}
	kept := unfinishedKept(t, f)
	if w.drifts {
		o.supervise(ctx, guard.Drift, guard.Rewrite)
	}
	dr := o.draft(ctx, t, o.rewriteRequest(t, f, w), "the planner sees nothing better", func(r llm.Reply) (akitad.Plan, error) {
		return o.rewritten(t, r, kept)
	})
	d.Usage, d.Bills, d.Degraded, d.Reason = dr.usage, dr.bills, dr.degraded, dr.reason
	if dr.plan != nil {
		_, d.Kept = plan.Rewrite(*t.Planned.Plan, kept, akitad.Plan{})
		d.Plan, d.Reason = dr.plan, strings.Join(w.reasons, "; ")
	}
	o.decideReplan(ctx, d, w)
	return orCancel(c.AppendIf(ctx, journal.Replanned, d, wanted))
}

// unfinishedKept returns the steps that a rewrite must keep: those that have ended without a failure, that
// run, or that wait for a person.
func unfinishedKept(t *journal.Task, f plan.Frontier) []string {
	var kept []string
	keep := func(step string) {
		if !slices.Contains(kept, step) {
			kept = append(kept, step)
		}
	}
	for _, n := range slices.Concat(f.Done, f.Skipped, f.NeedsAnswer) {
		keep(n.Step)
	}
	for _, c := range t.Children {
		if c.Run != "" && !failedStep(f, c.Run) { // including a step that waits for its next attempt
			keep(journal.StepOf(c.Run))
		}
	}
	return slices.DeleteFunc(kept, func(id string) bool {
		return failedStep(f, id) || slices.ContainsFunc(f.Blocked, func(n plan.Note) bool { return n.Step == id })
	})
}

func (o *Orchestrator) rewriteRequest(t *journal.Task, f plan.Frontier, w wish) llm.Request {
	b := o.plannerBrief(t)
	b.Given = append(slices.Clone(b.Given), "the plan so far:\n"+plan.Marshal(*t.Planned.Plan)+"\nhow far each step has come:\n"+standing(t, f))
	for _, s := range t.Planned.Plan.Steps {
		for _, r := range results(t, s.ID) {
			b.Results = append(b.Results, llm.BriefResult{Step: r.Name, Text: clipped(r.Text), Data: clipped(string(r.Data)), Failed: clipped(r.Failed)})
		}
	}
	b.Problem = strings.Join(w.reasons, "\n")
	req := plannerRequest(t, b)
	req.System += "\n\n" + strings.TrimSpace(replanPrompt)
	return req
}

// maxShown is the maximum number of characters of each result that the planner sees.
const maxShown = 2000

func clipped(s string) string {
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return s
}

// standing describes the progress of the plan, one line per step.
func standing(t *journal.Task, f plan.Frontier) string {
	var lines []string
	for _, s := range t.Planned.Plan.Steps {
		state := "not begun"
		for name, notes := range map[string][]plan.Note{"finished": f.Done, "left out": f.Skipped, "failed": f.Failed, "cannot begin": f.Blocked} {
			if slices.ContainsFunc(notes, func(n plan.Note) bool { return n.ID == s.ID }) {
				state = name
			}
		}
		if state == "not begun" && slices.ContainsFunc(t.Children, func(c journal.Child) bool { return journal.StepOf(c.Run) == s.ID }) {
			state = "running"
		}
		lines = append(lines, s.ID+": "+state)
	}
	return strings.Join(lines, "\n")
}

// rewritten parses the planner's new steps and appends them to the kept ones. The offline engine cannot
// rewrite, since it would return a plan for the whole task; its reply counts as no plan.
func (o *Orchestrator) rewritten(t *journal.Task, reply llm.Reply, kept []string) (akitad.Plan, error) {
	if reply.Model == llm.OfflineModel {
		return akitad.Plan{}, nil
	}
	if reply.Finish == llm.FinishLength {
		return akitad.Plan{}, errCut()
	}
	next, err := plan.Parse(reply.Text)
	if err != nil || len(next.Steps) == 0 {
		return akitad.Plan{}, err
	}
	whole, kept := plan.Rewrite(*t.Planned.Plan, kept, next)
	if len(whole.Steps) == len(kept) && len(whole.Steps) == len(t.Planned.Plan.Steps) {
		return akitad.Plan{}, akitad.Errorf(akitad.InvalidRequest, "no step is new").WithHint("Write the steps that are still needed, or steps: [].")
	}
	return whole, plan.Validate(whole, o.knownFor(nil))
}

// decideReplan records the choice as a span.
func (o *Orchestrator) decideReplan(ctx context.Context, d journal.ReplannedData, w wish) {
	choice, reason := "rewrite", d.Reason
	if d.Plan == nil {
		choice, reason = "go on", fmt.Sprintf("%s (%s)", d.Reason, strings.Join(w.reasons, "; "))
	}
	_, span := o.Tracer.Start(ctx, akitad.SpanDecision, "replan", tracing.String("type", "replan"), tracing.Strings("options", []string{"rewrite", "go on"}))
	span.Set(tracing.String("choice", choice), tracing.String("reason", reason))
	span.End(nil)
	o.Log.Info("the plan's unfinished steps", zap.String("choice", choice), zap.String("reason", reason))
}
