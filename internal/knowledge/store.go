package knowledge

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	"modernc.org/sqlite" // also registers the driver
	sqlite3 "modernc.org/sqlite/lib"
)

// version is the schema's, and that of how documents are cut; a file with another one is made again.
const version = 2

// The three indexes hold no text of their own. Words are stemmed English (and every other language with spaces),
// pairs are neighbours in scripts without spaces, parts are any three characters. The vocabulary is what a word
// that a source does not hold is corrected by; spelling has each word of it once, with its characters.
const schema = `
CREATE TABLE sources (
	n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, place TEXT NOT NULL, kind TEXT NOT NULL,
	bytes INTEGER NOT NULL, chunks INTEGER NOT NULL, hash TEXT NOT NULL, indexed INTEGER NOT NULL
);
CREATE INDEX sources_name ON sources (name, id);
CREATE TABLE chunks (
	n INTEGER PRIMARY KEY, source INTEGER NOT NULL, at INTEGER NOT NULL, line INTEGER NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX chunks_source ON chunks (source, at);
CREATE VIRTUAL TABLE words USING fts5(title, text, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE pairs USING fts5(title, text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0");
CREATE VIRTUAL TABLE parts USING fts5(title, text, content='', contentless_delete=1, tokenize="trigram");
CREATE TABLE vocabulary (word TEXT NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (word, source)) WITHOUT ROWID;
CREATE INDEX vocabulary_source ON vocabulary (source);
CREATE TABLE spelling (word TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID;
`

// store is the opened file.
type store struct {
	write *sql.DB // one connection
	read  *sql.DB
}

// openStore opens the file and makes it if there is none. One that is damaged or of another version is moved to
// path+".broken", and an empty one takes its place.
func openStore(path string) (*store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s, err := tryOpen(path)
	if err == nil || !unusable(err) {
		return s, err
	}
	if merr := moveAway(path); merr != nil {
		return nil, errors.Join(err, merr)
	}
	return tryOpen(path)
}

func tryOpen(path string) (*store, error) {
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
	read.SetMaxIdleConns(1) // each holds a cache
	return &store{write, read}, nil
}

// connect only prepares: the file is touched by the first statement. With a log of what is written, readers go on
// meanwhile.
func connect(path, extra string) (*sql.DB, error) {
	dsn := (&url.URL{Scheme: "file", Path: path}).String() +
		"?_pragma=busy_timeout(30000)&_pragma=cache_size(-8000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&" + extra
	return sql.Open("sqlite", dsn)
}

func (s *store) close() error { return errors.Join(s.read.Close(), s.write.Close()) }

var errVersion = errors.New("the knowledge base has another version")

// check makes the schema in an empty file, and refuses a damaged file or another version. Two processes that
// make it at once are let in one after the other.
func check(db *sql.DB) error {
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
	case got == version:
		_, err = tx.Exec(`SELECT n FROM sources LIMIT 1`)
		return err
	case got != 0 || objects != 0:
		return fmt.Errorf("%w: %d, want %d", errVersion, got, version)
	}
	if _, err := tx.Exec(schema + fmt.Sprintf(`PRAGMA user_version = %d`, version)); err != nil {
		return err
	}
	return tx.Commit()
}

// unusable reports whether only a new file helps.
func unusable(err error) bool {
	if errors.Is(err, errVersion) {
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

// private makes the file before SQLite does, readable by its owner only.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// change does something in one transaction, which is all or nothing.
func (s *store) change(ctx context.Context, op string, fn func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return failed(op, err)
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return failed(op, err)
	}
	return failed(op, tx.Commit())
}
