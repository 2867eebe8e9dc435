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

// If a process starts with at least warmFrom work items, Warm reads the newest warmEvents events of the
// stream in one pass. Loading the tasks one by one is slow, because the search for a task's next event
// goes through the events of all others: with 1,000 running tasks it took two fifths of the time until
// all of them ran again.
const (
	warmFrom   = 50
	warmEvents = 20_000
)

// Warm fills the cache of folds with the unfinished tasks, if many work items wait, and returns their
// number. The error joins those of journals that could not be read; the others are kept all the same. It
// only saves time, and is to be called once, before a process begins to work.
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
			continue // whoever loads this task meets the error again
		}
		if t.Exists() {
			j.kept.put(t, time.Now())
			tasks++
		}
	}
	return tasks, errors.Join(errs...)
}

// unfinished returns the events, from a sequence on, of each task that has not ended. The events of a task
// that was submitted before that sequence make no fold, and it is not kept.
func (j *Journal) unfinished(ctx context.Context, from uint64) (map[akitad.TaskID][]bus.Stored, error) {
	open := map[akitad.TaskID][]bus.Stored{}
	err := j.bus.ScanTasks(ctx, []string{"akita.task.>"}, from, func(s bus.Stored) error {
		id, route, err := split(s.Subject)
		if route == RouteEnd { // a task that is retried later is loaded on demand
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
