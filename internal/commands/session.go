package commands

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/disk"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/text"
)

// fresh starts an empty conversation. A task that waits for an answer is ended: whatever is written
// next belongs to the new conversation, so nobody could answer it any more.
func (c *Commands) fresh(ctx context.Context, m akitad.Message, _ string) (string, error) {
	t, err := c.running(ctx, m)
	if err != nil {
		return "", err
	}
	if t != nil && t.State == akitad.Waiting && t.Question() != "" {
		if err := c.Orchestrator.Cancel(ctx, t.ID, "a new conversation was started"); err != nil {
			return "", err
		}
	}
	return c.lang(m).NewSession(), c.Orchestrator.NewSession(ctx, m.Session)
}

// stop ends the running task. Its placeholder says so; there is no other reply.
func (c *Commands) stop(ctx context.Context, m akitad.Message, _ string) (string, error) {
	t, err := c.running(ctx, m)
	if err != nil {
		return "", err
	}
	if t == nil {
		return c.lang(m).NothingToStop(), nil
	}
	return "", c.Orchestrator.Cancel(ctx, t.ID, "stopped in the chat")
}

func (c *Commands) steer(ctx context.Context, m akitad.Message, words string) (string, error) {
	lang := c.lang(m)
	if words == "" {
		return usage(lang, "steer"), nil
	}
	m.Text = words
	done, err := c.Orchestrator.Correct(ctx, m)
	switch {
	case err != nil:
		return "", err
	case !done:
		return lang.NothingToSteer(), nil
	}
	return lang.SteerAccepted(), nil
}

// plan makes the words a task whose plan is shown before anything runs. The plan is the reply, in time.
func (c *Commands) plan(ctx context.Context, m akitad.Message, words string) (string, error) {
	if words == "" && len(m.Files) == 0 {
		return usage(c.lang(m), "plan"), nil
	}
	m.Text = words
	err := c.Orchestrator.Take(ctx, m)
	if words := full(c.lang(m), err); words != "" {
		return words, nil
	}
	return "", err
}

// full gives the words for a disk without room for new work, empty for any other error.
func full(lang text.Lang, err error) string {
	if low, ok := errors.AsType[*disk.Low](err); ok {
		return lang.DiskLow(low.Free, low.Reserve)
	}
	return ""
}

// running gives the task that has the session's turn, nil if none has.
func (c *Commands) running(ctx context.Context, m akitad.Message) (*journal.Task, error) {
	id, running, err := c.Orchestrator.Running(ctx, m.Session)
	if err != nil || !running {
		return nil, err
	}
	return c.Journal.Load(ctx, id)
}

func (c *Commands) status(ctx context.Context, m akitad.Message, _ string) (string, error) {
	lang := c.lang(m)
	t, err := c.running(ctx, m)
	if err != nil {
		return "", err
	}
	if t == nil {
		return lang.Idle(), nil
	}
	queue, err := c.Orchestrator.Queued(ctx, m.Session)
	if err != nil {
		return "", err
	}
	p := progress(t, time.Now())
	p.Queued = len(queue)
	return describe(lang, p, t), nil
}

// task shows one task, or lists the newest of the conversation.
func (c *Commands) task(ctx context.Context, m akitad.Message, args string) (string, error) {
	lang := c.lang(m)
	if args == "" {
		return c.tasks(ctx, m)
	}
	id := akitad.TaskID(args)
	if !id.Valid() {
		return lang.TaskNotFound(args), nil
	}
	t, err := c.Journal.Load(ctx, id)
	if err != nil {
		return "", err
	}
	if !t.Exists() || !visible(t, m) {
		return lang.TaskNotFound(args), nil
	}
	out := describe(lang, progress(t, time.Now()), t)
	if t.Result != nil && t.Result.Text != "" {
		out += "\n\n" + t.Result.Text
	}
	if t.Error != nil {
		out += "\n\n" + lang.Failed(*t.Error)
	}
	return out, nil
}

// visible reports whether whoever wrote m may see the task: it is their own, or of this conversation.
func visible(t *journal.Task, m akitad.Message) bool {
	mine := m.Origin.Person() != "" && t.Sub.Origin.Person() == m.Origin.Person()
	return mine || (m.Session != "" && t.Sub.Session == m.Session)
}

// maxListed is how many tasks or entries one reply lists.
const maxListed = 20

func (c *Commands) tasks(ctx context.Context, m akitad.Message) (string, error) {
	lang := c.lang(m)
	rows, _, err := c.Projection.List(ctx, projection.Filter{Session: m.Session, Limit: 10 * maxListed})
	if err != nil {
		return "", err
	}
	var lines []string
	for _, r := range rows {
		if r.Parent == "" && len(lines) < maxListed {
			lines = append(lines, lang.TaskLine(text.Progress{Task: string(r.ID), State: string(r.State), Text: r.Text}))
		}
	}
	if len(lines) == 0 {
		return lang.NoTasks(), nil
	}
	return strings.Join(lines, "\n"), nil
}

func describe(lang text.Lang, p text.Progress, t *journal.Task) string {
	out := lang.Status(p)
	if q := t.Question(); q != "" {
		out += "\n" + lang.Asked(q)
	}
	return out
}

// progress gives how far a task is at now.
func progress(t *journal.Task, now time.Time) text.Progress {
	p := text.Progress{Task: string(t.ID), Text: t.Sub.Text, State: string(t.State), Reason: t.Reason, Rounds: len(t.Rounds)}
	switch {
	case t.Started.IsZero():
	case t.Final():
		p.For = t.Ended.Sub(t.Started)
	default:
		p.For = now.Sub(t.Started)
	}
	for _, s := range t.View().Steps {
		p.Steps++
		if s.State != "pending" && s.State != "running" {
			p.Step++
		}
	}
	return p
}
