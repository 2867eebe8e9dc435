package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/akitad/akitad"
)

// Undone says what Rollback did: which files and links were restored, and which were removed.
type Undone struct {
	Restored []string `json:"restored"`
	Removed  []string `json:"removed"`
}

// Rollback undoes the task's changes of the folder since Snapshot(task): it restores changed and removed files, and
// removes new ones. Changes since the snapshot of a later task belong to that task and stay, unless they are in
// also. Unchanged files are not touched, so a second call does nothing. Without a snapshot, because the task has
// written nothing or it was too long ago, the error is not_found.
func (d *Dir) Rollback(task akitad.TaskID, also ...string) (Undone, error) {
	return d.undo(task, func(s *snapshots, at snapshot) (func(string) bool, error) {
		next, err := s.after(at)
		if err != nil || next == nil {
			return func(string) bool { return true }, err
		}
		return func(name string) bool { return slices.Contains(also, name) || !same(at.find(name), next.find(name)) }, nil
	})
}

// Revert is Rollback for the given files only.
func (d *Dir) Revert(task akitad.TaskID, names []string) (Undone, error) {
	return d.undo(task, func(*snapshots, snapshot) (func(string) bool, error) {
		return func(name string) bool { return slices.Contains(names, name) }, nil
	})
}

// undo restores the files that scope selects to the state of a task's snapshot.
func (d *Dir) undo(task akitad.TaskID, scope func(*snapshots, snapshot) (func(string) bool, error)) (Undone, error) {
	const op = "rollback"
	none := Undone{Restored: []string{}, Removed: []string{}}
	if !task.Valid() {
		return none, invalid(op, string(task), errors.New("not a task id"), "")
	}
	d.folder.mu.Lock()
	defer d.folder.mu.Unlock()
	s, err := d.openSnapshots()
	if err != nil {
		return none, fmt.Errorf("rollback: %w", err)
	}
	at, err := readList(s.list(task))
	if errors.Is(err, fs.ErrNotExist) {
		return none, &akitad.Error{
			Kind: akitad.NotFound, Op: op, Err: fmt.Errorf("no snapshot of task %s", task),
			Hint: fmt.Sprintf("only the last %d tasks that wrote something can be rolled back", SnapshotsKept),
		}
	}
	if err != nil {
		return none, fmt.Errorf("rollback: %w", err)
	}
	in, err := scope(s, at)
	given, gerr := d.given()
	if err := errors.Join(err, gerr); err != nil {
		return none, fmt.Errorf("rollback: %w", err)
	}
	out, err := d.restore(s, at, func(name string) bool {
		_, ro := given[name]
		return in(name) && (!ro || at.find(name) != nil) // a file that was given since was not made by the task
	})
	if err != nil {
		return out, err
	}
	return out, s.forget(at, slices.Concat(out.Restored, out.Removed))
}

func (d *Dir) restore(s *snapshots, at snapshot, in func(string) bool) (Undone, error) {
	out := Undone{Restored: []string{}, Removed: []string{}}
	var err error
	if out.Removed, err = d.clear(at, in); err != nil {
		return out, classified("rollback", ".", err)
	}
	for _, k := range at.Names { // folders come before their contents
		if !in(k.Name) {
			continue
		}
		did, err := d.restoreOne(s, k)
		if err != nil {
			return out, classified("rollback", k.Name, err)
		}
		if did {
			out.Restored = append(out.Restored, k.Name)
		}
	}
	for _, k := range slices.Backward(at.Names) { // make folders read-only last, after their contents are restored
		if k.Kind != keptFolder {
			continue
		}
		if err := d.root.Chmod(k.Name, k.Mode); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return out, classified("rollback", k.Name, err)
		}
	}
	return out, nil
}

// clear removes what the snapshot does not have or has as another type, and makes all folders writable.
func (d *Dir) clear(at snapshot, in func(string) bool) (removed []string, err error) {
	var extra []string
	removed = []string{}
	err = d.walk(func(name string, info fs.FileInfo) error {
		if k := at.find(name); in(name) && (k == nil || !k.is(info)) {
			extra = append(extra, name)
			if !info.IsDir() {
				removed = append(removed, name)
			}
		}
		if info.IsDir() {
			return d.root.Chmod(name, 0o700)
		}
		return nil
	})
	for _, name := range slices.Backward(extra) { // contents before their folder
		if rerr := d.root.Remove(name); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) && !errors.Is(rerr, syscall.ENOTEMPTY) {
			err = errors.Join(err, rerr)
		}
	}
	return removed, err
}

func (k kept) is(info fs.FileInfo) bool {
	switch k.Kind {
	case keptFile:
		return info.Mode().IsRegular()
	case keptFolder:
		return info.IsDir()
	case keptLink:
		return info.Mode()&fs.ModeSymlink != 0
	}
	return !info.IsDir()
}

// same reports whether two snapshots have the same state of a name.
func same(a, b *kept) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.Mode == b.Mode && a.Hash == b.Hash && a.Target == b.Target
}

// restoreOne restores one file or link, and reports whether it had to be written.
func (d *Dir) restoreOne(s *snapshots, k kept) (did bool, err error) {
	switch k.Kind {
	case keptFolder:
		return false, d.root.MkdirAll(k.Name, 0o700)
	case keptLink:
		if have, err := d.root.Readlink(k.Name); err == nil && have == k.Target {
			return false, nil
		}
		if err := d.root.RemoveAll(k.Name); err != nil {
			return false, err
		}
		return true, d.root.Symlink(k.Target, k.Name)
	case keptFile:
		return d.restoreFile(s, k)
	}
	return false, nil
}

func (d *Dir) restoreFile(s *snapshots, k kept) (did bool, err error) {
	if info, err := d.root.Lstat(k.Name); err == nil && info.Mode().Perm() == k.Mode {
		if stampOf(info) == k.Stamp || d.hash(k.Name) == k.Hash {
			return false, nil
		}
	}
	from, err := os.Open(s.content(k.Hash))
	if err != nil {
		return false, fmt.Errorf("read snapshot: %w", err)
	}
	defer from.Close()
	return true, d.replace("rollback", k.Name, k.Mode, func(w io.Writer) error {
		_, err := io.Copy(w, from)
		return err
	})
}

// hash returns the SHA-256 of a file in hex, "" if it cannot be read.
func (d *Dir) hash(name string) string {
	f, err := d.open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}
