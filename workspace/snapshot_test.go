package workspace_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/workspace"
	"pgregory.net/rapid"
)

// state gives all that can be seen of a folder: kind, permissions, content, by name.
func state(t testing.TB, d *workspace.Dir) map[string]string {
	t.Helper()
	seen := map[string]string{}
	err := filepath.WalkDir(d.Path(), func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == d.Path() {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		text := info.Mode().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += " " + string(data)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			target, _ := os.Readlink(path)
			text += " " + target
		}
		seen[strings.TrimPrefix(path, d.Path())] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

func rollback(d *workspace.Dir, task akitad.TaskID) error {
	_, err := d.Rollback(task)
	return err
}

func TestRollback(t *testing.T) {
	d, _ := setup(t)
	task := akitad.DeriveTaskID("1")
	in := func(n string) string { return filepath.Join(d.Path(), n) }
	must(t, d.WriteFile("keep", []byte("kept")))
	must(t, d.WriteFile("edit", []byte("before")))
	must(t, d.WriteFile("sub/gone", []byte("gone")))
	must(t, d.Place("given", []byte("given")))
	must(t, os.Symlink("/etc/passwd", in("link")))
	must(t, os.Chmod(in("sub"), 0o500))
	t.Cleanup(func() { os.Chmod(in("sub"), 0o700) })
	want := state(t, d)
	must(t, d.Snapshot(task))
	kept, err := os.Stat(in("keep"))
	must(t, err)

	must(t, os.Chmod(in("sub"), 0o700))
	must(t, d.WriteFile("edit", []byte("after")))
	must(t, d.Snapshot(task)) // a later one changes nothing
	must(t, os.Remove(in("sub/gone")))
	must(t, d.WriteFile("new/deep/file", []byte("new")))
	must(t, os.Remove(in("link")))
	must(t, os.Mkdir(in("link"), 0o700))
	must(t, os.Chmod(in("given"), 0o600))
	must(t, rollback(d, task))
	if got := state(t, d); !maps.Equal(got, want) {
		t.Errorf("after the rollback\n%v\nwant\n%v", got, want)
	}
	again, err := os.Stat(in("keep"))
	must(t, err)
	if !os.SameFile(kept, again) {
		t.Error("an unchanged file was written again")
	}
	must(t, rollback(d, task))
}

func TestRollbackLeavesAloneWhatCannotBeKept(t *testing.T) {
	d, root := setup(t)
	plant(t, d, root)
	task := akitad.DeriveTaskID("1")
	must(t, d.Snapshot(task))
	must(t, d.WriteFile("new", nil))
	must(t, rollback(d, task))
	for _, name := range []string{"hard", "pipe", "absolute"} {
		if _, err := os.Lstat(filepath.Join(d.Path(), name)); err != nil {
			t.Error(err)
		}
	}
	found := 0
	filepath.WalkDir(filepath.Join(root, "snapshots"), func(path string, e fs.DirEntry, _ error) error {
		if data, err := os.ReadFile(path); err == nil && strings.Contains(string(data), "secret") {
			found++
		}
		return nil
	})
	if found > 0 {
		t.Error("a file linked from outside was copied into the snapshot")
	}
}

func TestRollbackWithoutSnapshot(t *testing.T) {
	d, _ := setup(t)
	wantKind(t, "rollback", rollback(d, akitad.DeriveTaskID("x")), akitad.NotFound)
	wantKind(t, "rollback", rollback(d, "../../x"), akitad.InvalidRequest)
	wantKind(t, "snapshot", d.Snapshot("../../x"), akitad.InvalidRequest)
}

func TestTenSnapshotsAreKept(t *testing.T) {
	d, root := setup(t)
	task := func(i int) akitad.TaskID { return akitad.DeriveTaskID(fmt.Sprint(i)) }
	const more = 3
	for i := range workspace.SnapshotsKept + more {
		must(t, d.WriteFile("f", []byte(fmt.Sprint("content ", i))))
		must(t, d.Snapshot(task(i)))
	}
	for i := range more {
		wantKind(t, fmt.Sprint("rollback to ", i), rollback(d, task(i)), akitad.NotFound)
	}
	must(t, rollback(d, task(more)))
	if got := read(t, d, "f"); got != fmt.Sprint("content ", more) {
		t.Errorf("f is %q", got)
	}
	contents, err := os.ReadDir(filepath.Join(root, "snapshots", d.Name(), "content"))
	must(t, err)
	if len(contents) != workspace.SnapshotsKept {
		t.Errorf("%d contents are stored, want %d", len(contents), workspace.SnapshotsKept)
	}
}

func TestSnapshotsShareContent(t *testing.T) {
	d, root := setup(t)
	must(t, d.WriteFile("big", []byte(strings.Repeat("x", 1<<20))))
	must(t, d.Snapshot(akitad.DeriveTaskID("1")))
	must(t, d.WriteFile("small", []byte("y")))
	must(t, d.Snapshot(akitad.DeriveTaskID("2")))
	contents, err := os.ReadDir(filepath.Join(root, "snapshots", d.Name(), "content"))
	must(t, err)
	if len(contents) != 2 {
		t.Errorf("%d contents are stored, want 2", len(contents))
	}
}

// Whatever is done to a folder after a snapshot, the rollback undoes it.
func TestRollbackUndoesAnything(t *testing.T) {
	base, n := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		w, err := workspace.Open(filepath.Join(base, fmt.Sprint(n)))
		must(t, err)
		d, err := w.Dir("x")
		must(t, err)
		defer d.Close()
		names := rapid.SampledFrom([]string{"a", "b", "a/b", "b/a", "a/b/c", "c"})
		change := func(rt *rapid.T) {
			name, path := names.Draw(rt, "name"), filepath.Join(d.Path(), names.Draw(rt, "path"))
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0:
				_ = d.WriteFile(name, []byte(rapid.StringN(0, 5, -1).Draw(rt, "text")))
			case 1:
				_ = os.Remove(filepath.Join(d.Path(), name))
			case 2:
				_ = os.RemoveAll(path)
			case 3:
				_ = os.Symlink("a", path)
			case 4:
				_ = os.Mkdir(path, 0o700)
			}
		}
		for range rapid.IntRange(0, 8).Draw(rt, "before") {
			change(rt)
		}
		want := state(t, d)
		must(t, d.Snapshot(akitad.DeriveTaskID("t")))
		for range rapid.IntRange(0, 8).Draw(rt, "after") {
			change(rt)
		}
		must(t, rollback(d, akitad.DeriveTaskID("t")))
		if got := state(t, d); !maps.Equal(got, want) {
			rt.Fatalf("got %v, want %v", got, want)
		}
	})
}

