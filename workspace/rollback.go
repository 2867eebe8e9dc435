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

	"github.com/akitad/akitad"
)

// Rollback makes the folder what it was when Snapshot(task) was taken: files changed or removed
// since are as before, files made since are gone. Files that are the same are not touched. A task
// without a snapshot has written nothing, or it was too long ago: not_found.
func (d *Dir) Rollback(task akitad.TaskID) error {
	const op = "rollback"
	if !task.Valid() {
		return invalid(op, string(task), errors.New("not a task id"), "")
	}
	d.folder.mu.Lock()
	defer d.folder.mu.Unlock()
	s, err := d.openSnapshots()
	if err != nil {
		return fmt.Errorf("rollback: %w", err)
	}
	names, err := readList(s.list(task))
	if errors.Is(err, fs.ErrNotExist) {
		return &akitad.Error{
			Kind: akitad.NotFound, Op: op, Err: fmt.Errorf("no snapshot of task %s", task),
			Hint: fmt.Sprintf("only the last %d tasks that wrote something can be rolled back", SnapshotsKept),
		}
	}
	if err != nil {
		return fmt.Errorf("rollback: %w", err)
	}
	return d.restore(s, names)
}

func (d *Dir) restore(s *snapshots, names []kept) error {
	want := make(map[string]kept, len(names))
	for _, k := range names {
		want[k.Name] = k
	}
	if err := d.clear(want); err != nil {
		return classified("rollback", ".", err)
	}
	for _, k := range names { // parents come before what is in them
		if err := d.restoreOne(s, k); err != nil {
			return classified("rollback", k.Name, err)
		}
	}
	for _, k := range slices.Backward(names) { // a read-only folder last, when all in it is there
		if k.Kind == keptFolder {
			if err := d.root.Chmod(k.Name, k.Mode); err != nil {
				return classified("rollback", k.Name, err)
			}
		}
	}
	return nil
}

// clear removes what the snapshot does not have, or has as something else, and opens all folders.
func (d *Dir) clear(want map[string]kept) error {
	var extra []string
	err := d.walk(func(name string, info fs.FileInfo) error {
		if k, ok := want[name]; !ok || !k.is(info) {
			extra = append(extra, name)
		}
		if info.IsDir() {
			return d.root.Chmod(name, 0o700)
		}
		return nil
	})
	for _, name := range slices.Backward(extra) {
		err = errors.Join(err, d.root.RemoveAll(name))
	}
	return err
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

func (d *Dir) restoreOne(s *snapshots, k kept) error {
	switch k.Kind {
	case keptFolder:
		return d.root.MkdirAll(k.Name, 0o700)
	case keptLink:
		if have, err := d.root.Readlink(k.Name); err == nil && have == k.Target {
			return nil
		}
		if err := d.root.RemoveAll(k.Name); err != nil {
			return err
		}
		return d.root.Symlink(k.Target, k.Name)
	case keptFile:
		return d.restoreFile(s, k)
	}
	return nil
}

func (d *Dir) restoreFile(s *snapshots, k kept) error {
	if info, err := d.root.Lstat(k.Name); err == nil && info.Mode().Perm() == k.Mode {
		if stampOf(info) == k.Stamp || d.hash(k.Name) == k.Hash {
			return nil
		}
	}
	from, err := os.Open(s.content(k.Hash))
	if err != nil {
		return fmt.Errorf("read snapshot: %w", err)
	}
	defer from.Close()
	return d.replace("rollback", k.Name, k.Mode, func(w io.Writer) error {
		_, err := io.Copy(w, from)
		return err
	})
}

// hash gives the SHA-256 of a file in hex; "" if it cannot be read.
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
