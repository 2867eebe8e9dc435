package pool

import (
	"context"
	"fmt"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
)

// waitMost is how long a step waits at most for another one that holds its key: as long as a question to a
// person may stay open.
const waitMost = 24 * time.Hour

// maxLooks is the maximum number of tasks that are loaded to find out whether two tasks wait for each other.
const maxLooks = 200

// mayWait returns nil if the task may wait for the one that holds its key. It may not if that one waits for
// it, directly or through other steps and keys, or if it has waited for waitMost.
func (w *Worker) mayWait(ctx context.Context, t *journal.Task, holder *journal.Task) error {
	s := search{w: w, mine: map[akitad.TaskID]*journal.Task{}, seen: map[akitad.TaskID]bool{}}
	for up := t; up.Sub.Parent != ""; {
		above, err := w.Journal.Load(ctx, up.Sub.Parent)
		if err != nil {
			return fmt.Errorf("%w: %w", agent.ErrStore, err)
		}
		s.mine[above.ID], up = above, above
	}
	if s.mine[holder.ID] != nil {
		return akitad.Errorf(akitad.InvalidRequest, "step %s has the idempotency key %q, and so has the step that it runs in: it would wait for itself", t.Sub.Step.ID, t.Sub.Step.IdempotencyKey).
			WithHint("give one of the two another key")
	}
	other, theirs, err := s.waitsForMine(ctx, holder)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", agent.ErrStore, err)
	case other != nil:
		return akitad.Errorf(akitad.InvalidRequest, "two steps would wait for each other: %s waits for the idempotency key %q, which %s holds, and there %s waits for %q, which %s holds",
			stepName(t), t.Sub.Step.IdempotencyKey, stepName(holder), stepName(other), other.Sub.Step.IdempotencyKey, stepName(theirs)).
			WithHint("give the steps other keys, or have one of them need the other")
	case !t.Started.IsZero() && time.Since(t.Started) > waitMost:
		return akitad.Errorf(akitad.Timeout, "%s waited for the idempotency key %q for %s, and %s still holds it", stepName(t), t.Sub.Step.IdempotencyKey, waitMost, stepName(holder)).
			WithHint("see what " + string(holder.ID) + " waits for, or cancel it")
	}
	return nil
}

// stepName returns a name of a step with its task, for messages.
func stepName(t *journal.Task) string {
	if t.Sub.Step == nil {
		return "task " + string(t.ID)
	}
	return fmt.Sprintf("step %s (%s)", t.Sub.Step.ID, t.ID)
}

// search looks for a task that waits for one of mine.
type search struct {
	w    *Worker
	mine map[akitad.TaskID]*journal.Task // the waiting task and the tasks of which it is a part
	seen map[akitad.TaskID]bool
}

// waitsForMine searches t, the tasks below it, and the tasks for which those wait. It returns the first task
// that waits for a key that one of mine holds, and that one of mine; nil if there is none.
func (s *search) waitsForMine(ctx context.Context, t *journal.Task) (other, mine *journal.Task, err error) {
	if s.seen[t.ID] || len(s.seen) >= maxLooks || t.Final() {
		return nil, nil, nil
	}
	s.seen[t.ID] = true
	var next []akitad.TaskID
	if t.KeyHolder != "" {
		if mine := s.mine[t.KeyHolder]; mine != nil {
			return t, mine, nil
		}
		next = append(next, t.KeyHolder)
	}
	for _, c := range t.Children {
		if !c.Done {
			next = append(next, c.ID)
		}
	}
	for _, id := range next {
		below, err := s.w.Journal.Load(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		if other, mine, err = s.waitsForMine(ctx, below); err != nil || other != nil {
			return other, mine, err
		}
	}
	return nil, nil, nil
}
