package pool

import (
	"context"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
)

// How often the usage of a task's whole tree is read, for which the journals of its other tasks must be read.
const (
	lookRounds = 4    // after this many rounds,
	lookShare  = 0.05 // or earlier, when the task itself has used this share of a limit since
)

// meter measures the usage of a task's tree for one activation. The usage of the task itself is always up to
// date; that of the other tasks is as old as the last reading.
type meter struct {
	w      *Worker
	limits guard.Limits
	others guard.Spend // usage of the tree without the task itself
	own    guard.Spend // usage of the task itself at the last reading
	rounds int
	looked bool
}

// read returns the tree's limits and usage. If journals cannot be read, the figures of the last reading are
// used, because a failing store is no reason to end a task.
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

// look reads the journals of the tree. For a root task whose children have all joined it reads none.
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

// afford returns an error if the budget of a model step's tree is used up.
func (w *Worker) afford(ctx context.Context, t *journal.Task) error {
	limits, spent := (&meter{w: w}).read(ctx, t)
	if use := limits.Worst(spent); use.Share >= 1 {
		return akitad.Errorf(akitad.OverBudget, "the budget of this task is used up (%s)", use.Name)
	}
	return nil
}
