package pool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/workspace"
)

// placeFiles brings the folder to what the journals say: what other nodes wrote since this one last
// had the folder, given files read-only, the files of the task's own rounds and children. Where only
// this node has worked the folder is the truth, and a file that a person edited since stays edited.
func (w *Worker) placeFiles(ctx context.Context, dir *workspace.Dir, t *journal.Task) error {
	if err := w.placeEarlier(ctx, dir, t); err != nil {
		return err
	}
	inherited, err := w.inheritedFromElsewhere(ctx, t)
	if err == nil && (inherited || !w.onlyHere(t)) {
		err = dir.Snapshot(t.Sub.Root) // what is placed below is the task's own work, done elsewhere
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

// inheritedFromElsewhere reports whether a child's parent has run on another node: then the files that
// it hands on are newer than what is here.
func (w *Worker) inheritedFromElsewhere(ctx context.Context, t *journal.Task) (bool, error) {
	written := func(f akitad.File) bool { return f.Mode != "ro" }
	if t.IsRoot() || !slices.ContainsFunc(t.Sub.Files, written) {
		return false, nil
	}
	parent, err := w.Journal.Load(ctx, t.Sub.Parent)
	return err == nil && !w.onlyHere(parent), err
}

// placeEarlier brings what the session's tasks before this one wrote, or were given, on other nodes.
func (w *Worker) placeEarlier(ctx context.Context, dir *workspace.Dir, t *journal.Task) error {
	var missed []*journal.Task
	err := w.back(ctx, t, func(before *journal.Task) bool {
		if len(before.Nodes) > 0 && w.onlyHere(before) {
			return false
		}
		missed = append(missed, before)
		return true
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
				err = nil // it is not this task's own: it can go on without
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// place writes a file unless its bytes are there. OnlyAbsent leaves one that differs alone, and so does
// one that may not be read, save that a given file is always put back.
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
		return nil // it could not be had when its message came, as its sender was told
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

// known gives the names of the files that the task's conversation was given or wrote: those of the task, of
// the tasks that it is a part of, and of those of the session that they follow. It is nil, for any file,
// if the conversation is longer than it is looked back.
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
		return true
	})
	if looked == maxBack {
		return nil, err
	}
	return names, err
}

// keepFiles stores changed files as artifacts. A file that is gone again by now, or that may not be
// read, is not kept.
func (w *Worker) keepFiles(ctx context.Context, dir *workspace.Dir, names []string) ([]akitad.File, error) {
	var out []akitad.File
	for _, name := range names {
		body, err := dir.ReadFile(name)
		switch akitad.KindOf(err) {
		case "":
		case akitad.NotFound, akitad.PermissionDenied, akitad.InvalidRequest:
			w.Log.Info("changed file is not kept", zap.String("file", name), zap.Error(err))
			continue
		default:
			return nil, fmt.Errorf("keep %s: %w", name, err)
		}
		hash, err := w.Bus.PutArtifact(ctx, body)
		if err != nil {
			return nil, fmt.Errorf("keep %s: %w", name, err)
		}
		out = append(out, akitad.File{Name: name, Artifact: hash, Size: int64(len(body))})
	}
	return out, nil
}
