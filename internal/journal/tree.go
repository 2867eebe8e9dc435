package journal

import (
	"context"

	"github.com/akitad/akitad/internal/guard"
)

// Spent gives what the task itself used, with all its children that have joined.
func (t *Task) Spent() guard.Spend {
	s := guard.SpendOf(t.Usage)
	s.Active, s.Tasks = t.Active, t.Delegated()
	return s
}

// Spent gives what a task and everything below it have used so far, the children that still run
// included. In place of the task that seen is of, seen itself counts, as the newer fold; seen may be
// nil. A task that was purged counts nothing.
func (j *Journal) Spent(ctx context.Context, t, seen *Task) (guard.Spend, error) {
	if seen != nil && seen.ID == t.ID {
		t = seen
	}
	total := t.Spent()
	for _, c := range t.Children {
		if c.Done {
			continue
		}
		child := seen
		if seen == nil || seen.ID != c.ID {
			var err error
			if child, err = j.Load(ctx, c.ID); err != nil {
				return total, err
			}
		}
		below, err := j.Spent(ctx, child, seen)
		if err != nil {
			return total, err
		}
		total = total.Add(below)
	}
	return total, nil
}
