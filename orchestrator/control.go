package orchestrator

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// Cancel ends a task for good. A running task is asked to stop and ends within two seconds; any other ends
// at once. Its children are cancelled after it has ended. A task that has ended already is not changed.
func (o *Orchestrator) Cancel(ctx context.Context, id akitad.TaskID, reason string) error {
	t, err := o.known(ctx, id)
	if err != nil {
		return err
	}
	return o.Journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		switch {
		case t.Final(), t.State == akitad.Running && t.AskedCancel:
			return nil
		case t.State == akitad.Running:
			return &journal.Decision{Kind: journal.CancelAsk, Data: journal.AskData{Reason: reason}}
		}
		return &journal.Decision{Kind: journal.Cancelled, Data: journal.EndData{
			Error: &akitad.Failure{Kind: akitad.Cancelled, Message: "cancelled: " + reason},
		}}
	})
}

// Steer hands a correction to a task; its agent reads it before its next round. A task that has ended, or that is
// one call of a plan, is a Conflict.
func (o *Orchestrator) Steer(ctx context.Context, id akitad.TaskID, words string) error {
	if strings.TrimSpace(words) == "" {
		return akitad.Errorf(akitad.InvalidRequest, "the steer has no text").WithHint("say what should be different")
	}
	t, err := o.known(ctx, id)
	if err != nil {
		return err
	}
	if s := t.Sub.Step; s != nil && s.Kind() != "agent" && !t.Final() {
		return conflictf("say it to the task whose plan it is: akitad task steer "+string(t.Sub.Root), "task %s is one call of a plan, and nobody there reads words", id)
	}
	done, err := o.answer(ctx, t, openQuestion(t), akitad.Message{Text: words})
	if err != nil || done {
		return err
	}
	if done, err = o.appendSteer(ctx, t, journal.SteeredData{Text: words}); err == nil && !done {
		return ended(t)
	}
	return err
}

// Pause holds a task after its running round until Resume, also over restarts. If the task has ended, the
// error is a Conflict.
func (o *Orchestrator) Pause(ctx context.Context, id akitad.TaskID) error {
	return o.ask(ctx, id, journal.Paused, func(t *journal.Task) bool { return t.IsPaused })
}

// Resume lets a paused task continue. If the task has ended, the error is a Conflict.
func (o *Orchestrator) Resume(ctx context.Context, id akitad.TaskID) error {
	return o.ask(ctx, id, journal.Resumed, func(t *journal.Task) bool { return !t.IsPaused })
}

func (o *Orchestrator) ask(ctx context.Context, id akitad.TaskID, kind akitad.EventKind, already func(*journal.Task) bool) error {
	t, err := o.known(ctx, id)
	if err != nil {
		return err
	}
	if t.Final() {
		return ended(t)
	}
	done, err := o.Journal.Decided(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Final() || already(t) {
			return nil
		}
		return &journal.Decision{Kind: kind, Data: journal.AskData{}}
	})
	if err == nil && !done && t.Final() { // it ended meanwhile
		return ended(t)
	}
	return err
}

// Rate records a person's rating of the result, 1 to 5 stars. A task that has not ended has none, which is a
// Conflict.
func (o *Orchestrator) Rate(ctx context.Context, id akitad.TaskID, stars int) error {
	if stars < 1 || stars > 5 {
		return akitad.Errorf(akitad.InvalidRequest, "%d stars: give 1 to 5", stars)
	}
	t, err := o.known(ctx, id)
	if err != nil {
		return err
	}
	if !t.Final() {
		return conflictf("its result can be rated once it has ended", "task %s is %s", id, t.State)
	}
	return o.Journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Rating == stars {
			return nil
		}
		return &journal.Decision{Kind: journal.Rated, Data: journal.RatedData{Stars: stars}}
	})
}

// known loads a task that must exist.
func (o *Orchestrator) known(ctx context.Context, id akitad.TaskID) (*journal.Task, error) {
	if !id.Valid() {
		return nil, akitad.Errorf(akitad.NotFound, "%q is not a task id", id).WithHint("task ids begin with t_; list them with: akitad task ls")
	}
	t, err := o.Journal.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	if !t.Exists() {
		return nil, akitad.Errorf(akitad.NotFound, "there is no task %s", id).WithHint("list the known ones with: akitad task ls")
	}
	return t, nil
}

// ended returns the Conflict for an action that is not possible once the task has ended.
func ended(t *journal.Task) error {
	hint := "start a new task"
	if t.State != akitad.Completed && t.IsRoot() {
		hint += ", or retry it: akitad task retry " + string(t.ID)
	}
	return conflictf(hint, "task %s has ended (%s)", t.ID, t.State)
}

// questionTo returns the open call that a message from the given origin answers, "" if none. Questions about
// a plan, a budget or whether to continue are decided by the person who sent the task, or by an owner;
// messages of other members of a group do not answer them.
func (o *Orchestrator) questionTo(t *journal.Task, from akitad.Origin) string {
	call, of := openQuestion(t), t.Sub.Origin
	switch {
	case !journal.Decides(call), of.Sender == "":
		return call
	case from.Channel != of.Channel, from.Sender != of.Sender && !from.Owner && (from.Sender == "" || from.Sender != o.opts.Owners[of.Channel]):
		return ""
	}
	return call
}
