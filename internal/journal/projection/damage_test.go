package projection_test

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal/projection"
)

// used makes a file with rows in it and closes it.
func used(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tasks.db")
	p, err := projection.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, p, uint64(n), rows(n)...)
	if p.Rebuilt() != "" {
		t.Errorf("a new file counts as rebuilt: %s", p.Rebuilt())
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func edit(t *testing.T, path string, fn func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, fn(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Whatever became of the file, Open gives a read model that works: an empty one, to be filled again.
func TestDamagedFileIsMadeAgain(t *testing.T) {
	sqlIn := func(statement string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	bytesIn := func(fn func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) { edit(t, path, fn) }
	}
	for name, damage := range map[string]func(*testing.T, string){
		"text":         bytesIn(func([]byte) []byte { return bytes.Repeat([]byte("no database "), 1000) }),
		"header":       bytesIn(func(b []byte) []byte { copy(b, "XXXXXXXXXXXXXXXX"); return b }),
		"middle":       bytesIn(func(b []byte) []byte { clear(b[len(b)/3 : len(b)/2]); return b }),
		"noise":        bytesIn(func(b []byte) []byte { copy(b[8192:], bytes.Repeat([]byte{0xA5, 7}, 6000)); return b }),
		"cut":          bytesIn(func(b []byte) []byte { return b[:len(b)/2+100] }),
		"old version":  sqlIn(`PRAGMA user_version = 99`),
		"other tables": sqlIn(`DROP TABLE tasks; DROP TABLE feed; CREATE TABLE cats (name TEXT)`),
		"no cursor":    sqlIn(`DELETE FROM feed`),
		"unversioned":  sqlIn(`PRAGMA user_version = 0`),
		"no tasks":     sqlIn(`DROP TABLE tasks`),
	} {
		t.Run(name, func(t *testing.T) {
			path := used(t, 500)
			damage(t, path)
			p := open(t, path)
			if c := cursor(t, p); c != 0 || p.Rebuilt() == "" {
				t.Errorf("cursor %d, rebuilt because %q", c, p.Rebuilt())
			}
			apply(t, p, 3, rows(3)...)
			if got, _ := list(t, p, projection.Filter{}); len(got) != 3 {
				t.Errorf("%d rows in the new file", len(got))
			}
			if _, err := os.Stat(path + ".broken"); err != nil {
				t.Errorf("the old file is gone: %v", err)
			}
		})
	}
}

func TestDeletedAndEmptyFiles(t *testing.T) {
	path := used(t, 10)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	p := open(t, path)
	if c := cursor(t, p); c != 0 {
		t.Errorf("cursor %d in a new file", c)
	}
	p.Close()
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if c := cursor(t, open(t, path)); c != 0 {
		t.Errorf("cursor %d in an emptied file", c)
	}
}

func TestSoundFileIsKept(t *testing.T) {
	path := used(t, 10)
	p := open(t, path)
	if got, _ := list(t, p, projection.Filter{}); len(got) != 10 || p.Rebuilt() != "" || cursor(t, p) != 10 {
		t.Errorf("%d rows, cursor %d, rebuilt %q", len(got), cursor(t, p), p.Rebuilt())
	}
}

// What is wrong with the place is not wrong with the file: nothing is moved.
func TestUnusablePlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tasks.db")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := projection.Open(dir)
	if akitad.KindOf(err) != akitad.Unavailable {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error("the directory was moved away")
	}
	if _, err := projection.Open(filepath.Join(dir, "none", "tasks.db")); akitad.KindOf(err) != akitad.Unavailable {
		t.Errorf("error %v", err)
	}
}
