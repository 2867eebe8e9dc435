package knowledge

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Add indexes a document and replaces what was indexed of it before. One that has not changed costs the reading of
// it, and comes back with changed false. The whole document is in the index or nothing of it.
func (b *Base) Add(ctx context.Context, d Document) (src Source, changed bool, err error) {
	src, place, text, err := b.read(ctx, d)
	if err != nil {
		return Source{}, false, err
	}
	s, err := b.store(true)
	if err != nil {
		return Source{}, false, err
	}
	hash := digest(src.Kind, []byte(text))
	err = s.Change(ctx, "index "+src.Name, func(tx *sql.Tx) error {
		var old string
		switch err := tx.QueryRowContext(ctx, `SELECT hash FROM sources WHERE id = ?`, src.ID).Scan(&old); {
		case err == nil && old == hash:
			src, err = scanSource(tx.QueryRowContext(ctx, `SELECT `+sourceColumns+` FROM sources WHERE id = ?`, src.ID))
			return err
		case err != nil && !errors.Is(err, sql.ErrNoRows):
			return err
		}
		changed = true
		gone, err := drop(ctx, tx, src.ID)
		if err != nil {
			return err
		}
		words, err := fill(ctx, tx, &src, place, hash, text)
		if err != nil {
			return err
		}
		maps.DeleteFunc(gone, func(word string, _ int) bool { _, stays := words[word]; return stays })
		return forget(ctx, tx, gone)
	})
	return src, changed, err
}

// fill writes a source and its chunks, and gives its words.
func fill(ctx context.Context, tx *sql.Tx, src *Source, place, hash, text string) (vocabulary, error) {
	var chunks []Chunk
	for _, c := range Cut(src.Kind, text) {
		if !blank(text[c.From:c.To]) {
			chunks = append(chunks, c)
		}
	}
	src.Chunks, src.Indexed = len(chunks), time.Now().UTC()
	made, err := tx.ExecContext(ctx, `INSERT INTO sources (id, name, place, kind, bytes, chunks, hash, indexed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		src.ID, src.Name, place, src.Kind, src.Bytes, src.Chunks, hash, src.Indexed.UnixNano())
	if err != nil {
		return nil, err
	}
	n, err := made.LastInsertId()
	if err != nil {
		return nil, err
	}
	w, err := newWriter(ctx, tx)
	if err != nil {
		return nil, err
	}
	base := baseName(src.Name)
	words := vocabulary{}
	words.add(base)
	for i, c := range chunks {
		if err = w.chunk(ctx, n, i, base, c, text); err != nil {
			break
		}
		words.add(c.Title + " " + c.Text(text))
	}
	if err = errors.Join(err, w.close()); err != nil {
		return nil, err
	}
	return words, learn(ctx, tx, n, words)
}

// learn writes the words of a source in the order of their index, which costs a third of any other.
func learn(ctx context.Context, tx *sql.Tx, source int64, words vocabulary) error {
	if _, err := tx.ExecContext(ctx, `INSERT INTO holders (rowid, words) VALUES (?, ?)`, source, strings.Join(slices.Sorted(maps.Keys(words)), " ")); err != nil {
		return err
	}
	return words.each(ctx, tx, `INSERT OR IGNORE INTO spelling (word, size) SELECT key, value FROM json_each(?)`)
}

// forget takes words out that no source holds any more.
func forget(ctx context.Context, tx *sql.Tx, words vocabulary) error {
	return words.each(ctx, tx, `DELETE FROM spelling WHERE word IN (SELECT key FROM json_each(?))
		AND NOT EXISTS (SELECT 1 FROM holders WHERE holders MATCH '"' || word || '"')`)
}

// each runs a statement, to which the words are an object in JSON.
func (v vocabulary) each(ctx context.Context, tx *sql.Tx, statement string) error {
	list, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, statement, string(list))
	return err
}

// writer holds the statements by which chunks are written.
type writer struct {
	row   *sql.Stmt
	index []*sql.Stmt // words, pairs
}

func newWriter(ctx context.Context, tx *sql.Tx) (w writer, err error) {
	prepare := func(text string) *sql.Stmt {
		st, perr := tx.PrepareContext(ctx, text)
		err = errors.Join(err, perr)
		return st
	}
	w.row = prepare(`INSERT INTO chunks (source, at, line, title, text) VALUES (?, ?, ?, ?, ?)`)
	for _, table := range []string{"words", "pairs"} {
		w.index = append(w.index, prepare(`INSERT INTO `+table+` (rowid, title, text) VALUES (?, ?, ?)`))
	}
	return w, err
}

func (w writer) close() error {
	err := w.row.Close()
	for _, st := range w.index {
		err = errors.Join(err, st.Close())
	}
	return err
}

// chunk writes one chunk. The name of its document is searched as part of its title.
func (w writer) chunk(ctx context.Context, source int64, at int, name string, c Chunk, text string) error {
	body := c.Text(text)
	made, err := w.row.ExecContext(ctx, source, at, c.Line, c.Title, body)
	if err != nil {
		return err
	}
	n, err := made.LastInsertId()
	if err != nil {
		return err
	}
	title := name + " " + c.Title
	for i, of := range []func(string) string{spaced, pairs} {
		if i == 1 && !hasUnspaced(title) && !hasUnspaced(body) {
			continue
		}
		if _, err := w.index[i].ExecContext(ctx, n, of(title), of(body)); err != nil {
			return err
		}
	}
	return nil
}

// Remove takes a document out of the index, by its id or name. One that is not there is not_found.
func (b *Base) Remove(ctx context.Context, word string) (Source, error) {
	src, err := b.Source(ctx, word)
	if err != nil {
		return src, err
	}
	s, err := b.store(false)
	if err != nil {
		return src, err
	}
	return src, s.Change(ctx, "remove "+src.Name, func(tx *sql.Tx) error {
		gone, err := drop(ctx, tx, src.ID)
		if err != nil {
			return err
		}
		return forget(ctx, tx, gone)
	})
}

// drop removes a source, if it is there, and gives the words that it held: they stay until forget.
func drop(ctx context.Context, tx *sql.Tx, id string) (vocabulary, error) {
	var n int64
	var name string
	if err := tx.QueryRowContext(ctx, `SELECT n, name FROM sources WHERE id = ?`, id).Scan(&n, &name); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil
		}
		return nil, err
	}
	words, err := held(ctx, tx, n, name)
	if err != nil {
		return nil, err
	}
	for _, text := range []string{
		`DELETE FROM words WHERE rowid IN (SELECT n FROM chunks WHERE source = ?)`,
		`DELETE FROM pairs WHERE rowid IN (SELECT n FROM chunks WHERE source = ?)`,
		`DELETE FROM holders WHERE rowid = ?`,
		`DELETE FROM chunks WHERE source = ?`,
		`DELETE FROM sources WHERE n = ?`,
	} {
		if _, err := tx.ExecContext(ctx, text, n); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// held returns the words that were learned of a source, from its chunks: to keep them would cost as much as they do.
func held(ctx context.Context, tx *sql.Tx, source int64, name string) (vocabulary, error) {
	out := vocabulary{}
	out.add(baseName(name))
	rows, err := tx.QueryContext(ctx, `SELECT title || ' ' || text FROM chunks WHERE source = ?`, source)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var text string
		if err = rows.Scan(&text); err != nil {
			break
		}
		out.add(text)
	}
	return out, errors.Join(err, rows.Err(), rows.Close())
}

// baseName is what of a source's name is searched with each of its titles.
func baseName(name string) string { return path.Base(filepath.ToSlash(name)) }
