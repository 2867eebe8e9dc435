package workspace_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/workspace"
)

const sessionName = "s-abcdefghijklmnopqrstuvwx"

// setup gives an open folder and the workspace's root on the disk.
func setup(t *testing.T) (*workspace.Dir, string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "workspace")
	w, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, w, sessionName), root
}

func open(t *testing.T, w *workspace.Workspace, name string) *workspace.Dir {
	t.Helper()
	d, err := w.Dir(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantKind(t *testing.T, what string, err error, want akitad.Kind) {
	t.Helper()
	if got := akitad.KindOf(err); got != want {
		t.Errorf("%s: kind %q (%v), want %q", what, got, err, want)
	}
}

func read(t *testing.T, d *workspace.Dir, name string) string {
	t.Helper()
	data, err := d.ReadFile(name)
	must(t, err)
	return string(data)
}

func TestFolderNames(t *testing.T) {
	root := filepath.Join(t.TempDir(), "w")
	w, err := workspace.Open(root)
	must(t, err)
	for _, name := range []string{"", ".", "..", "../../../../etc", "a/b", "A", "a_b", "/etc", strings.Repeat("a", 41), "a\x00"} {
		_, err := w.Dir(name)
		wantKind(t, name, err, akitad.PermissionDenied)
	}
	entries, err := os.ReadDir(filepath.Join(root, "files"))
	must(t, err)
	if len(entries) != 0 {
		t.Errorf("refused names made %v", entries)
	}
	for _, name := range []string{"a", sessionName, string(akitad.DeriveTaskID("x"))} {
		if d := open(t, w, name); d.Name() != name || d.Path() != filepath.Join(root, "files", name) {
			t.Errorf("folder %q is %q at %q", name, d.Name(), d.Path())
		}
	}
}

func TestFolderMustNotBeALink(t *testing.T) {
	root := filepath.Join(t.TempDir(), "w")
	w, err := workspace.Open(root)
	must(t, err)
	must(t, os.Symlink(t.TempDir(), filepath.Join(root, "files", "linked")))
	_, err = w.Dir("linked")
	wantKind(t, "a linked folder", err, akitad.PermissionDenied)
}

func TestWriteAndRead(t *testing.T) {
	d, _ := setup(t)
	must(t, d.WriteFile("a/b/c.txt", []byte("one")))
	must(t, d.WriteFile("./a//b/c.txt", []byte("two")))
	must(t, d.Append("a/b/c.txt", []byte(" three")))
	must(t, d.Append("new.txt", []byte("fresh")))
	if got := read(t, d, "a/b/c.txt") + "|" + read(t, d, "new.txt"); got != "two three|fresh" {
		t.Errorf("read %q", got)
	}
	f, err := d.Open("a/b/c.txt")
	must(t, err)
	defer f.Close()
	if data, err := io.ReadAll(f); string(data) != "two three" || err != nil {
		t.Errorf("open gives %q, %v", data, err)
	}
	files, err := d.Files()
	must(t, err)
	want := []akitad.File{{Name: "a/b/c.txt", Size: 9}, {Name: "new.txt", Size: 5}}
	if !slices.Equal(files, want) {
		t.Errorf("files %v, want %v", files, want)
	}
	must(t, os.Remove(filepath.Join(d.Path(), "new.txt")))
	_, err = d.Stat("new.txt")
	wantKind(t, "stat of a removed file", err, akitad.NotFound)
}

func TestList(t *testing.T) {
	d, _ := setup(t)
	must(t, d.WriteFile("z.txt", []byte("12345")))
	must(t, d.WriteFile("sub/x", nil))
	must(t, d.Place("given.csv", []byte("a,b")))
	must(t, os.Symlink("z.txt", filepath.Join(d.Path(), "link")))
	got, err := d.List(".")
	must(t, err)
	want := []workspace.Entry{
		{Name: "given.csv", Size: 3, Given: true},
		{Name: "link", Link: true},
		{Name: "sub", Folder: true},
		{Name: "z.txt", Size: 5},
	}
	if !slices.Equal(got, want) {
		t.Errorf("list gives %v, want %v", got, want)
	}
	_, err = d.List("none")
	wantKind(t, "list of a missing folder", err, akitad.NotFound)
	_, err = d.List("z.txt")
	wantKind(t, "list of a file", err, akitad.InvalidRequest)
}

// plant puts everything into the folder that may lead out of it, around one secret outside.
func plant(t *testing.T, d *workspace.Dir, root string) (secret string) {
	t.Helper()
	secret = filepath.Join(root, "admin.token")
	must(t, os.WriteFile(secret, []byte("secret"), 0o600))
	must(t, os.MkdirAll(d.Path()+"-evil", 0o700))
	must(t, os.WriteFile(d.Path()+"-evil/x", []byte("secret"), 0o600))
	in := func(name string) string { return filepath.Join(d.Path(), name) }
	must(t, os.Symlink(secret, in("absolute")))
	must(t, os.Symlink("../../admin.token", in("relative")))
	must(t, os.Symlink(root, in("folder")))
	must(t, os.Symlink(filepath.Join(root, "made-later"), in("dangling")))
	must(t, os.Symlink("../../made-later", in("dangling-relative")))
	must(t, os.Symlink("/dev/null", in("device")))
	must(t, os.Symlink("loop", in("loop")))
	must(t, os.Link(secret, in("hard")))
	must(t, syscall.Mkfifo(in("pipe"), 0o600))
	return secret
}

func TestNothingLeadsOut(t *testing.T) {
	d, root := setup(t)
	secret := plant(t, d, root)
	names := []string{
		secret, "/etc/passwd", "..", "../", "../../admin.token", "a/../../x", d.Path() + "-evil/x", "../" + d.Name() + "-evil/x",
		"absolute", "relative", "folder/admin.token", "dangling", "dangling-relative", "device", "loop", "pipe", "", "a\x00b", "a\nb",
	}
	for _, name := range append(names, "hard") {
		_, err := d.Open(name)
		wantKind(t, "open "+name, err, akitad.PermissionDenied)
		_, err = d.ReadFile(name)
		wantKind(t, "read "+name, err, akitad.PermissionDenied)
	}
	for _, name := range names {
		wantKind(t, "write "+name, d.WriteFile(name, []byte("x")), akitad.PermissionDenied)
		wantKind(t, "append "+name, d.Append(name, []byte("x")), akitad.PermissionDenied)
	}
	if err := d.Place("folder/admin.token", []byte("x")); akitad.KindOf(err) != akitad.PermissionDenied {
		t.Errorf("place through a link: %v", err)
	}
	_, err := d.List("folder")
	wantKind(t, "list through a link", err, akitad.PermissionDenied)
	must(t, d.WriteFile("hard", []byte("mine now"))) // replaces the name, not the file behind it
	if data, err := os.ReadFile(secret); string(data) != "secret" || err != nil {
		t.Errorf("the secret is now %q, %v", data, err)
	}
	if _, err := os.Lstat(filepath.Join(root, "made-later")); err == nil {
		t.Error("a write through a dangling link made a file outside")
	}
}

func TestHardLinksInsideAreFine(t *testing.T) {
	d, _ := setup(t)
	must(t, d.WriteFile("a", []byte("x")))
	must(t, os.Mkdir(filepath.Join(d.Path(), "sub"), 0o700))
	must(t, os.Link(filepath.Join(d.Path(), "a"), filepath.Join(d.Path(), "sub", "b")))
	if got := read(t, d, "sub/b"); got != "x" {
		t.Errorf("read %q", got)
	}
}

func TestInsideLinkIsFollowedForReadingOnly(t *testing.T) {
	d, _ := setup(t)
	must(t, d.WriteFile("a", []byte("x")))
	must(t, os.Symlink("a", filepath.Join(d.Path(), "l")))
	if got := read(t, d, "l"); got != "x" {
		t.Errorf("read %q", got)
	}
	wantKind(t, "write over a link", d.WriteFile("l", nil), akitad.PermissionDenied)
}

func TestGivenFiles(t *testing.T) {
	d, _ := setup(t)
	must(t, d.Place("in/data.csv", []byte("a,b")))
	must(t, d.Place("in/data.csv", []byte("a,b")))
	for what, err := range map[string]error{
		"write": d.WriteFile("in/data.csv", nil), "append": d.Append("in/data.csv", nil),
	} {
		wantKind(t, what, err, akitad.PermissionDenied)
		if f := akitad.FailureOf(err); f == nil || !strings.Contains(f.Hint, "another name") {
			t.Errorf("%s: the hint of %v does not help", what, err)
		}
	}
	must(t, d.Place("in/data.csv", []byte("new")))
	if got := read(t, d, "in/data.csv"); got != "new" {
		t.Errorf("after a second gift: %q", got)
	}
	files, err := d.Files()
	must(t, err)
	if len(files) != 1 || files[0].Mode != "ro" {
		t.Errorf("files %v", files)
	}
}

func TestPlaceRestoresWhatAProgramChanged(t *testing.T) {
	d, _ := setup(t)
	must(t, d.Place("data", []byte("given")))
	path := filepath.Join(d.Path(), "data")
	must(t, os.Chmod(path, 0o600))
	must(t, os.WriteFile(path, []byte("changed"), 0o600))
	must(t, d.Place("data", []byte("given")))
	if got := read(t, d, "data"); got != "given" {
		t.Errorf("data is %q", got)
	}
}

func TestPlaceNeverOverwritesWork(t *testing.T) {
	d, _ := setup(t)
	must(t, d.WriteFile("report.md", []byte("work")))
	wantKind(t, "place", d.Place("report.md", []byte("given")), akitad.InvalidRequest)
	if got := read(t, d, "report.md"); got != "work" {
		t.Errorf("report.md is %q", got)
	}
}

func TestUnfinishedWritesAreUnseenAndSwept(t *testing.T) {
	d, root := setup(t)
	must(t, d.WriteFile("sub/a", []byte("x")))
	left := filepath.Join(d.Path(), "sub", ".akita-part-XYZ")
	must(t, os.WriteFile(left, []byte("half"), 0o600))
	if files, err := d.Files(); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
	_, err := d.ReadFile("sub/.akita-part-XYZ")
	wantKind(t, "read of a reserved name", err, akitad.PermissionDenied)
	again, err := workspace.Open(root)
	must(t, err)
	open(t, again, sessionName)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("the half file is still there: %v", err)
	}
}

func TestParallelAppendsLoseNothing(t *testing.T) {
	d, _ := setup(t)
	done := make(chan error)
	const n = 20
	for range n {
		go func() { done <- d.Append("log", []byte("line\n")) }()
	}
	for range n {
		must(t, <-done)
	}
	if got := strings.Count(read(t, d, "log"), "line\n"); got != n {
		t.Errorf("%d lines, want %d", got, n)
	}
}

func TestClosedFolder(t *testing.T) {
	d, _ := setup(t)
	must(t, d.Close())
	_, err := d.ReadFile("x")
	wantKind(t, "read", err, akitad.Unavailable)
}

func TestMark(t *testing.T) {
	d, _ := setup(t)
	for _, n := range []string{"same", "rewritten", "in-place", "gone"} {
		must(t, d.WriteFile(n, []byte("123")))
	}
	m, err := d.Mark()
	must(t, err)
	must(t, d.WriteFile("rewritten", []byte("456")))
	must(t, os.WriteFile(filepath.Join(d.Path(), "in-place"), []byte("456"), 0o600))
	must(t, d.WriteFile("new/er", nil))
	must(t, os.Remove(filepath.Join(d.Path(), "gone")))
	changed, removed, err := d.Since(m)
	must(t, err)
	if !slices.Equal(changed, []string{"in-place", "new/er", "rewritten"}) || !slices.Equal(removed, []string{"gone"}) {
		t.Errorf("changed %v, removed %v", changed, removed)
	}
}

func TestTwoRunningTasksDoNotWriteOnePath(t *testing.T) {
	d, root := setup(t)
	a, b := akitad.DeriveTaskID("a"), akitad.DeriveTaskID("b")
	endA, endB := d.Begin(a), d.Begin(b)
	defer endB()
	must(t, d.Own(a, "report.md"))
	must(t, d.Own(a, "./report.md"))
	must(t, d.Own(b, "other.md"))
	err := d.Own(b, "report.md")
	wantKind(t, "the second writer", err, akitad.PermissionDenied)
	if err == nil || !strings.Contains(err.Error(), string(a)) || !strings.Contains(err.Error(), string(b)) {
		t.Errorf("%v does not name both", err)
	}
	must(t, d.Own(akitad.DeriveTaskID("never begun"), "report.md"))
	endA()
	endA()
	must(t, d.Own(b, "report.md"))
	other, err := workspace.Open(root)
	must(t, err)
	must(t, open(t, other, sessionName).Own(a, "report.md"))
}
