package orchestrator

import (
	"context"
	"slices"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// The children of a cancelled task end within two seconds. A rollback waits for them.
const (
	stopTime = 5 * time.Second
	stopLook = 50 * time.Millisecond
)

// whole returns an ended task with the nodes and files of all tasks below it, including those that were still
// running when it ended. If one of them does not stop, the error is a Conflict.
func (o *Orchestrator) whole(ctx context.Context, t *journal.Task) (*journal.Task, error) {
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	for {
		out := t.Snapshot()
		busy, err := o.gather(ctx, out, t)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		if err == nil && busy == "" {
			return out, nil
		}
		select {
		case <-time.After(stopLook):
		case <-ctx.Done():
			return nil, conflictf("try again in a moment", "task %s has ended, but what it delegated is still stopping: %s", t.ID, busy)
		}
	}
}

// gather adds the nodes and files of the tasks below t to out. busy is a task that has not ended, if any.
func (o *Orchestrator) gather(ctx context.Context, out, t *journal.Task) (busy akitad.TaskID, err error) {
	for _, c := range t.Children {
		child, err := o.Journal.Load(ctx, c.ID)
		switch {
		case err != nil:
			return busy, err
		case !child.Exists(): // its parent ended before it was submitted
			continue
		case !child.Final():
			busy = child.ID
		}
		for _, n := range child.Nodes {
			if !slices.Contains(out.Nodes, n) {
				out.Nodes = append(out.Nodes, n)
			}
		}
		for _, f := range child.Files {
			if !slices.ContainsFunc(out.Files, func(have akitad.File) bool { return have.Name == f.Name }) {
				out.Files = append(out.Files, f)
			}
		}
		below, err := o.gather(ctx, out, child)
		if err != nil {
			return busy, err
		}
		if below != "" {
			busy = below
		}
	}
	return busy, nil
}
