package data

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/workspace"
)

// What SQLite itself may hold while it works on a copy.
const (
	maxValue = 16 << 20 // bytes of one value or row
	maxSQL   = 1 << 20  // bytes of one statement

	// Where the header of a SQLite file says whether it is in WAL mode (2) or not (1).
	writeVersion, readVersion = 18, 19
)

// database is a copy of a file in memory.
type database struct {
	db    *sql.DB
	conn  *sql.Conn
	guard guard
	file  []byte // as it was read; nil if there was none
}

// open reads a SQLite file of the folder into memory. A missing one is empty if create is set.
func open(ctx context.Context, dir *workspace.Dir, name string, create bool) (*database, error) {
	file, err := content(dir, name, create)
	if err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", ":memory:?_pragma=temp_store(memory)&_pragma=trusted_schema(0)&_pragma=foreign_keys(1)")
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	d := &database{db: pool, file: file}
	if err := d.fill(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", name, d.failed(ctx, err)), d.close())
	}
	return d, nil
}

// content reads the file's bytes, unless a program works on it just now or was stopped while it did.
func content(dir *workspace.Dir, name string, create bool) ([]byte, error) {
	info, err := dir.Stat(name)
	switch {
	case create && akitad.KindOf(err) == akitad.NotFound:
		return nil, nil
	case err != nil:
		return nil, err
	case info.Size() > MaxDatabase:
		return nil, bad("%s has %d bytes, at most %d are taken", name, info.Size(), MaxDatabase).WithHint("work on a part of it")
	}
	for _, ending := range []string{"-wal", "-journal"} {
		if info, err := dir.Stat(name + ending); err == nil && info.Size() > 0 {
			return nil, bad("%s is not closed: %s holds changes that are not in it", name, name+ending).
				WithHint("let the program that wrote it close it, or open and close it once with the sqlite3 program")
		}
	}
	return dir.ReadFile(name)
}

// fill loads the file into the connection and sets the limits under which SQL runs. The error shows a file that is no
// database.
func (d *database) fill(ctx context.Context) (err error) {
	if d.conn, err = d.db.Conn(ctx); err != nil {
		return err
	}
	if len(d.file) > 0 {
		if err := d.raw(func(c any) error { return load(c, d.file) }); err != nil {
			return err
		}
	}
	for limit, value := range map[int]int{
		sqlite3.SQLITE_LIMIT_ATTACHED: 0, sqlite3.SQLITE_LIMIT_LENGTH: maxValue, sqlite3.SQLITE_LIMIT_SQL_LENGTH: maxSQL,
	} {
		if _, err := sqlite.Limit(d.conn, limit, value); err != nil {
			return err
		}
	}
	var page int
	if err := d.conn.QueryRowContext(ctx, "PRAGMA page_size").Scan(&page); err != nil {
		return err
	}
	if _, err := d.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count=%d", MaxDatabase/page)); err != nil {
		return err
	}
	var objects int // touches the file, so that one which is none shows
	return d.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&objects)
}

// load puts a file's bytes in place of the empty database. A file in WAL mode is taken as one that is
// not, which it is once all of its log is in it.
func load(conn any, file []byte) error {
	c, ok := conn.(interface{ Deserialize([]byte) error })
	if !ok {
		return errors.New("the driver cannot read a database from memory")
	}
	if len(file) >= 100 && file[writeVersion] == 2 && file[readVersion] == 2 {
		file = bytes.Clone(file)
		file[writeVersion], file[readVersion] = 1, 1
	}
	return c.Deserialize(file)
}

// begin puts the guard in charge.
func (d *database) begin(readonly bool) error {
	d.guard = guard{readonly: readonly}
	return d.authorize(d.guard.judge)
}

// end takes the guard away, for the statements of the tool itself.
func (d *database) end() error { return d.authorize(nil) }

func (d *database) authorize(fn sqlite.AuthorizerFn) error {
	return d.raw(func(c any) error {
		r, ok := c.(sqlite.AuthorizerRegisterer)
		if !ok {
			return errors.New("the driver cannot be guarded")
		}
		return r.RegisterAuthorizer(fn)
	})
}

// raw calls fn with the driver's own connection, for what database/sql does not offer.
func (d *database) raw(fn func(any) error) error { return d.conn.Raw(fn) }

// bytes returns the database as a file holds it; nil if it was never written to.
func (d *database) bytes(ctx context.Context) (out []byte, err error) {
	var pages int
	if err := d.conn.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil || pages == 0 {
		return nil, err
	}
	err = d.raw(func(c any) error {
		s, ok := c.(interface{ Serialize() ([]byte, error) })
		if !ok {
			return errors.New("the driver cannot write a database to memory")
		}
		out, err = s.Serialize()
		return err
	})
	return out, err
}

func (d *database) close() error {
	var err error
	if d.conn != nil {
		err = d.conn.Close()
	}
	return errors.Join(err, d.db.Close())
}

// failed returns an error of SQLite its kind: why the guard refused, the end of the time, or a request
// that cannot be met.
func (d *database) failed(ctx context.Context, err error) error {
	if _, ok := errors.AsType[*akitad.Error](err); ok || err == nil {
		return err
	}
	if d.guard.why != nil {
		return d.guard.why
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return bad("%w", err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return bad("the file is not a SQLite database, or is damaged: %w", err)
	case sqlite3.SQLITE_FULL:
		return bad("the database would have more than %d bytes", MaxDatabase).WithHint("nothing was written; store less")
	}
	return bad("%w", err)
}
