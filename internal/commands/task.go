package commands

import (
	"context"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/text"
)

// maxListed is how many tasks or entries one reply lists.
const maxListed = 20

// task shows one task, or lists the newest of the conversation.
func (c *Commands) task(ctx context.Context, r request) (string, error) {
	id, _ := oneValue(r.args)
	if id == "" {
		return c.tasks(ctx, r)
	}
	t, err := c.seen(ctx, r, id)
	switch {
	case err != nil:
		return "", err
	case t == nil:
		return r.lang.TaskNotFound(id), nil
	}
	parts := []string{describe(r.lang, r.lang.StatusHead(progress(t, time.Now())), t), r.lang.TaskDetails(facts(t))}
	out := strings.Join(parts, "\n")
	if t.Result != nil && t.Result.Text != "" {
		out += "\n\n" + t.Result.Text
	}
	if t.Error != nil {
		out += "\n\n" + r.lang.Failed(*t.Error)
	}
	return out, nil
}

func facts(t *journal.Task) text.TaskFacts {
	v := t.View()
	f := text.TaskFacts{
		Profile: v.Profile, Model: t.Sub.Model, Flow: v.Flow, Created: v.Created.Local(), Rounds: v.Rounds, Calls: v.Usage.Calls, Rating: v.Rating,
		Took: progress(t, time.Now()).For,
	}
	files := t.Files
	if v.Result != nil {
		files = v.Result.Artifacts
	}
	for i, file := range files {
		if i == maxListed {
			f.Files = append(f.Files, "…")
			break
		}
		f.Files = append(f.Files, text.FileLine(file.Name, file.Size))
	}
	return f
}

func (c *Commands) tasks(ctx context.Context, r request) (string, error) {
	rows, _, err := c.Projection.List(ctx, projection.Filter{Session: r.Session, Limit: 10 * maxListed})
	if err != nil {
		return "", err
	}
	var lines []string
	for _, row := range rows {
		if row.Parent != "" || len(lines) >= maxListed {
			continue
		}
		words, err := c.wordsOf(ctx, row)
		if err != nil {
			return "", err
		}
		lines = append(lines, r.lang.TaskLine(text.Progress{Task: string(row.ID), State: string(row.State), Text: words}))
	}
	if len(lines) == 0 {
		return r.lang.NoTasks(), nil
	}
	return strings.Join(lines, "\n"), nil
}

// wordsOf returns what the task of a row was asked.
func (c *Commands) wordsOf(ctx context.Context, row projection.Row) (string, error) {
	if strings.TrimSpace(row.Text) != "" {
		return row.Text, nil
	}
	t, err := c.Journal.Load(ctx, row.ID)
	if err != nil {
		return "", err
	}
	return asked(t), nil
}

// lastAnswered returns the newest task of the conversation that has an answer, from before it began anew
// too; nil for none.
func (c *Commands) lastAnswered(ctx context.Context, r request) (*journal.Task, error) {
	t, err := c.Orchestrator.LastAnswered(ctx, r.Session)
	if t != nil || err != nil || r.Session == "" {
		return t, err
	}
	rows, _, err := c.Projection.List(ctx, projection.Filter{Session: r.Session, State: akitad.Completed, Limit: 10 * maxListed})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row.Parent == "" {
			return c.Journal.Load(ctx, row.ID)
		}
	}
	return nil, nil
}
