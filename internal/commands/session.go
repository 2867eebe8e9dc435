package commands

import (
	"context"
	"errors"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/disk"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/policy"
	"github.com/akitad/akitad/internal/text"
)

// fresh starts an empty conversation. What runs goes on; a task that waits for an answer is ended:
// whatever is written next belongs to the new conversation, so nobody could answer it any more. In a group
// an owner's task is not for others to end. Words behind the command are the first of the new conversation.
func (c *Commands) fresh(ctx context.Context, r request) (string, error) {
	t, err := c.target(ctx, r)
	if err != nil {
		return "", err
	}
	reply := r.lang.NewSession()
	switch {
	case t == nil || t.Final():
	case t.State == akitad.Waiting && t.Question() != "" && policy.CheckJoin(t.Sub.Origin, r.Origin) == nil:
		if err := c.Orchestrator.Cancel(ctx, t.ID, "a new conversation was started"); err != nil {
			return "", err
		}
		reply += "\n" + r.lang.GivenUp(asked(t))
	default:
		queue, err := c.Orchestrator.Queued(ctx, r.Session)
		if err != nil {
			return "", err
		}
		reply += "\n" + r.lang.GoesOn(asked(t), len(queue))
	}
	if err := c.Orchestrator.NewSession(ctx, r.Session, r.Task); err != nil || r.args == "" && len(r.Files) == 0 {
		return reply, err
	}
	m := r.Message
	m.Text, m.Origin.Lang = r.args, string(r.lang)
	err = c.Orchestrator.Take(ctx, m)
	if words := full(r.lang, err); words != "" {
		return words, nil
	}
	return reply, err
}

// stop ends the running task, or the one that is named; in a group an owner's task is not for others to
// end.
func (c *Commands) stop(ctx context.Context, r request) (string, error) {
	id, _ := oneValue(r.args)
	find := c.target
	if id != "" {
		find = func(ctx context.Context, r request) (*journal.Task, error) { return c.seen(ctx, r, id) }
	}
	t, err := find(ctx, r)
	switch {
	case err != nil:
		return "", err
	case t == nil && id != "":
		return r.lang.TaskNotFound(id), nil
	case t == nil:
		return r.lang.NothingToStop(), nil
	case t.Final():
		return r.lang.EndedAlready(string(t.ID), string(t.State)), nil
	case policy.CheckJoin(t.Sub.Origin, r.Origin) != nil:
		return r.lang.NotYourTask(), nil
	}
	queue, err := c.Orchestrator.Queued(ctx, r.Session)
	if err != nil {
		return "", err
	}
	if t.Reason == akitad.ReasonQueued {
		queue = nil // it had no turn to pass on
	}
	return r.lang.Stopping(string(t.ID), asked(t), len(queue)), c.Orchestrator.Cancel(ctx, t.ID, "stopped in the chat")
}

func (c *Commands) steer(ctx context.Context, r request) (string, error) {
	if r.args == "" {
		return usage(r.lang, "steer"), nil
	}
	m := r.Message
	m.Text = r.args
	done, err := c.Orchestrator.Correct(ctx, m)
	switch {
	case akitad.KindOf(err) == akitad.PermissionDenied:
		return r.lang.NotYours(false), nil
	case err != nil:
		return "", err
	case !done:
		return r.lang.NothingToSteer(), nil
	}
	return r.lang.SteerAccepted(), nil
}

// plan makes the words a task whose plan is shown before anything runs. The plan is the reply, in time.
func (c *Commands) plan(ctx context.Context, r request) (string, error) {
	if r.args == "" && len(r.Files) == 0 {
		return usage(r.lang, "plan"), nil
	}
	m := r.Message
	m.Text, m.Origin.Lang, m.PlanAsk = r.args, string(r.lang), true
	err := c.Orchestrator.Take(ctx, m)
	if words := full(r.lang, err); words != "" {
		return words, nil
	}
	return "", err
}

// full returns the words for a disk without room for new work, empty for any other error.
func full(lang text.Lang, err error) string {
	if low, ok := errors.AsType[*disk.Low](err); ok {
		return lang.DiskLow(low.Free, low.Reserve)
	}
	return ""
}

// running returns the task that has the session's turn, nil if none has.
func (c *Commands) running(ctx context.Context, r request) (*journal.Task, error) {
	id, running, err := c.Orchestrator.Running(ctx, r.Session)
	if err != nil || !running {
		return nil, err
	}
	return c.Journal.Load(ctx, id)
}

// target returns the task that had the session's turn when the message came for the first time, nil if none
// had: what has an effect does it once, and to that one.
func (c *Commands) target(ctx context.Context, r request) (*journal.Task, error) {
	id, running, err := c.Orchestrator.Running(ctx, r.Session)
	if err != nil {
		return nil, err
	}
	if !running {
		id = ""
	}
	at, err := c.Orchestrator.Aim(ctx, r.Session, r.Task, string(id))
	if at == "" || err != nil {
		return nil, err
	}
	return c.Journal.Load(ctx, akitad.TaskID(at))
}

// seen returns the task of that id, or the one whose id begins so; nil if there is none that the person may
// see, or several.
func (c *Commands) seen(ctx context.Context, r request, id string) (*journal.Task, error) {
	if !strings.HasPrefix(id, "t_") {
		return nil, nil
	}
	if !akitad.TaskID(id).Valid() {
		whole, err := c.whole(ctx, r, id)
		if whole == "" || err != nil {
			return nil, err
		}
		id = string(whole)
	}
	t, err := c.Journal.Load(ctx, akitad.TaskID(id))
	if err != nil || !t.Exists() || !visible(t, r.Message) {
		return nil, err
	}
	return t, nil
}

// whole completes the beginning of an id, "" if not exactly one of the person's tasks begins so.
func (c *Commands) whole(ctx context.Context, r request, begin string) (found akitad.TaskID, err error) {
	rows, _, err := c.Projection.List(ctx, projection.Filter{IDPrefix: begin, Limit: projection.MaxLimit})
	for _, row := range rows {
		mine := r.Origin.Sender != "" && row.Channel == r.Origin.Channel && row.Sender == r.Origin.Sender
		if !mine && (r.Session == "" || row.Session != r.Session) {
			continue
		}
		if found != "" {
			return "", err
		}
		found = row.ID
	}
	return found, err
}

// visible reports whether whoever wrote m may see the task: it is their own, or of this conversation.
func visible(t *journal.Task, m akitad.Message) bool {
	mine := m.Origin.Person() != "" && t.Sub.Origin.Person() == m.Origin.Person()
	return mine || (m.Session != "" && t.Sub.Session == m.Session)
}
