package pool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/workspace"
)

// placeFiles brings the folder up to date with the journals: files that other nodes have written since this
// node last used the folder, given files (read-only), and the files of the task's own rounds and children.
// If only this node has worked in the folder, its files are not overwritten, so that a file that a person
// has edited stays edited.
func (w *Worker) placeFiles(ctx context.Context, dir *workspace.Dir, t *journal.Task) error {
	if err := w.placeEarlier(ctx, dir, t); err != nil {
		return err
	}
	inherited, err := w.inheritedFromElsewhere(ctx, t)
	if err == nil && (inherited || !w.onlyHere(t)) {
		err = dir.Snapshot(t.Sub.Root) // the files placed below are the task's own work, done on another node
	}
	if err != nil {
		return err
	}
	for _, f := range t.Sub.Files {
		if err := w.place(ctx, dir, f, !inherited); err != nil {
			return err
		}
	}
	for _, f := range t.Files {
		if err := w.place(ctx, dir, f, w.onlyHere(t)); err != nil {
			return err
		}
	}
	return nil
}

// onlyHere reports whether no other node has run the task or a part of it.
func (w *Worker) onlyHere(t *journal.Task) bool {
	return !slices.ContainsFunc(t.Nodes, func(n string) bool { return n != w.opts.Node })
}

// inheritedFromElsewhere reports whether the parent of a child has run on another node. Then the files that
// it passes on are newer than those here.
func (w *Worker) inheritedFromElsewhere(ctx context.Context, t *journal.Task) (bool, error) {
	written := func(f akitad.File) bool { return f.Mode != "ro" }
	if t.IsRoot() || !slices.ContainsFunc(t.Sub.Files, written) {
		return false, nil
	}
	parent, err := w.Journal.Load(ctx, t.Sub.Parent)
	return err == nil && !w.onlyHere(parent), err
}

// filesBack is the number of earlier tasks of a session whose files are looked at.
const filesBack = 100

// placeEarlier places the files that earlier tasks of the session wrote or were given on other nodes.
func (w *Worker) placeEarlier(ctx context.Context, dir *workspace.Dir, t *journal.Task) error {
	var missed []*journal.Task
	err := w.back(ctx, t, func(before *journal.Task) bool {
		if len(before.Nodes) > 0 && w.onlyHere(before) {
			return false
		}
		missed = append(missed, before)
		return len(missed) < filesBack
	})
	if err != nil {
		return err
	}
	for _, before := range slices.Backward(missed) {
		wrote := before.Files
		if before.RolledBack {
			wrote = nil
		}
		for _, f := range slices.Concat(before.Sub.Files, wrote) {
			err := w.place(ctx, dir, f, false)
			if kind := akitad.KindOf(err); kind == akitad.InvalidRequest || kind == akitad.NotFound {
				w.Log.Warn("a file of an earlier task is not here", zap.String("task", string(t.ID)), zap.String("file", f.Name), zap.Error(err))
				err = nil // the file belongs to an earlier task: this one can do without it
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// place writes a file unless it is there with the same content. With onlyAbsent, a file that differs or
// cannot be read is left alone. A given file is always restored.
func (w *Worker) place(ctx context.Context, dir *workspace.Dir, f akitad.File, onlyAbsent bool) error {
	have, err := dir.ReadFile(f.Name)
	given, absent := f.Mode == "ro", akitad.KindOf(err) == akitad.NotFound
	switch {
	case err == nil && (hashOf(have) == f.Artifact || onlyAbsent && !given):
		return nil
	case err != nil && !absent && !given:
		return nil
	}
	if f.Artifact == "" {
		return nil // it could not be fetched with its message, and the sender was told
	}
	body, err := w.Bus.GetArtifact(ctx, f.Artifact)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if given {
		return dir.Place(f.Name, body)
	}
	return dir.WriteFile(f.Name, body)
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// known returns the names of the files that the task's conversation was given or wrote: files of the task,
// of its parents, and of the earlier tasks of the session. It is nil, which means all files, if there are
// more than filesBack earlier tasks.
func (w *Worker) known(ctx context.Context, t *journal.Task) (map[string]bool, error) {
	names := map[string]bool{}
	add := func(t *journal.Task) {
		for _, f := range slices.Concat(t.Sub.Files, t.Files) {
			names[f.Name] = true
		}
	}
	for add(t); !t.IsRoot(); add(t) {
		parent, err := w.Journal.Load(ctx, t.Sub.Parent)
		if err != nil {
			return nil, err
		}
		if !parent.Exists() {
			return names, nil
		}
		t = parent
	}
	looked := 0
	err := w.back(ctx, t, func(before *journal.Task) bool {
		add(before)
		looked++
		return looked < filesBack
	})
	if looked == filesBack {
		return nil, err
	}
	return names, err
}

// keepFiles stores changed files of the folder as artifacts.
func (w *Worker) keepFiles(ctx context.Context, dir *workspace.Dir, names []string) ([]akitad.File, error) {
	return agent.KeepFiles(ctx, dir, names, w.Bus.PutArtifact, w.Log)
}
