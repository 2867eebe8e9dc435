package orchestrator

import (
	"context"
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/tracing"
)

// driftCause is the prefix of a drift sign's key in the causes of a rewrite.
const driftCause = "drift:"

// driftWish adds the new signs of drift to the wish, if there are steps left that could be rewritten.
func driftWish(t *journal.Task, f plan.Frontier, w *wish) {
	if !stepsLeft(t, f) {
		return
	}
	for _, s := range planSteps(t).Signs() {
		before := len(w.causes)
		w.add(t, driftCause+s.Key, s.Reason)
		w.drifts = w.drifts || len(w.causes) > before
	}
}

// planSteps counts the signs of a drifting plan. The items of a for_each count as one step.
func planSteps(t *journal.Task) (p guard.PlanSteps) {
	add := func(list *[]string, step string) {
		if !slices.Contains(*list, step) {
			*list = append(*list, step)
		}
	}
	for _, c := range t.Children {
		if c.Run == "" {
			continue
		}
		p.Further += attempt(c.ChildRef) - 1
		switch {
		case !c.Done || c.Result == nil || c.State != akitad.Completed:
		case c.Result.Next != nil:
			add(&p.Overran, journal.StepOf(c.Run))
		case c.Result.Partial:
			add(&p.Partial, journal.StepOf(c.Run))
		}
	}
	return p
}

// stepsLeft reports whether there is a step that has neither begun nor ended.
func stepsLeft(t *journal.Task, f plan.Frontier) bool {
	begun := map[string]bool{}
	for _, c := range t.Children {
		begun[journal.StepOf(c.Run)] = true
	}
	for _, n := range slices.Concat(f.Done, f.Skipped, f.Blocked, f.Failed, f.NeedsAnswer) {
		begun[n.Step] = true
	}
	return slices.ContainsFunc(t.Planned.Plan.Steps, func(s akitad.Step) bool { return !begun[s.ID] })
}

// supervise records an intervention as a span.
func (o *Orchestrator) supervise(ctx context.Context, pattern string, action guard.Action) {
	level := "warn"
	if action == guard.Refuse {
		level = "limit"
	}
	_, span := o.Tracer.Start(ctx, akitad.SpanSupervision, pattern, tracing.String("pattern", pattern),
		tracing.String("level", level), tracing.String("action", string(action)))
	span.End(nil)
}
