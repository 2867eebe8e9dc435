// Package projection is the read model for listing tasks: a SQLite table with one row per task. It is a
// copy: the file may be deleted at any time and is filled again from the journal. It does not read the
// journal itself; its caller feeds it.
package projection

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/akitad/akitad/internal/sqlite"
)

// Projection is an open read model. Its methods are safe for concurrent use: one transaction writes at a
// time, and readers do not wait for it and see all or nothing of it.
type Projection struct{ db *sqlite.DB }

// Open opens the read model in the file at path, and creates it if it does not exist. A damaged file, or
// one of another version, is moved to path+".broken" (one such file is kept) and replaced by an empty
// one: its Cursor is 0, and the caller must feed it from the start of the journal. A file
// that cannot be opened for another reason (permissions, a directory, a lock) stays where it is; the error
// is of kind unavailable.
func Open(path string) (*Projection, error) {
	db, err := sqlite.Open(path, sqlite.Schema{Version: version, Text: schema, Sound: sound, Busy: busy, Hint: hint})
	if err != nil {
		return nil, fmt.Errorf("open projection: %w", err)
	}
	return &Projection{db}, nil
}

// busy is how long a transaction waits for a transaction of another process.
const busy = 5 * time.Second

const hint = "The list of tasks is a copy: stop the daemon, delete its file, and it is made again from the journal."

// Rebuilt returns why Open replaced an existing file by an empty read model, "" if it did not.
func (p *Projection) Rebuilt() string { return p.db.Rebuilt }

// Close ends all connections. What Apply acknowledged is in the file.
func (p *Projection) Close() error { return p.db.Close() }

// Cursor returns the stream sequence up to which events were applied, 0 for an empty read model.
func (p *Projection) Cursor(ctx context.Context) (uint64, error) {
	var cursor int64
	err := p.db.Read.QueryRowContext(ctx, `SELECT cursor FROM feed`).Scan(&cursor)
	return uint64(cursor), p.db.Failed("read projection cursor", err)
}

// Reset deletes all rows and sets the cursor to 0. It is for a journal that was replaced by another one.
func (p *Projection) Reset(ctx context.Context) error {
	return p.db.Change(ctx, "reset projection", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM tasks; DELETE FROM usage; UPDATE feed SET cursor = 0`)
		return err
	})
}
