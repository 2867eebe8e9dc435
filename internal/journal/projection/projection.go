// Package projection is the read model for listing tasks: one SQLite row per task, fed from the
// journal in order. It holds no truth of its own: the file may be deleted at any time and is filled
// again from the journal, which this package neither reads nor writes.
package projection

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/akitad/akitad/internal/sqlite"
)

// Projection is an open read model. Its methods are safe for many goroutines: one transaction
// writes at a time, and readers neither wait for it nor see half of it.
type Projection struct{ db *sqlite.DB }

// Open opens the read model in the file at path and makes it if there is none. A file that is
// damaged or of another version is moved to path+".broken" (one such file is kept) and an empty one
// takes its place: its Cursor is 0, and the caller feeds it from the start of the journal. A file
// that cannot be opened for another reason (permissions, a directory, a lock) is an error of kind
// unavailable and stays where it is.
func Open(path string) (*Projection, error) {
	db, err := sqlite.Open(path, sqlite.Schema{Version: version, Text: schema, Sound: sound, Busy: busy, Hint: hint})
	if err != nil {
		return nil, fmt.Errorf("open projection: %w", err)
	}
	return &Projection{db}, nil
}

// busy is how long a transaction waits for one of another process.
const busy = 5 * time.Second

const hint = "The list of tasks is a copy: stop the daemon, delete its file, and it is made again from the journal."

// Rebuilt says why Open put an empty read model in place of a file that was there; it is empty if
// Open did not.
func (p *Projection) Rebuilt() string { return p.db.Rebuilt }

// Close ends all connections. What Apply acknowledged is in the file.
func (p *Projection) Close() error { return p.db.Close() }

// Cursor gives the stream sequence up to which the rows are known; 0 for an empty read model.
func (p *Projection) Cursor(ctx context.Context) (uint64, error) {
	var cursor int64
	err := p.db.Read.QueryRowContext(ctx, `SELECT cursor FROM feed`).Scan(&cursor)
	return uint64(cursor), p.db.Failed("read projection cursor", err)
}

// Reset drops all rows and sets the cursor to 0, for a journal that was replaced by another.
func (p *Projection) Reset(ctx context.Context) error {
	return p.db.Change(ctx, "reset projection", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM tasks; DELETE FROM usage; UPDATE feed SET cursor = 0`)
		return err
	})
}
