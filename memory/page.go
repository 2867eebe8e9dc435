package memory

import (
	"os"
	"path"
	"strings"
	"time"
)

// page is one file as it was read. It never changes; a changed file becomes another page.
type page struct {
	place
	stamp stamp
	raw   string
	doc   document
	index index
	hides []string // ids that entries of this page supersede
	known map[string]*analysis
}

// load gives the page of a file: the one at hand if the file is still the same, else a new one.
func load(root *os.Root, where place, had *page) (*page, error) {
	at, err := stampOf(root, where.file)
	if err != nil {
		return nil, err
	}
	if had != nil && had.stamp.same(at) && had.stamp.settled() {
		return had, nil
	}
	data, err := readFile(root, where.file)
	if err != nil {
		return nil, err
	}
	if had != nil && had.raw == string(data) {
		same := *had
		same.stamp = at
		return &same, nil
	}
	return newPage(where, string(data), at, had), nil
}

// newPage reads a file's text; had is the page that the file was before, nil if there is none.
func newPage(where place, raw string, at stamp, had *page) *page {
	p := &page{place: where, stamp: at, raw: raw, doc: parse(raw, where)}
	p.known = make(map[string]*analysis, len(p.doc.items))
	for i := range p.doc.items {
		it := &p.doc.items[i]
		it.analysis = had.analysis(it.entry.Text)
		p.known[it.entry.Text] = it.analysis
		if it.entry.SupersededBy == "" {
			p.hides = append(p.hides, it.entry.Supersedes...)
		}
	}
	p.index = indexOf(p.doc.items)
	return p
}

func (p *page) analysis(text string) *analysis {
	if p != nil && p.known[text] != nil {
		return p.known[text]
	}
	return analyse(text)
}

// name gives the page's file as its shelf calls it.
func (p *page) name(s *shelf) string {
	return strings.TrimPrefix(strings.TrimPrefix(p.file, s.dir), "/")
}

// placeOf says what a file's name tells about the lines in it.
func placeOf(dir, owner, name string) place {
	p := place{file: path.Join(dir, name), scope: Global}
	if owner != "" {
		p.scope = PersonScope(owner)
	}
	if t, err := time.Parse(day, strings.TrimSuffix(path.Base(name), ".md")); err == nil {
		p.day = t
	}
	return p
}
