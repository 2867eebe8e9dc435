package commands

import (
	"context"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// status tells what runs, how far it is, what it waits for and what waits behind it.
func (c *Commands) status(ctx context.Context, r request) (string, error) {
	t, err := c.running(ctx, r)
	if err != nil {
		return "", err
	}
	set := r.lang.Set(r.set.Model, r.set.Profile)
	if t == nil {
		return strings.TrimSpace(r.lang.Idle() + "\n" + set), nil
	}
	queue, err := c.Orchestrator.Queued(ctx, r.Session)
	if err != nil {
		return "", err
	}
	p := progress(t, time.Now())
	p.Queued = len(queue)
	waiting, err := c.waiting(ctx, r, queue)
	if err != nil {
		return "", err
	}
	return strings.Join(without("", describe(r.lang, r.lang.Status(p), t), waiting, set), "\n"), nil
}

// waiting lists the messages that wait for their turn.
func (c *Commands) waiting(ctx context.Context, r request, queue []akitad.TaskID) (string, error) {
	if len(queue) == 0 {
		return "", nil
	}
	lines := []string{r.lang.StatusQueue(len(queue))}
	for i, id := range queue[:min(len(queue), maxListed)] {
		t, err := c.Journal.Load(ctx, id)
		if err != nil {
			return "", err
		}
		lines = append(lines, text.QueueLine(i+1, string(id), asked(t)))
	}
	if more := len(queue) - maxListed; more > 0 {
		lines = append(lines, r.lang.MemoryMore(more))
	}
	return strings.Join(lines, "\n"), nil
}

// asked returns what a task was asked, or without words the name of what was sent.
func asked(t *journal.Task) string {
	if words := strings.TrimSpace(t.Sub.Text); words != "" || len(t.Sub.Files) == 0 {
		return words
	}
	return t.Sub.Files[0].Name
}

// describe tells how a task stands: its state as head has it, each step of its plan, and what it asks.
func describe(lang text.Lang, head string, t *journal.Task) string {
	lines := append([]string{head}, steps(lang, t)...)
	if q := t.Question(); q != "" && !t.Final() {
		lines = append(lines, lang.Asked(q))
	}
	if s := t.Silent; s != nil && t.State == akitad.Running {
		lines = append(lines, lang.Stalled(s.Endpoint, s.Next))
	}
	if t.State == akitad.Waiting && t.Until != nil {
		lines = append(lines, lang.WaitsUntil(t.Reason, journal.PlanCall(t.QuestionCall()), t.Until.Local()))
	}
	return strings.Join(lines, "\n")
}

// steps returns a line for each step of a task's plan.
func steps(lang text.Lang, t *journal.Task) []string {
	var out []string
	v := t.View()
	for i, s := range v.Steps {
		var why akitad.Failure
		if s.Error != nil {
			why = *s.Error
		}
		out = append(out, lang.StatusStep(s.State, s.ID, about(v.Plan.Steps[i]), why))
	}
	return out
}

// about says in a few words what a step does.
func about(s akitad.Step) string {
	switch s.Kind() {
	case "tool":
		return s.Tool
	case "model":
		return s.Prompt
	}
	return s.Goal
}

// progress returns how far a task is at now.
func progress(t *journal.Task, now time.Time) text.Progress {
	p := text.Progress{Task: string(t.ID), Text: asked(t), State: string(t.State), Reason: t.ShownReason(), Rounds: len(t.Rounds)}
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

// without leaves out of the words those that are w.
func without(w string, words ...string) []string {
	var out []string
	for _, s := range words {
		if s != w {
			out = append(out, s)
		}
	}
	return out
}
