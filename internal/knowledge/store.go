package knowledge

import (
	"database/sql"
	"time"

	"github.com/akitad/akitad/internal/sqlite"
)

// version is the schema's, and that of how documents are cut; a file with another one is made again.
const version = 3

// The indexes hold no text of their own. Words are stemmed English (and every other language with spaces), pairs are
// neighbours in scripts without spaces. Spelling has each word once, in lower case, with its characters (0 if it
// cannot be misspelt). Parts are any three characters of these words, of which there are far fewer than of the text.
// Holders are the words of each source.
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
CREATE TABLE spelling (n INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, size INTEGER NOT NULL);
CREATE VIRTUAL TABLE parts USING fts5(word, content='spelling', content_rowid='n', columnsize=0, tokenize="trigram");
CREATE VIRTUAL TABLE holders USING fts5(words, content='', contentless_delete=1, detail=none, tokenize="ascii");
CREATE TRIGGER spelling_new AFTER INSERT ON spelling BEGIN INSERT INTO parts (rowid, word) VALUES (new.n, new.word); END;
CREATE TRIGGER spelling_gone AFTER DELETE ON spelling BEGIN INSERT INTO parts (parts, rowid, word) VALUES ('delete', old.n, old.word); END;
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
