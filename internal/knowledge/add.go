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
		if _, err := drop(ctx, tx, src.ID); err != nil {
			return err
		}
		return fill(ctx, tx, &src, place, hash, text)
	})
	return src, changed, err
}

// fill writes a source and its chunks.
func fill(ctx context.Context, tx *sql.Tx, src *Source, place, hash, text string) error {
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
		return err
	}
	n, err := made.LastInsertId()
	if err != nil {
		return err
	}
	w, err := newWriter(ctx, tx)
	if err != nil {
		return err
	}
	base := path.Base(filepath.ToSlash(src.Name))
	words := map[string]bool{}
	for i, c := range chunks {
		if err = w.chunk(ctx, n, i, base, c, text); err != nil {
			break
		}
		vocabulary(words, c.Title+" "+text[c.From:c.To])
	}
	if err = errors.Join(err, w.close()); err != nil {
		return err
	}
	return learn(ctx, tx, n, words)
}

// learn writes the vocabulary of a source: in two statements, and in the order of the index, which costs a third of
// one statement for each word of them.
func learn(ctx context.Context, tx *sql.Tx, source int64, words map[string]bool) error {
	list, err := json.Marshal(slices.Sorted(maps.Keys(words)))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO vocabulary (word, source) SELECT value, ?2 FROM json_each(?1)`, string(list), source); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT OR IGNORE INTO spelling (word, size) SELECT value, length(value) FROM json_each(?1)`, string(list))
	return err
}

// writer holds the statements by which chunks are written.
type writer struct {
	row   *sql.Stmt
	index []*sql.Stmt // words, pairs, parts
}

func newWriter(ctx context.Context, tx *sql.Tx) (w writer, err error) {
	prepare := func(text string) *sql.Stmt {
		st, perr := tx.PrepareContext(ctx, text)
		err = errors.Join(err, perr)
		return st
	}
	w.row = prepare(`INSERT INTO chunks (source, at, line, title, text) VALUES (?, ?, ?, ?, ?)`)
	for _, table := range []string{"words", "pairs", "parts"} {
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
	for i, of := range []func(string) string{spaced, pairs, func(s string) string { return s }} {
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
		_, err := drop(ctx, tx, src.ID)
		return err
	})
}

// drop removes a source with all that was made of it, and says whether it was there.
func drop(ctx context.Context, tx *sql.Tx, id string) (bool, error) {
	var n int64
	if err := tx.QueryRowContext(ctx, `SELECT n FROM sources WHERE id = ?`, id).Scan(&n); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return false, nil
		}
		return false, err
	}
	var all []string
	for _, table := range []string{"words", "pairs", "parts"} {
		all = append(all, `DELETE FROM `+table+` WHERE rowid IN (SELECT n FROM chunks WHERE source = ?1)`)
	}
	all = append(all, `DELETE FROM spelling WHERE word IN (SELECT word FROM vocabulary v WHERE source = ?1
		AND NOT EXISTS (SELECT 1 FROM vocabulary o WHERE o.word = v.word AND o.source <> ?1))`)
	all = append(all, `DELETE FROM chunks WHERE source = ?1`, `DELETE FROM vocabulary WHERE source = ?1`, `DELETE FROM sources WHERE n = ?1`)
	for _, text := range all {
		if _, err := tx.ExecContext(ctx, text, n); err != nil {
			return true, err
		}
	}
	return true, nil
}
