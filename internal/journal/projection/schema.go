package projection

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/akitad/akitad/internal/sqlite"
)

// version is that of the schema. A file with another version is rebuilt. Raise it with every change below.
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

// sound checks the file for damage, and for the columns that the statements use.
func sound(tx *sql.Tx) error {
	var verdict string
	if err := tx.QueryRow(`PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", sqlite.ErrDamaged, verdict)
	}
	if _, err := tx.Exec(`SELECT ` + columns + `, folded FROM tasks LIMIT 1`); err != nil {
		return errors.Join(sqlite.ErrDamaged, err)
	}
	if _, err := tx.Exec(`SELECT task, day, endpoint, role, input, cached, output, calls, cost FROM usage LIMIT 1`); err != nil {
		return errors.Join(sqlite.ErrDamaged, err)
	}
	var cursors int
	if err := tx.QueryRow(`SELECT count(*) FROM feed`).Scan(&cursors); err != nil || cursors != 1 {
		return errors.Join(sqlite.ErrDamaged, err)
	}
	return nil
}
