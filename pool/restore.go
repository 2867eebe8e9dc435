package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/workspace"
)

// restoreFiles makes the files that a retried task has written what they were at the round from which
// it goes on: the last kept edition of each, and what was there before the task for those that it wrote
// only later. It can be repeated until the next round begins.
func (w *Worker) restoreFiles(ctx context.Context, dir *workspace.Dir, t *journal.Task) error {
	if !t.Restoring {
		return nil
	}
	undone := slices.DeleteFunc(slices.Clone(t.Undone), func(name string) bool {
		return slices.ContainsFunc(t.Files, func(f akitad.File) bool { return f.Name == name })
	})
	if err := revert(dir, t.ID, undone); err != nil {
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

// revert gives files the content that they had before the task. Where this node has no snapshot of it
// there were none of them here: they go.
func revert(dir *workspace.Dir, task akitad.TaskID, names []string) error {
	if len(names) == 0 {
		return nil
	}
	_, err := dir.Revert(task, names)
	if akitad.KindOf(err) != akitad.NotFound {
		return err
	}
	for _, name := range names {
		if err := dir.Remove(name); err != nil && akitad.KindOf(err) != akitad.NotFound && akitad.KindOf(err) != akitad.PermissionDenied {
			return err
		}
	}
	return nil
}

// serveFolders answers those who want the folders of this node changed, until stop is called.
func (w *Worker) serveFolders() (stop func(), err error) {
	return w.Bus.ServeNode(w.opts.Node, func(body []byte) []byte {
		var ask journal.FolderAsk
		var out journal.FolderAnswer
		err := json.Unmarshal(body, &ask)
		if err == nil && ask.Task != "" {
			out.RolledBackData, err = w.rollback(ask)
		}
		out.Error = akitad.FailureOf(err)
		answer, err := json.Marshal(out)
		if err != nil {
			w.Log.Error("answer not written", zap.Error(err))
		}
		return answer
	})
}

// rollback undoes what a task wrote here. A task that wrote nothing has nothing to undo.
func (w *Worker) rollback(ask journal.FolderAsk) (d journal.RolledBackData, err error) {
	dir, err := w.Workspace.Dir(ask.Folder)
	if err != nil {
		return d, fmt.Errorf("folder of %s: %w", ask.Task, err)
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	undone, err := dir.Rollback(ask.Task, ask.Files...)
	if akitad.KindOf(err) == akitad.NotFound && len(ask.Files) == 0 {
		err = nil
	}
	return journal.RolledBackData{Restored: undone.Restored, Removed: undone.Removed}, err
}
