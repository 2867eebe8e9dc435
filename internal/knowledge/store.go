package knowledge

import (
	"database/sql"
	"time"

	"github.com/akitad/akitad/internal/sqlite"
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

// busy is how long one who writes waits for another: as long as a large document takes.
const busy = 30 * time.Second

const hint = "The index is made from the documents: if it stays so, stop the daemon, delete knowledge.db in its data folder, and add them again."

// store is the opened file.
type store struct{ *sqlite.DB }

func openStore(path string) (*store, error) {
	db, err := sqlite.Open(path, sqlite.Schema{Version: version, Text: schema, Sound: sound, Busy: busy, Hint: hint})
	if err != nil {
		return nil, err
	}
	db.Read.SetMaxIdleConns(1) // each holds a cache
	return &store{db}, nil
}

func sound(tx *sql.Tx) error {
	_, err := tx.Exec(`SELECT n FROM sources LIMIT 1`)
	return err
}
