package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/workspace"
)

func contents(t *testing.T, d *workspace.Dir, want map[string]string) {
	t.Helper()
	for name, text := range want {
		body, err := os.ReadFile(filepath.Join(d.Path(), name))
		if text == "" && os.IsNotExist(err) {
			continue
		}
		if err != nil || string(body) != text {
			t.Errorf("%s is %q (%v), want %q", name, body, err, text)
		}
	}
}

func undone(t *testing.T, got workspace.Undone, err error, restored, removed []string) {
	t.Helper()
	if err != nil || !slices.Equal(got.Restored, restored) || !slices.Equal(got.Removed, removed) {
		t.Errorf("restored %q, removed %q (%v), want %q and %q", got.Restored, got.Removed, err, restored, removed)
	}
}

// threeTasks is a folder in which three tasks wrote one after another.
func threeTasks(t *testing.T) (d *workspace.Dir, one, two, three akitad.TaskID) {
	t.Helper()
	ws, err := workspace.Open(t.TempDir())
	must(t, err)
	d, err = ws.Dir("folder")
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	one, two, three = akitad.DeriveTaskID("1"), akitad.DeriveTaskID("2"), akitad.DeriveTaskID("3")
	write := func(task akitad.TaskID, files ...string) {
		must(t, d.Snapshot(task))
		for _, name := range files {
			must(t, d.WriteFile(name, []byte("by "+string(task))))
		}
	}
	write(one, "a", "dir/a")
	write(two, "a", "b", "dir/b")
	write(three, "c", "dir/c", "b")
	return d, one, two, three
}

func TestRollbackLeavesWhatLaterTasksWrote(t *testing.T) {
	d, one, two, three := threeTasks(t)
	got, err := d.Rollback(two)
	undone(t, got, err, []string{"a"}, []string{"b", "dir/b"})
	contents(t, d, map[string]string{"a": "by " + string(one), "dir/a": "by " + string(one), "c": "by " + string(three), "dir/c": "by " + string(three)})
	got, err = d.Rollback(two)
	undone(t, got, err, []string{}, []string{})
	got, err = d.Rollback(three)
	undone(t, got, err, []string{}, []string{"c", "dir/c"}) // and what the second had written does not come back
}

// A file that a retried task wrote after a later one is its own, if somebody says so.
func TestRollbackTakesNamesBesides(t *testing.T) {
	d, one, _, _ := threeTasks(t)
	must(t, d.WriteFile("late", []byte("by the first again")))
	got, err := d.Rollback(one, "late")
	undone(t, got, err, []string{}, []string{"a", "dir/a", "late"})
}

func TestRevertIsForSomeFiles(t *testing.T) {
	d, one, two, _ := threeTasks(t)
	got, err := d.Revert(two, []string{"a", "dir/b", "nosuch"})
	undone(t, got, err, []string{"a"}, []string{"dir/b"})
	contents(t, d, map[string]string{"a": "by " + string(one), "dir/a": "by " + string(one), "dir/b": ""})
	if _, err := d.Revert(akitad.DeriveTaskID("nobody"), []string{"a"}); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("without a snapshot: %v", err)
	}
}

// Snapshots of an earlier version say nothing of their time.
func TestRollbackReadsOldSnapshots(t *testing.T) {
	root := t.TempDir()
	ws, err := workspace.Open(root)
	must(t, err)
	d, err := ws.Dir("folder")
	must(t, err)
	defer d.Close()
	task := akitad.DeriveTaskID("old")
	must(t, d.Snapshot(akitad.DeriveTaskID("makes the store")))
	must(t, os.WriteFile(filepath.Join(root, "snapshots", "folder", string(task)+".json"), []byte("[]"), 0o600))
	must(t, d.WriteFile("a", []byte("x")))
	got, err := d.Rollback(task, "a")
	undone(t, got, err, []string{}, []string{"a"})
}
