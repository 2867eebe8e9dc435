package pool

import (
	"context"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
)

// How often a task's whole tree is looked at: its other tasks' journals must be read for that.
const (
	lookRounds = 4    // rounds between two looks,
	lookShare  = 0.05 // or less, if the task itself has used that share of a limit meanwhile
)

// meter knows what a task's tree may use and has used. What the task itself used is always up to
// date; what others of its tree used is as old as the last look. It serves one activation.
type meter struct {
	w      *Worker
	limits guard.Limits
	others guard.Spend // without the task's own
	own    guard.Spend // at the last look
	rounds int
	looked bool
}

// read gives the tree's limits and what it has used. Journals that cannot be read leave the figures
// of the look before: a store that fails is no reason to end a task.
func (m *meter) read(ctx context.Context, t *journal.Task) (guard.Limits, guard.Spend) {
	own := t.Spent()
	if m.due(t, own) {
		if err := m.look(ctx, t); err != nil {
			m.w.Log.Warn("the budget of a task is not up to date", zap.String("task", string(t.ID)), zap.Error(err))
		}
		m.own, m.rounds, m.looked = own, len(t.Rounds), true
	}
	return m.limits, m.others.Add(own)
}

func (m *meter) due(t *journal.Task, own guard.Spend) bool {
	grew := own.Sub(m.own)
	return !m.looked || len(t.Rounds)-m.rounds >= lookRounds || m.limits.Worst(grew).Share >= lookShare
}

// look reads the journals of the tree. A root task whose children have all joined reads none.
func (m *meter) look(ctx context.Context, t *journal.Task) error {
	root := t
	if !m.looked {
		m.limits = m.w.opts.Budget
	}
	if !t.IsRoot() {
		var err error
		if root, err = m.w.Journal.Load(ctx, t.Sub.Root); err != nil {
			return err
		}
	}
	m.limits = root.Limits(m.w.opts.Budget)
	others, err := m.w.Journal.Spent(ctx, root, t.ID)
	if err == nil {
		m.others = others
	}
	return err
}

// afford refuses a model step whose tree has used up its budget.
func (w *Worker) afford(ctx context.Context, t *journal.Task) error {
	limits, spent := (&meter{w: w}).read(ctx, t)
	if use := limits.Worst(spent); use.Share >= 1 {
		return akitad.Errorf(akitad.OverBudget, "the budget of this task is used up (%s)", use.Name)
	}
	return nil
}
