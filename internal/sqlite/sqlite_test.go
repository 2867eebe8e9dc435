package sqlite_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sqlite"
)

var berths = sqlite.Schema{
	Version: 3, Text: `CREATE TABLE berths (name TEXT NOT NULL);`, Busy: time.Minute, Hint: "Count the berths again.",
	Sound: func(tx *sql.Tx) error {
		if _, err := tx.Exec(`SELECT name FROM berths LIMIT 1`); err != nil {
			return errors.Join(sqlite.ErrDamaged, err)
		}
		return nil
	},
}

func open(t *testing.T, path string) *sqlite.DB {
	t.Helper()
	d, err := sqlite.Open(path, berths)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func count(t *testing.T, d *sqlite.DB) (n int) {
	t.Helper()
	if err := d.Read.QueryRowContext(t.Context(), `SELECT count(*) FROM berths`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func insert(t *testing.T, d *sqlite.DB) {
	t.Helper()
	err := d.Change(t.Context(), "add a berth", func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO berths VALUES ('north')`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a?b#c %41.db")
	d := open(t, path)
	insert(t, d)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if n := count(t, again); n != 1 || again.Rebuilt != "" || d.Rebuilt != "" {
		t.Errorf("%d rows, rebuilt because %q", n, again.Rebuilt)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := again.Read.ExecContext(t.Context(), `DELETE FROM berths`); err == nil {
		t.Error("a reader writes")
	}
}

// A file that is of no use is kept beside an empty one.
func TestMadeAgain(t *testing.T) {
	for name, damage := range map[string]string{
		"noise": "", "page": "", "version": `PRAGMA user_version = 2`, "unversioned": `PRAGMA user_version = 0`, "tables": `DROP TABLE berths`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			d := open(t, path)
			insert(t, d)
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			if damage == "" {
				scribble(t, path, name == "page")
			} else {
				spoil(t, path, damage)
			}
			d = open(t, path)
			if n := count(t, d); n != 0 || d.Rebuilt == "" {
				t.Errorf("%d rows, rebuilt because %q", n, d.Rebuilt)
			}
			if _, err := os.Stat(path + ".broken"); err != nil {
				t.Error(err)
			}
			insert(t, d)
		})
	}
}

// headerSize is how many bytes of a file SQLite knows it by; its first table stands behind them.
const headerSize = 100

// scribble writes over a file, or only over what stands behind its header.
func scribble(t *testing.T, path string, keepHeader bool) {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from := 0
	if keepHeader {
		from = headerSize
	}
	copy(body[from:], bytes.Repeat([]byte("no database "), 300))
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
}

func spoil(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// What is wrong with the place is not wrong with the file: nothing is moved, and people are told what helps.
func TestPlace(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "none", "a.db")} {
		_, err := sqlite.Open(path, berths)
		var e *akitad.Error
		if akitad.KindOf(err) != akitad.Unavailable || !errors.As(err, &e) || e.Hint != berths.Hint {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := os.Stat(dir + ".broken"); err == nil {
		t.Error("the folder was moved")
	}
}

// A change that fails leaves nothing, and its error keeps the kind that it has.
func TestChange(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "a.db"))
	for _, tt := range []struct {
		err  error
		kind akitad.Kind
	}{{errors.New("plain"), akitad.Unavailable}, {akitad.Errorf(akitad.NotFound, "none"), akitad.NotFound}} {
		err := d.Change(t.Context(), "count", func(tx *sql.Tx) error {
			if _, err := tx.Exec(`INSERT INTO berths VALUES ('south')`); err != nil {
				t.Fatal(err)
			}
			if n := count(t, d); n != 0 {
				t.Errorf("half a change is seen: %d rows", n)
			}
			return tt.err
		})
		if akitad.KindOf(err) != tt.kind || !errors.Is(err, tt.err) || !strings.Contains(err.Error(), "count") {
			t.Errorf("%v", err)
		}
	}
	if n := count(t, d); n != 0 {
		t.Errorf("%d rows", n)
	}
	if err := d.Failed("count", nil); err != nil {
		t.Error(err)
	}
}

// Many who make a file at once make one. Who wins the race to its log differs from file to file.
func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	for file := range 25 {
		path := filepath.Join(dir, fmt.Sprint(file, ".db"))
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() { openAndAdd(t, path, i) })
		}
		wg.Wait()
		if n := count(t, open(t, path)); n != 6 {
			t.Errorf("%d rows", n)
		}
	}
}

func openAndAdd(t *testing.T, path string, i int) {
	d, err := sqlite.Open(path, berths)
	if err != nil {
		t.Error(err)
		return
	}
	defer d.Close()
	if err := d.Change(t.Context(), "add", func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO berths VALUES (?)`, fmt.Sprint(i))
		return err
	}); err != nil || d.Rebuilt != "" {
		t.Errorf("%v, rebuilt because %q", err, d.Rebuilt)
	}
}
