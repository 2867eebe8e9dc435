package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite" // also registers the driver
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDamaged is returned by Schema.Sound for a file that cannot be used and must be replaced.
var ErrDamaged = errors.New("the file is damaged")

var errVersion = errors.New("the file has another version")

// check creates the schema in an empty file, and refuses a damaged file or another version. If two processes do
// this at once, one of them waits for the other.
func check(db *sql.DB, s Schema) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var got, objects int
	if err := tx.QueryRow(`SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`).Scan(&got, &objects); err != nil {
		return err
	}
	switch {
	case got == s.Version:
		return s.Sound(tx)
	case got != 0 || objects != 0:
		return fmt.Errorf("%w: %d, want %d", errVersion, got, s.Version)
	}
	if _, err := tx.Exec(s.Text + fmt.Sprintf(`PRAGMA user_version = %d`, s.Version)); err != nil {
		return err
	}
	return tx.Commit()
}

// unusable reports whether the file must be replaced: it is damaged, not a database, or of another version.
func unusable(err error) bool {
	if errors.Is(err, errVersion) || errors.Is(err, ErrDamaged) {
		return true
	}
	code := code(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// busy reports whether somebody else is at work on the file.
func busy(err error) bool { return code(err) == sqlite3.SQLITE_BUSY }

// code returns SQLite's primary result code of an error; 0 of any other error.
func code(err error) int {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return sqlite3.SQLITE_OK
	}
	return e.Code() & 0xff
}

func moveAway(path string) error {
	for _, side := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(path, path+".broken")
}

// private creates the file before SQLite does, readable by its owner only. SQLite creates its side files with the same mode.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
