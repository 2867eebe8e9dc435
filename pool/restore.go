package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/workspace"
)

// restoreFiles restores the files of a retried task to their state after the last kept round: the version
// of that round, or, for files that were written only later, the state before the task. It can be repeated
// until the next round begins.
func (w *Worker) restoreFiles(ctx context.Context, dir *workspace.Dir, t *journal.Task) error {
	if !t.Restoring {
		return nil
	}
	undone := undoneFiles(t)
	if len(undone) > 0 {
		if _, err := dir.Revert(t.ID, undone); err != nil {
			return err
		}
	}
	if err := w.forgetSteps(ctx, t.Cut...); err != nil {
		return err
	}
	for _, f := range t.Files {
		if err := w.place(ctx, dir, f, false); err != nil {
			return err
		}
	}
	w.Log.Info("files are as they were", zap.String("task", string(t.ID)), zap.Int("rounds", len(t.Rounds)), zap.Strings("undone", undone))
	return nil
}

// undoneFiles returns the files that only dropped rounds have written.
func undoneFiles(t *journal.Task) []string {
	return slices.DeleteFunc(slices.Clone(t.Undone), func(name string) bool {
		return slices.ContainsFunc(t.Files, func(f akitad.File) bool { return f.Name == name })
	})
}

// restorable returns an error, before anything is written, if restoring needs a snapshot that is gone. A node
// that has not run the task needs no snapshot, because its files are not the task's.
func (w *Worker) restorable(dir *workspace.Dir, t *journal.Task) error {
	if !t.Restoring || !slices.Contains(t.RanOn, w.opts.Node) {
		return nil
	}
	here := slices.DeleteFunc(undoneFiles(t), func(name string) bool {
		_, err := dir.Stat(name)
		return akitad.KindOf(err) == akitad.NotFound
	})
	if len(here) == 0 {
		return nil
	}
	kept, err := dir.HasSnapshot(t.ID)
	if err != nil || kept {
		return err
	}
	return akitad.Errorf(akitad.NotFound, "nobody knows any more what was in %s before the task: its snapshot is gone", strings.Join(here, ", ")).
		WithHint(fmt.Sprintf("only the last %d tasks of a session that wrote something can go back to an earlier round; nothing was changed, ask for the work anew", workspace.SnapshotsKept))
}

// serveFolders serves the requests of other nodes to undo files in the folders of this node, until stop is
// called.
func (w *Worker) serveFolders(ctx context.Context) (stop func(), err error) {
	return w.Bus.ServeNode(w.opts.Node, func(body []byte) []byte {
		var ask journal.FolderAsk
		var out journal.FolderAnswer
		err := json.Unmarshal(body, &ask)
		if err == nil && ask.Task != "" {
			out.RolledBackData, err = w.rollback(ctx, ask)
		}
		out.Error = akitad.FailureOf(err)
		answer, err := json.Marshal(out)
		if err != nil {
			w.Log.Error("answer not written", zap.Error(err))
		}
		return answer
	})
}

// rollback undoes the files that a task wrote on this node, and then deletes the records of its steps.
func (w *Worker) rollback(ctx context.Context, ask journal.FolderAsk) (d journal.RolledBackData, err error) {
	dir, err := w.Workspace.Dir(ask.Folder)
	if err != nil {
		return d, fmt.Errorf("folder of %s: %w", ask.Task, err)
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	undone, err := dir.Rollback(ask.Task, ask.Files...)
	if akitad.KindOf(err) == akitad.NotFound && len(ask.Files) == 0 {
		err = nil
	}
	if err == nil {
		err = w.forgetSteps(ctx, ask.Task)
	}
	return journal.RolledBackData{Restored: undone.Restored, Removed: undone.Removed}, err
}
