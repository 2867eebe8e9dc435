// Package projection is the read model for listing tasks: one SQLite row per task, fed from the
// journal in order. It holds no truth of its own: the file may be deleted at any time and is filled
// again from the journal, which this package neither reads nor writes.
package projection

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"

	"github.com/akitad/akitad"
)

// Projection is an open read model. Its methods are safe for many goroutines: one transaction
// writes at a time, and readers neither wait for it nor see half of it.
type Projection struct {
	write   *sql.DB // one connection
	read    *sql.DB
	rebuilt string
}

// Open opens the read model in the file at path and makes it if there is none. A file that is
// damaged or of another version is moved to path+".broken" (one such file is kept) and an empty one
// takes its place: its Cursor is 0, and the caller feeds it from the start of the journal. A file
// that cannot be opened for another reason (permissions, a directory, a lock) is an error of kind
// unavailable and stays where it is.
func Open(path string) (*Projection, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("projection path: %w", err)
	}
	p, err := open(path)
	if err == nil {
		return p, nil
	}
	if !unusable(err) {
		return nil, failed("open projection", err)
	}
	if merr := moveAway(path); merr != nil {
		return nil, failed("move broken projection away", errors.Join(err, merr))
	}
	why := err.Error()
	if p, err = open(path); err != nil {
		return nil, failed("open projection", err)
	}
	p.rebuilt = why
	return p, nil
}

// Rebuilt says why Open put an empty read model in place of a file that was there; it is empty if
// Open did not.
func (p *Projection) Rebuilt() string { return p.rebuilt }

// Close ends all connections. What Apply acknowledged is in the file.
func (p *Projection) Close() error {
	return errors.Join(p.read.Close(), p.write.Close())
}

func open(path string) (*Projection, error) {
	if err := private(path); err != nil {
		return nil, err
	}
	write, err := connect(path, "_txlock=immediate")
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := check(write); err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read, err := connect(path, "_pragma=query_only(true)")
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(max(4, runtime.NumCPU()))
	return &Projection{write: write, read: read}, nil
}

// connect only prepares: the file is touched by the first statement. A power cut may lose the last
// transactions (synchronous=NORMAL), cursor and rows together, and the journal has them still.
func connect(path, extra string) (*sql.DB, error) {
	dsn := (&url.URL{Scheme: "file", Path: path}).String() +
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&" + extra
	return sql.Open("sqlite", dsn)
}

// Cursor gives the stream sequence up to which the rows are known; 0 for an empty read model.
func (p *Projection) Cursor(ctx context.Context) (uint64, error) {
	var cursor int64
	err := p.read.QueryRowContext(ctx, `SELECT cursor FROM feed`).Scan(&cursor)
	return uint64(cursor), failed("read projection cursor", err)
}

// Reset drops all rows and sets the cursor to 0, for a journal that was replaced by another.
func (p *Projection) Reset(ctx context.Context) error {
	return p.change(ctx, "reset projection", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM tasks; DELETE FROM usage; UPDATE feed SET cursor = 0`)
		return err
	})
}

func (p *Projection) change(ctx context.Context, op string, fn func(*sql.Tx) error) error {
	tx, err := p.write.BeginTx(ctx, nil)
	if err != nil {
		return failed(op, err)
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return failed(op, err)
	}
	return failed(op, tx.Commit())
}

// failed keeps an error that has a kind and marks all others unavailable; nil stays nil.
func failed(op string, err error) error {
	if err == nil {
		return nil
	}
	if akitad.KindOf(err) != akitad.Unknown {
		return fmt.Errorf("%s: %w", op, err)
	}
	return &akitad.Error{
		Kind: akitad.Unavailable, Op: op, Err: err,
		Hint: "The list of tasks is a copy: stop the daemon, delete its file, and it is made again from the journal.",
	}
}
