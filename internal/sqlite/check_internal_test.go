package sqlite

import (
	"database/sql"
	"path/filepath"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite says more than the primary code where it can (a constraint: which kind); what is decided here goes by the
// primary one, so that a file that is busy or damaged in a particular way counts as busy or damaged.
func TestCodesArePrimary(t *testing.T) {
	d, err := Open(filepath.Join(t.TempDir(), "a.db"), Schema{Version: 1, Text: `CREATE TABLE berths (name TEXT UNIQUE);`})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	err = d.Change(t.Context(), "add", func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO berths VALUES ('east'), ('east')`)
		return err
	})
	if got := code(err); got != sqlite3.SQLITE_CONSTRAINT {
		t.Errorf("code %d of %v", got, err)
	}
}