// A program names files as it likes: with bytes that are no text, and in towers of folders.
func TestRollbackKnowsAnyName(t *testing.T) {
	d, _ := setup(t)
	in := func(name string) string { return filepath.Join(d.Path(), name) }
	must(t, os.WriteFile(in("a\xffb"), []byte("x"), 0o600))
	must(t, os.Symlink("a", in("l\xfe")))
	must(t, os.Symlink("a\xffb", in("target")))
	task := akitad.DeriveTaskID("names")
	must(t, d.Snapshot(task))
	must(t, os.WriteFile(in("new\xff"), nil, 0o600))
	undone, err := d.Rollback(task)
	must(t, err)
	if !slices.Equal(undone.Removed, []string{"new\xff"}) || len(undone.Restored) > 0 {
		t.Errorf("undone %q", undone)
	}
	for _, name := range []string{"a\xffb", "l\xfe", "target"} {
		if _, err := os.Lstat(in(name)); err != nil {
			t.Error(err)
		}
	}
}

func TestATowerOfFolders(t *testing.T) {
	d, _ := setup(t)
	top := strings.Repeat("d/", 90)
	must(t, os.MkdirAll(filepath.Join(d.Path(), top+strings.Repeat("d/", 110)), 0o700))
	for _, folder := range []string{top, top + strings.Repeat("d/", 110)} {
		must(t, os.WriteFile(filepath.Join(d.Path(), folder, "f"), nil, 0o600))
	}
	files, err := d.Files()
	must(t, err)
	if len(files) != 1 || files[0].Name != top+"f" {
		t.Errorf("files %v", files)
	}
	task := akitad.DeriveTaskID("tower")
	must(t, d.Snapshot(task))
	_, err = d.Rollback(task)
	must(t, err)
	if _, err := os.Stat(filepath.Join(d.Path(), top, strings.Repeat("d/", 110), "f")); err != nil {
		t.Errorf("a rollback removed what no snapshot has seen: %v", err)
	}
}
