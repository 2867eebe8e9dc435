package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/akitad/akitad"
)

// shelf is the files of one folder: the common one, or one person's. One writer at a time changes
// it, in this process and in others; readers take no lock, since every file is whole at any time.
type shelf struct {
	root  *os.Root
	dir   string // below the memory's folder
	owner string // "" for the common shelf
	turn  chan struct{}

	mu    sync.Mutex
	pages map[string]*page // by name below dir
	uses  uses
}

func newShelf(root *os.Root, dir, owner string) *shelf {
	return &shelf{root: root, dir: dir, owner: owner, turn: make(chan struct{}, 1), pages: map[string]*page{}}
}

// names lists the shelf's files, those of topics/ too.
func (s *shelf) names() ([]string, error) {
	names, err := s.notes(".")
	if err != nil {
		return nil, err
	}
	topics, err := s.notes(topicsDir)
	return append(names, topics...), err
}

// notes lists the memory files in one folder of the shelf.
func (s *shelf) notes(sub string) (names []string, err error) {
	found, err := fs.ReadDir(s.root.FS(), path.Join(s.dir, sub))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range found {
		if isNote(f.Name()) && !f.IsDir() {
			names = append(names, path.Join(sub, f.Name()))
		}
	}
	return names, err
}

// read gives the pages of all files as they are now, in the order of their names. A file that
// cannot be read is left out and reported; the others count.
func (s *shelf) read() ([]*page, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	had := s.pages
	s.mu.Unlock()
	now := make(map[string]*page, len(names))
	var pages []*page
	var bad error
	for _, name := range names {
		p, err := load(s.root, placeOf(s.dir, s.owner, name), had[name])
		if err != nil {
			bad = errors.Join(bad, err)
			continue
		}
		now[name] = p
		pages = append(pages, p)
	}
	s.mu.Lock()
	s.pages = now
	s.mu.Unlock()
	return pages, bad
}

// draft is a change to a shelf in the making: the pages as read, and new lines for some files.
type draft struct {
	shelf   *shelf
	pages   []*page
	written []*page // in the order in which they are to be stored
	removed []string
}

// page gives a file as the draft has it; a file that does not exist is an empty page.
func (d *draft) page(name string) *page {
	file := path.Join(d.shelf.dir, name)
	for _, p := range d.pages {
		if p.file == file {
			return p
		}
	}
	return newPage(placeOf(d.shelf.dir, d.shelf.owner, name), "", stamp{}, nil)
}

// put replaces a page's lines.
func (d *draft) put(p *page, lines []string) {
	next := newPage(p.place, strings.Join(lines, ""), p.stamp, p)
	d.pages = swap(d.pages, next)
	d.written = swap(d.written, next)
}

// swap replaces the page of the same name, or adds the page if there is none.
func swap(pages []*page, next *page) []*page {
	if i := slices.IndexFunc(pages, func(p *page) bool { return p.file == next.file }); i >= 0 {
		pages[i] = next
		return pages
	}
	return append(pages, next)
}

// items goes over all entries of the draft, with the page of each.
func (d *draft) items(yield func(*page, item) bool) {
	for _, p := range d.pages {
		for _, it := range p.doc.items {
			if !yield(p, it) {
				return
			}
		}
	}
}

// tries is how often a change is made again because somebody edited the file by hand meanwhile.
const tries = 10

// edit changes the shelf under its lock. fn may be called several times, each time on newly read pages, and must then
// make the same change: a crash may have stored the first of several files already.
func (s *shelf) edit(ctx context.Context, fn func(*draft) error) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := s.root.MkdirAll(s.dir, 0o700); err != nil {
		return stored(err)
	}
	lock, err := flock(ctx, s.root, s.dir)
	if err != nil {
		return stored(err)
	}
	defer lock.Close()
	for range tries {
		if err = s.attempt(fn); !errors.Is(err, errChanged) {
			break
		}
	}
	return stored(err)
}

// attempt reads the pages, has fn change them and stores the changed ones. It returns errChanged if somebody edited one
// of the files meanwhile.
func (s *shelf) attempt(fn func(*draft) error) error {
	pages, err := s.read()
	if err != nil {
		return err
	}
	d := &draft{shelf: s, pages: pages}
	if err := fn(d); err != nil {
		return err
	}
	for _, p := range d.written {
		if err := s.store(p); err != nil {
			return err
		}
	}
	for _, file := range d.removed {
		if err := gone(s.root.Remove(file)); err != nil {
			return err
		}
	}
	return nil
}

// store writes one page to its file.
func (s *shelf) store(p *page) error {
	if dir := path.Dir(p.file); dir != s.dir {
		if err := s.root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if err := replace(s.root, p.file, []byte(p.raw), p.stamp); err != nil {
		return err
	}
	// The next read compares bytes and need not parse them again.
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages = maps.Clone(s.pages)
	s.pages[p.name(s)] = p
	return nil
}

// stored gives an error of the file system its kind.
func stored(err error) error {
	if err == nil || akitad.KindOf(err) != akitad.Unknown {
		return err
	}
	return &akitad.Error{
		Kind: akitad.Unavailable, Op: "store memory", Err: fmt.Errorf("%w", err),
		Hint: "Nothing that was stored before is lost. Check the space and the permissions of the memory folder.",
	}
}
