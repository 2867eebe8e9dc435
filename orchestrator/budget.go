package orchestrator

import (
	"context"
	"slices"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
)

// tree returns what the task's tree may use and what it has used. If journals cannot be read, there are no
// limits, because a failing store is no reason to refuse work.
func (o *Orchestrator) tree(ctx context.Context, t *journal.Task) (guard.Limits, guard.Spend) {
	root := t
	if !t.IsRoot() {
		var err error
		if root, err = o.Journal.Load(ctx, t.Sub.Root); err != nil {
			o.Log.Warn("the budget of a task cannot be read", zap.String("task", string(t.ID)), zap.Error(err))
			return guard.Limits{}, guard.Spend{}
		}
	}
	others, err := o.Journal.Spent(ctx, root, t.ID)
	if err != nil {
		o.Log.Warn("the budget of a task cannot be read", zap.String("task", string(t.ID)), zap.Error(err))
		return guard.Limits{}, guard.Spend{}
	}
	return root.Limits(o.opts.Budget), others.Add(t.Spent())
}

// usedUp returns the name of the limit of the task's tree that is used up, "" if a model may be called. The
// parameter also is usage that is not recorded yet.
func (o *Orchestrator) usedUp(ctx context.Context, t *journal.Task, also akitad.Usage) string {
	limits, spent := o.tree(ctx, t)
	if use := limits.Worst(spent.Add(guard.SpendOf(also))); use.Share >= 1 {
		return use.Name
	}
	return ""
}

// affordable divides the children that are to be delegated into those within the tree's maximum number of
// tasks and, with the reason, those beyond it. A plan's single calls do not count.
func (o *Orchestrator) affordable(ctx context.Context, t *journal.Task, refs []journal.ChildRef) (may []journal.ChildRef, refused []journal.StepNote) {
	if !slices.ContainsFunc(refs, func(r journal.ChildRef) bool { return !r.Single }) {
		return refs, nil
	}
	limits, spent := o.tree(ctx, t)
	for _, ref := range refs {
		if ref.Single || limits.MayDelegate(spent) {
			may = append(may, ref)
			if !ref.Single {
				spent.Tasks++
			}
			continue
		}
		err := overTasks(spent.Tasks)
		refused = append(refused, journal.StepNote{Step: ref.Run, State: string(akitad.Failed), Kind: err.Kind, Reason: err.Error()})
		o.supervise(ctx, guard.Spending, guard.Refuse)
	}
	return may, refused
}

func overTasks(n int) *akitad.Error {
	return akitad.Errorf(akitad.OverBudget, "%d tasks have been delegated already, and no more may be", n)
}

// refusals adds the outcomes of the steps that were refused: they have failed, and nobody is asked about them.
func refusals(t *journal.Task, out map[string]plan.Outcome) {
	for _, n := range t.Skipped {
		if n.Refused() {
			out[n.Step] = plan.Outcome{State: akitad.Failed, Failure: &akitad.Failure{Kind: n.Kind, Message: n.Reason}, Decision: plan.OnErrorFail}
		}
	}
}

// refusedRun reports whether a step, or an item of it, was refused.
func refusedRun(t *journal.Task, run string) bool {
	return slices.ContainsFunc(t.Skipped, func(n journal.StepNote) bool { return n.Refused() && n.Step == run })
}
