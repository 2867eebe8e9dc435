package projection

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite" // also registers the driver
	sqlite3 "modernc.org/sqlite/lib"
)

// version is the schema's; a file with another one is made again. Raise it with every change below.
const version = 3

// Times are nanoseconds since 1970, 0 for none. The indexes serve: the newest tasks of all, of a
// state, of a session, of a tree; stale open tasks; settled tasks due for removal.
const schema = `
CREATE TABLE tasks (
	id TEXT PRIMARY KEY, root TEXT NOT NULL, parent TEXT NOT NULL, depth INTEGER NOT NULL,
	state TEXT NOT NULL, reason TEXT NOT NULL, profile TEXT NOT NULL, session TEXT NOT NULL,
	channel TEXT NOT NULL, sender TEXT NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL,
	created INTEGER NOT NULL, updated INTEGER NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL,
	priority TEXT NOT NULL, rounds INTEGER NOT NULL, attempts INTEGER NOT NULL, usage TEXT NOT NULL,
	seq INTEGER NOT NULL, settled INTEGER NOT NULL, delivered INTEGER NOT NULL
);
CREATE INDEX tasks_new ON tasks (created, id);
CREATE INDEX tasks_state ON tasks (state, created, id);
CREATE INDEX tasks_session ON tasks (session, created, id);
CREATE INDEX tasks_root ON tasks (root, created, id);
CREATE INDEX tasks_parent ON tasks (parent, created, id);
CREATE INDEX tasks_open ON tasks (updated) WHERE settled = 0;
CREATE INDEX tasks_settled ON tasks (ended) WHERE settled = 1;
CREATE TABLE usage (
	task TEXT NOT NULL, day TEXT NOT NULL, endpoint TEXT NOT NULL, role TEXT NOT NULL,
	input INTEGER NOT NULL, cached INTEGER NOT NULL, output INTEGER NOT NULL, calls INTEGER NOT NULL, cost REAL NOT NULL,
	PRIMARY KEY (task, day, endpoint, role)
) WITHOUT ROWID;
CREATE INDEX usage_day ON usage (day);
CREATE TABLE feed (cursor INTEGER NOT NULL);
INSERT INTO feed VALUES (0);
`

var errVersion = errors.New("projection has another version")

// check makes the schema in an empty file, and refuses a damaged file or another version.
func check(db *sql.DB) error {
	var got, objects int
	if err := db.QueryRow(`PRAGMA user_version`).Scan(&got); err != nil {
		return err
	}
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_schema`).Scan(&objects); err != nil {
		return err
	}
	if got == 0 && objects == 0 {
		return create(db)
	}
	if got != version {
		return fmt.Errorf("%w: %d, want %d", errVersion, got, version)
	}
	return sound(db)
}

func create(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Exec(schema + fmt.Sprintf(`PRAGMA user_version = %d`, version)); err != nil {
		return err
	}
	return tx.Commit()
}

var errDamaged = errors.New("projection is damaged")

func sound(db *sql.DB) error {
	var verdict string
	if err := db.QueryRow(`PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, verdict)
	}
	if _, err := db.Exec(`SELECT ` + columns + `, folded FROM tasks LIMIT 1`); err != nil {
		return errors.Join(errDamaged, err)
	}
	if _, err := db.Exec(`SELECT task, day, endpoint, role, input, cached, output, calls, cost FROM usage LIMIT 1`); err != nil {
		return errors.Join(errDamaged, err)
	}
	var cursors int
	if err := db.QueryRow(`SELECT count(*) FROM feed`).Scan(&cursors); err != nil || cursors != 1 {
		return errors.Join(errDamaged, err)
	}
	return nil
}

// unusable reports whether only a new file helps: this one is damaged, no database, or of another
// version.
func unusable(err error) bool {
	if errors.Is(err, errVersion) || errors.Is(err, errDamaged) {
		return true
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		code := e.Code() & 0xff
		return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
	}
	return false
}

func moveAway(path string) error {
	for _, side := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(path, path+".broken")
}

// private makes the file before SQLite does, readable by its owner only; SQLite gives its side
// files the same mode.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
