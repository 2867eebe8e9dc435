// Package memory is what the agents remember from one task to the next, kept as Markdown files that
// people can read and edit: MEMORY.md, people/ID/USER.md, dated notes and topics. It finds entries
// by their words alone, calls no model, and does not decide where in a prompt they stand.
package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/redact"
)

// Options are what a Memory can be told; the zero value works.
type Options struct {
	MaxEntry int              // bytes of one entry's text, default 1,000
	MaxFile  int              // bytes of one file that Remember may fill, default 4 MiB
	Gate     float64          // relevance from 0 to 1 below which Recall gives nothing, default 0.75
	HalfLife time.Duration    // the time in which the weight of an entry's age halves, default 30 days
	Core     int              // the most bytes that Core gives, default 4,096
	Redactor *redact.Redactor // knows what a secret is; default the known patterns
	Log      *zap.Logger      // default silent
}

// Memory is an open folder of memory. Its methods are safe for many goroutines, and several
// processes may have the same folder open.
type Memory struct {
	root *os.Root
	opts Options

	mu      sync.Mutex
	shelves map[string]*shelf // by folder
}

// Open opens the memory in dir and makes the folder (0700) if there is none. It reads nothing yet.
// The caller closes it.
func Open(dir string, opts Options) (*Memory, error) {
	opts.MaxEntry = cmp.Or(opts.MaxEntry, 1000)
	opts.MaxFile = cmp.Or(opts.MaxFile, 4<<20)
	opts.Gate = cmp.Or(opts.Gate, 0.75)
	opts.HalfLife = cmp.Or(opts.HalfLife, 30*24*time.Hour)
	opts.Core = cmp.Or(opts.Core, 4096)
	opts.Redactor = cmp.Or(opts.Redactor, redact.New())
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, stored(fmt.Errorf("make memory folder: %w", err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, stored(fmt.Errorf("open memory folder: %w", err))
	}
	return &Memory{root: root, opts: opts, shelves: map[string]*shelf{}}, nil
}

// Close stores how often entries were used and ends the handle. Entries are stored already.
func (m *Memory) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return errors.Join(m.flush(ctx), m.root.Close())
}

// Reindex forgets everything that was read and reads all files again; it gives the number of
// entries that are neither expired nor superseded. It is never needed: files are looked at anew by
// every call.
func (m *Memory) Reindex(ctx context.Context) (int, error) {
	m.mu.Lock()
	m.shelves = map[string]*shelf{}
	m.mu.Unlock()
	all, err := m.List(ctx, Query{Person: Everyone})
	return len(all), err
}

// shelf gives the shelf of a person, or the common one for "".
func (m *Memory) shelf(person string) *shelf {
	dir := "."
	if person != "" {
		dir = peopleDir + "/" + folderName(person)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.shelves[dir]
	if s == nil {
		s = newShelf(m.root, dir, person)
		m.shelves[dir] = s
	}
	return s
}

// each calls fn for each shelf that a query may look into, with its pages: the common shelf and those of the people
// who ask. For Everyone these are all shelves.
func (m *Memory) each(ctx context.Context, q *Query, fn func(*shelf, []*page)) error {
	owners := []string{""}
	var bad error
	switch {
	case q.Person == Everyone:
		people, err := m.people()
		owners, bad = append(owners, people...), err
	case q.Person != "":
		owners = append(owners, q.Person)
		if q.Also != "" && q.Also != q.Person {
			owners = append(owners, q.Also)
		}
	}
	for _, owner := range owners {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := m.shelf(owner)
		pages, err := s.read()
		bad = errors.Join(bad, err)
		fn(s, pages)
	}
	return stored(bad)
}

// people lists everybody who has a folder.
func (m *Memory) people() ([]string, error) {
	found, err := fs.ReadDir(m.root.FS(), peopleDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var people []string
	for _, f := range found {
		if person := m.personIn(f.Name()); person != "" {
			people = append(people, person)
		}
	}
	return people, err
}
