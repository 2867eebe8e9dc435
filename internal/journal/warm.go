package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// When a process starts with at least warmFrom items of work, the newest warmEvents of the stream are
// read in one pass. A search for one task's next event passes every event of the others in between: for
// 1,000 tasks that run side by side, this was two fifths of the time until all of them ran again.
const (
	warmFrom   = 50
	warmEvents = 20_000
)

// Warm reads the journals of unfinished tasks at once, if many are about to be loaded, and says how many
// it keeps. One that cannot be read is an error beside the others. It is worth its time once, before a
// process begins to work; nothing depends on it.
func (j *Journal) Warm(ctx context.Context) (tasks int, err error) {
	items, last, err := j.bus.Backlog(ctx)
	if err != nil || items < warmFrom {
		return 0, err
	}
	return j.warmFrom(ctx, last-min(last, warmEvents)+1)
}

func (j *Journal) warmFrom(ctx context.Context, seq uint64) (tasks int, err error) {
	open, err := j.unfinished(ctx, seq)
	if err != nil {
		return 0, fmt.Errorf("read unfinished tasks: %w", err)
	}
	var errs []error
	for id, events := range open {
		t := NewTask(id)
		if err := j.fold(ctx, t, events); err != nil {
			errs = append(errs, fmt.Errorf("read journal of %s: %w", id, err))
			continue // who needs it will hear of it; the others are as good as before
		}
		if t.Exists() {
			j.kept.put(t, time.Now())
			tasks++
		}
	}
	return tasks, errors.Join(errs...)
}

// unfinished gives the events from sequence from on of each task that has not ended. A task that began
// before has no beginning here: its fold does not exist and is not kept.
func (j *Journal) unfinished(ctx context.Context, from uint64) (map[akitad.TaskID][]bus.Stored, error) {
	open := map[akitad.TaskID][]bus.Stored{}
	err := j.bus.ScanTasks(ctx, []string{"akita.task.>"}, from, func(s bus.Stored) error {
		id, route, err := split(s.Subject)
		if route == RouteEnd { // if it was retried since, it is read when somebody asks
			delete(open, id)
			return err
		}
		open[id] = append(open[id], s)
		return err
	})
	return open, err
}

func (j *Journal) fold(ctx context.Context, t *Task, events []bus.Stored) error {
	for _, s := range events {
		e, err := j.decode(ctx, t.ID, s)
		if err != nil {
			return err
		}
		if err := t.Apply(e); err != nil {
			return err
		}
	}
	return nil
}

func split(subject string) (akitad.TaskID, Route, error) {
	parts := strings.Split(subject, ".")
	if len(parts) != 4 {
		return "", "", fmt.Errorf("%q is no subject of a task", subject)
	}
	return akitad.TaskID(parts[2]), Route(parts[3]), nil
}
