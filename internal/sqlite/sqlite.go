// Package sqlite opens the files of the daemon that are made from something else and may be made again: one
// connection writes, others read beside it, and a file that is damaged or of another version makes place for an
// empty one. What stands in the tables is the caller's.
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

// Schema is what a file has to hold.
type Schema struct {
	Version int                 // user_version, from 1; a file with another one is made again
	Text    string              // statements that make the tables in an empty file
	Sound   func(*sql.Tx) error // looks at a file that is there; errors that hold ErrDamaged have it made again
	Busy    time.Duration       // how long a writer waits for one of another process
	Hint    string              // for people, on errors without a kind: what the file can be made from
}

// DB is an open file. It is safe for many goroutines: one transaction writes at a time, and readers neither wait for
// it nor see half of it.
type DB struct {
	Read    *sql.DB // refuses to write
	Rebuilt string  // why Open put an empty file in place of one that was there; empty if it did not

	write *sql.DB // one connection
	hint  string
}

// Open opens the file at path and makes it, readable by its owner only, if there is none. One that is damaged or of
// another version is moved to path+".broken" (one such file is kept) and an empty one takes its place. A file that
// cannot be opened for another reason (permissions, a folder, a lock) is unavailable and stays where it is.
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
	write, err := connect(path, s.Busy, "_txlock=immediate")
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := check(write, s); err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read, err := connect(path, s.Busy, "_pragma=query_only(true)")
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(max(4, runtime.NumCPU()))
	return &DB{Read: read, write: write, hint: s.Hint}, nil
}

// connect only prepares: the file is touched by the first statement. With a log of what is written, readers go on
// meanwhile. A power cut may lose the last transactions (synchronous=NORMAL), each as a whole.
func connect(path string, busy time.Duration, extra string) (*sql.DB, error) {
	dsn := (&url.URL{Scheme: "file", Path: path}).String() + fmt.Sprintf("?_pragma=busy_timeout(%d)", busy.Milliseconds()) +
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&" + extra
	return sql.Open("sqlite", dsn)
}

// Close ends all connections. What Change acknowledged is in the file.
func (d *DB) Close() error { return errors.Join(d.Read.Close(), d.write.Close()) }

// Change does something in one transaction, which is all or nothing.
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

// Failed keeps an error that has a kind and marks all others unavailable, with the schema's hint; nil stays nil.
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
