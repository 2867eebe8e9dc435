package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sqlite"
)

// impatient is berths without a wait for writers of other processes.
func impatient() sqlite.Schema {
	s := berths
	s.Busy = time.Millisecond
	return s
}

func openImpatient(t *testing.T, path string) *sqlite.DB {
	t.Helper()
	d, err := sqlite.Open(path, impatient())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func addTo(ctx context.Context, d *sqlite.DB) error {
	return d.Change(ctx, "add", func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO berths VALUES ('east')`)
		return err
	})
}

// A change that has only read so far has the file to itself all the same: what it reads still holds when it writes.
func TestAChangeKeepsOthersOutFromItsBeginning(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d, other := openImpatient(t, path), openImpatient(t, path)
	err := d.Change(t.Context(), "count and add", func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRow(`SELECT count(*) FROM berths`).Scan(&n); err != nil {
			return err
		}
		if err := addTo(t.Context(), other); akitad.KindOf(err) != akitad.Unavailable {
			t.Errorf("another process writes what was read: %v", err)
		}
		_, err := tx.Exec(`INSERT INTO berths VALUES ('west')`)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if n := count(t, d); n != 1 {
		t.Errorf("%d rows", n)
	}
}

// Writers of one process wait for each other for as long as their context lasts, however long a change takes.
func TestWritersOfOneProcessWait(t *testing.T) {
	d := openImpatient(t, filepath.Join(t.TempDir(), "a.db"))
	err := d.Change(t.Context(), "add", func(*sql.Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := addTo(ctx, d); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("it did not wait for its turn: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// What could not be committed is not said to be in the file.
func TestAChangeThatIsNotCommitted(t *testing.T) {
	d := openImpatient(t, filepath.Join(t.TempDir(), "a.db"))
	ctx, cancel := context.WithCancel(t.Context())
	err := d.Change(ctx, "add", func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO berths VALUES ('east')`)
		cancel()
		return err
	})
	if n := count(t, d); err == nil || n != 0 {
		t.Errorf("%d rows, %v", n, err)
	}
}
