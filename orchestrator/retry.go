package orchestrator

import (
	"context"
	"fmt"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// Conflict is the error for a valid request that does not fit the state of the task. Its hint says what to
// do instead.
type Conflict struct{ Err *akitad.Error }

// Error returns the text of the cause.
func (c *Conflict) Error() string { return c.Err.Error() }

// Unwrap returns the cause, with its kind and hint.
func (c *Conflict) Unwrap() error { return c.Err }

func conflictf(hint, format string, args ...any) error {
	return &Conflict{akitad.Errorf(akitad.InvalidRequest, format, args...).WithHint(hint)}
}

// Retry reopens a root task that failed or was cancelled. The task continues after its last completed round,
// or after round *from with the files as they were then; 0 begins again. Completed steps of a plan stay
// completed. In a session, the task waits for its turn like a new message. The error is a Conflict for a
// task in another state or a delegated one, and invalid_request for a round that does not exist.
func (o *Orchestrator) Retry(ctx context.Context, id akitad.TaskID, from *int) error {
	t, err := o.known(ctx, id)
	if err != nil {
		return err
	}
	if err := mayRetry(t, from); err != nil {
		return err
	}
	journal.CloseSpans(ctx, o.Tracer, t) // once the task is reopened, this end is no longer visible
	if err := o.cancelChildren(ctx, t, "the task it belongs to is tried again"); err != nil {
		return err
	}
	journal.CloseSpans(ctx, o.Tracer, t) // dispatch does this at the end of a task, unless the retry is faster
	refused := error(nil)
	d := journal.RetriedData{From: from, Queued: t.Sub.Session != "", Reason: "asked for"}
	err = o.Journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if refused = mayRetry(t, from); refused != nil {
			return nil
		}
		return &journal.Decision{Kind: journal.Retried, Data: d}
	})
	if err == nil && refused == nil {
		journal.OpenSpans(ctx, o.Tracer, t, "")
	}
	return firstOf(err, refused)
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func mayRetry(t *journal.Task, from *int) error {
	switch {
	case !t.IsRoot():
		return conflictf("retry its root: akitad task retry "+string(t.Sub.Root), "task %s was delegated and belongs to %s", t.ID, t.Sub.Root)
	case t.State != akitad.Failed && t.State != akitad.WasCancelled:
		return conflictf("only failed and cancelled tasks can be retried", "task %s is %s", t.ID, t.State)
	case from == nil:
		return nil
	case *from < 0 || *from > t.DoneRounds():
		return akitad.Errorf(akitad.InvalidRequest, "task %s has no round %d to go on from", t.ID, *from).
			WithHint(fmt.Sprintf("give 0 to %d; 0 begins anew", t.DoneRounds()))
	case *from > 0 && t.Reopens():
		return akitad.Errorf(akitad.InvalidRequest, "steps of the plan of task %s run again, and its rounds come after them", t.ID).
			WithHint("leave the round out, or give 0")
	}
	return nil
}

// cancelChildren cancels the children for which a task no longer waits.
func (o *Orchestrator) cancelChildren(ctx context.Context, t *journal.Task, why string) error {
	for _, c := range t.Children {
		if c.Done && !c.GivenUp { // a child that was given up may not be cancelled yet, after a crash
			continue
		}
		if err := o.Cancel(ctx, c.ID, why); err != nil && akitad.KindOf(err) != akitad.NotFound {
			return err
		}
	}
	return nil
}

// cancelGivenUp cancels the children that another agent gave up.
func (o *Orchestrator) cancelGivenUp(ctx context.Context, t *journal.Task) error {
	for _, c := range t.Children {
		if !c.GivenUp {
			continue
		}
		if err := o.Cancel(ctx, c.ID, "another agent took over the task it belongs to"); err != nil && akitad.KindOf(err) != akitad.NotFound {
			return err
		}
	}
	return nil
}

// enterAgain returns a retried task a place in its session, which it had left when it ended.
func (o *Orchestrator) enterAgain(ctx context.Context, t *journal.Task) error {
	if t.Retries == 0 {
		return nil
	}
	_, err := o.changeSession(ctx, t.Sub.Session, func(s *sessionState) bool {
		return s.enterAgain(place{Task: t.ID, Follows: t.Sub.Follows, Try: t.Retries})
	})
	if err != nil {
		return err
	}
	if err := o.Journal.Refresh(ctx, t); err != nil || !t.Final() {
		return err
	}
	return o.passTurn(ctx, t) // the task was cancelled meanwhile
}
