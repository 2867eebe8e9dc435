// Package knowledge is what the owner gave everybody to read: documents, cut into chunks, indexed in one SQLite
// file and found by words, by pairs of Han characters and by parts of words. It asks no model. The file is made
// from the documents: who deletes it loses nothing that adding them again does not bring back.
package knowledge

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad"
)

// Limits of what is taken.
const (
	MaxFile  = 16 << 20 // bytes of one document
	MaxFiles = 5000     // documents of one call
	maxName  = 512      // bytes of a name
)

// Options are what a Base can do without; the zero value works.
type Options struct {
	Private string // folder of which nothing is read: the home of the daemon, with its keys and what people said

	// Lost is told, in a sentence for the owner, that the file could not be used and an empty one took its
	// place. May be nil.
	Lost func(text string)
}

// Base is a knowledge base. Its methods are safe for many goroutines and processes: one writes at a time, and
// who searches neither waits for it nor sees half of a document.
type Base struct {
	path string
	opts Options

	mu   sync.Mutex
	open *store // nil until it is used
}

// New returns the base in the file at path, which is opened when it is first used and made by the first Add.
func New(path string, opts Options) *Base { return &Base{path: path, opts: opts} }

// Close ends what was opened. What was added is in the file.
func (b *Base) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.open
	b.open = nil
	if s == nil {
		return nil
	}
	return s.Close()
}

// store opens the file, and makes it if make is set; without it, a file that is not there gives nil.
func (b *Base) store(create bool) (*store, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open != nil {
		return b.open, nil
	}
	if _, err := os.Stat(b.path); errors.Is(err, fs.ErrNotExist) && !create {
		return nil, nil
	}
	s, err := openStore(b.path)
	if err != nil {
		return nil, fmt.Errorf("open the knowledge base: %w", err)
	}
	if s.Rebuilt != "" {
		if text := lost(s, b.path); b.opts.Lost != nil {
			b.opts.Lost(text)
		}
	}
	b.open = s
	return s, nil
}

// Source is a document of the base.
type Source struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`           // the path of a file, or the name it was given
	File    bool      `json:"file,omitempty"` // it was read from the file of that name
	Kind    Kind      `json:"kind"`
	Bytes   int64     `json:"bytes"`
	Chunks  int       `json:"chunks"`
	Indexed time.Time `json:"indexed"`
}

// idOf derives a source's id from the one name that it has: a path and a given name never meet.
func idOf(place, name string) string {
	sum := sha256.Sum256([]byte("name\x00" + name))
	if place != "" {
		sum = sha256.Sum256([]byte("file\x00" + place))
	}
	return "k_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}

// digest tells one content, and the way it is cut, from another.
func digest(kind Kind, data []byte) string {
	sum := sha256.Sum256(data)
	return string(kind) + " " + hex.EncodeToString(sum[:])
}

const sourceColumns = `id, name, place <> '', kind, bytes, chunks, indexed`

func scanSource(row interface{ Scan(...any) error }) (s Source, err error) {
	var at int64
	err = row.Scan(&s.ID, &s.Name, &s.File, &s.Kind, &s.Bytes, &s.Chunks, &at)
	s.Indexed = time.Unix(0, at).UTC()
	return s, err
}

// Sources lists the documents by name. cursor is what the page before gave as next, empty for the first: anything
// else is invalid_request. limit 0 is all.
func (b *Base) Sources(ctx context.Context, cursor string, limit int) (out []Source, next string, err error) {
	id, name, ok := strings.Cut(cursor, "/")
	if cursor != "" && !ok {
		return nil, "", akitad.Errorf(akitad.InvalidRequest, "%.40q is no cursor", cursor).WithHint("pass the next of the page before, unchanged, or no cursor for the first page")
	}
	s, err := b.store(false)
	if s == nil || err != nil {
		return nil, "", err
	}
	if limit <= 0 {
		limit = -1
	}
	rows, err := s.Read.QueryContext(ctx, `SELECT `+sourceColumns+` FROM sources WHERE (name, id) > (?, ?) ORDER BY name, id LIMIT ?`, name, id, limit)
	if err != nil {
		return nil, "", s.Failed("list the sources", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		src, err := scanSource(rows)
		if err != nil {
			return nil, "", s.Failed("list the sources", err)
		}
		out = append(out, src)
	}
	if len(out) == limit {
		next = out[limit-1].ID + "/" + out[limit-1].Name
	}
	return out, next, s.Failed("list the sources", rows.Err())
}

// Source finds a document by its id or its name. A path that is not absolute is a name like any other:
// who asks may be in another folder.
func (b *Base) Source(ctx context.Context, word string) (Source, error) {
	s, err := b.store(false)
	if err != nil {
		return Source{}, err
	}
	if s != nil {
		src, err := s.source(ctx, word)
		if err == nil || !errors.Is(err, sql.ErrNoRows) {
			return src, s.Failed("find a source", err)
		}
	}
	return Source{}, akitad.Errorf(akitad.NotFound, "there is no source %q in the knowledge base", word).
		WithHint("akitad index ls lists the sources; give the id or the whole name of one")
}

func (s *store) source(ctx context.Context, word string) (Source, error) {
	place := word
	if real, err := canonical(word); err == nil && filepath.IsAbs(word) {
		place = real
	}
	return scanSource(s.Read.QueryRowContext(ctx, `SELECT `+sourceColumns+` FROM sources WHERE id = ?1 OR name = ?1 OR place = ?2
		ORDER BY id = ?1 DESC, name = ?1 DESC LIMIT 1`, word, place))
}
