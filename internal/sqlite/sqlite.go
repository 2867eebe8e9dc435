// Package sqlite opens SQLite files that are derived from other data and can be rebuilt. One connection writes
// while others read. A file that is damaged or of another version is replaced by an empty one. The tables and
// their contents are the caller's.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"time"

	"github.com/akitad/akitad"
)

// Schema describes the contents of a file.
type Schema struct {
	Version int                 // user_version, from 1; a file with another one is replaced
	Text    string              // statements that create the tables in an empty file
	Sound   func(*sql.Tx) error // checks an existing file; on an error that wraps ErrDamaged it is replaced
	Busy    time.Duration       // how long a writer waits for a writer of another process
	Hint    string              // hint of errors without a kind: how the file can be rebuilt
}

// DB is an open file. It is safe for concurrent use: one transaction writes at a time, and readers do not wait for
// it and see all or nothing of it.
type DB struct {
	Read    *sql.DB // read-only
	Rebuilt string  // why Open has replaced an existing file; empty if it has not

	write *sql.DB // one connection
	hint  string
}

// Open opens the file at path, and creates it, readable by its owner only, if it does not exist. A file that is
// damaged or of another version is moved to path+".broken" (one such file is kept) and replaced by an empty one. A
// file that cannot be opened for another reason (permissions, a folder, a lock) stays where it is; the error is of
// kind unavailable.
func Open(path string, s Schema) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, failed("open "+path, err, s.Hint)
	}
	d, err := open(path, s)
	if err == nil || !unusable(err) {
		return d, failed("open "+path, err, s.Hint)
	}
	if merr := moveAway(path); merr != nil {
		return nil, failed("move the broken file away", errors.Join(err, merr), s.Hint)
	}
	why := err.Error()
	if d, err = open(path, s); err != nil {
		return nil, failed("open "+path, err, s.Hint)
	}
	d.Rebuilt = why
	return d, nil
}

func open(path string, s Schema) (*DB, error) {
	if err := private(path); err != nil {
		return nil, err
	}
	write, err := openWrite(path, s)
	if err != nil {
		return nil, err
	}
	read, err := connect(path, s.Busy, "_pragma=query_only(true)")
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(max(4, runtime.NumCPU()))
	return &DB{Read: read, write: write, hint: s.Hint}, nil
}

// openWrite opens the connection that writes, and checks the file. With a write-ahead log, readers are not blocked
// by a writer. A power cut may lose the last transactions (synchronous=NORMAL), each as a whole. Of several who
// switch a new file to its log at once, SQLite tells all but one at once that it is busy, whatever busy_timeout
// says (waiting could be a deadlock): they try again for as long as a writer waits.
func openWrite(path string, s Schema) (*sql.DB, error) {
	for began, pause := time.Now(), time.Millisecond; ; pause = min(2*pause, maxPause) {
		write, err := connect(path, s.Busy, "_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate")
		if err != nil {
			return nil, err
		}
		write.SetMaxOpenConns(1)
		if err = check(write, s); err == nil {
			return write, nil
		}
		err = errors.Join(err, write.Close())
		if !busy(err) || time.Since(began) >= s.Busy {
			return nil, err
		}
		time.Sleep(pause)
	}
}

// maxPause is the longest time between two attempts to open a busy file.
const maxPause = 50 * time.Millisecond

// connect prepares a connection; only the first statement opens the file.
func connect(path string, busy time.Duration, extra string) (*sql.DB, error) {
	dsn := (&url.URL{Scheme: "file", Path: path}).String() + fmt.Sprintf("?_pragma=busy_timeout(%d)&", busy.Milliseconds()) + extra
	return sql.Open("sqlite", dsn)
}

// Close closes all connections. Everything for which Change has returned nil is in the file.
func (d *DB) Close() error { return errors.Join(d.Read.Close(), d.write.Close()) }

// Change calls its function in one transaction, which is rolled back if it returns an error.
func (d *DB) Change(ctx context.Context, op string, fn func(*sql.Tx) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return d.Failed(op, err)
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return d.Failed(op, err)
	}
	return d.Failed(op, tx.Commit())
}

// Failed returns an error with a kind as it is, and any other error as unavailable with the schema's hint; nil stays nil.
func (d *DB) Failed(op string, err error) error { return failed(op, err, d.hint) }

func failed(op string, err error, hint string) error {
	if err == nil {
		return nil
	}
	if akitad.KindOf(err) != akitad.Unknown {
		return fmt.Errorf("%s: %w", op, err)
	}
	return &akitad.Error{Kind: akitad.Unavailable, Op: op, Err: err, Hint: hint}
}
