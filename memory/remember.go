package memory

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/akitad/akitad"
)

// Remember keeps an entry and gives it as it is stored. Type defaults to fact and Scope to global;
// ID, At, Supersedes and File are filled in. The text is made one line that is safe in a prompt.
//
// An entry of the same scope that says the same stays the only one: it is given back, refreshed to
// today and to the longer life (a line written by hand stays as it is). One that the new entry
// contradicts is superseded: its line stays in the file as history and out of recall. Whatever is
// not certain is neither merged nor superseded.
//
// Refused are, with nothing stored: wishes out of tainted text and secrets (permission_denied);
// one-off tasks, questions, empty or too long texts (invalid_request); an entry that would make its
// file larger than allowed (quota). Several processes and goroutines may write at once.
func (m *Memory) Remember(ctx context.Context, e Entry) (Entry, error) {
	e.Text = clean(e.Text)
	e.Type, e.Scope = cmp.Or(e.Type, Fact), cmp.Or(e.Scope, Global)
	if e.By == e.Scope.Person() {
		e.By = ""
	}
	if err := m.admit(e); err != nil {
		return Entry{}, fmt.Errorf("remember: %w", err)
	}
	at := time.Now().UTC()
	e.At = at.Truncate(24 * time.Hour)
	e.Until = e.Until.UTC().Truncate(time.Second)
	var kept Entry
	err := m.shelf(e.Scope.Person()).edit(ctx, func(d *draft) (err error) {
		kept, err = m.place(d, e, at)
		return err
	})
	if err != nil {
		return Entry{}, fmt.Errorf("remember: %w", err)
	}
	return kept, nil
}

// place puts the entry into the draft: merged into its twin, or as a new line.
func (m *Memory) place(d *draft, e Entry, at time.Time) (Entry, error) {
	hidden := hiddenBy(d.pages)
	fresh := analyse(e.Text)
	var old []found
	for p, it := range d.items {
		if it.entry.Scope != e.Scope || !current(&it.entry, hidden, at) {
			continue
		}
		switch compare(fresh, it.analysis) {
		case duplicate:
			return refresh(d, p, it, e), nil
		case superseded:
			old = append(old, found{p.name(d.shelf), it})
		}
	}
	return m.add(d, e, old)
}

// found is an item and the file that has it.
type found struct {
	name string
	item item
}

// refresh brings an entry up to date that says the same as a fresh one, and gives it.
func refresh(d *draft, p *page, it item, fresh Entry) Entry {
	if it.hand {
		return it.entry
	}
	e := it.entry
	if fresh.At.After(e.At) {
		e.At = fresh.At
	}
	if !e.Until.IsZero() && (fresh.Until.IsZero() || fresh.Until.After(e.Until)) {
		e.Until = fresh.Until
	}
	if e.At.Equal(it.entry.At) && e.Until.Equal(it.entry.Until) {
		return e
	}
	it.entry = e
	d.put(p, p.doc.changed(it))
	return e
}

// add appends the entry first and marks what it supersedes second: after a crash in between, the
// new line alone says all.
func (m *Memory) add(d *draft, e Entry, old []found) (Entry, error) {
	e.ID = freshID(d, e)
	e.Supersedes, e.SupersededBy = nil, ""
	for _, f := range old {
		e.Supersedes = append(e.Supersedes, f.item.entry.ID)
	}
	name := fileFor(e)
	p := d.page(name)
	e.File = p.file
	lines := p.doc.with(note{entry: e}.line())
	if p.raw == "" {
		lines = slices.Insert(lines, 0, title(d.shelf.owner, name)+"\n", "\n")
	}
	d.put(p, lines)
	if size := len(d.page(name).raw); size > m.opts.MaxFile {
		return Entry{}, akitad.Errorf(akitad.Quota, "%s would have %d bytes, the limit is %d", p.file, size, m.opts.MaxFile).
			WithHint("Nothing was kept. Forget what is no longer needed, or consolidate.")
	}
	for _, f := range old {
		supersede(d, f, e.ID)
	}
	return e, nil
}

// supersede marks the line; its place may have moved since it was found.
func supersede(d *draft, f found, by string) {
	p := d.page(f.name)
	for _, it := range p.doc.items {
		if it.entry.ID == f.item.entry.ID && it.entry.SupersededBy == "" && !it.hand {
			it.entry.SupersededBy = by
			d.put(p, p.doc.changed(it))
			return
		}
	}
}

// freshID derives the id from what the entry is, so that a write made again gives the same; the
// same words at another time get another one.
func freshID(d *draft, e Entry) string {
	taken := map[string]bool{}
	for _, it := range d.items {
		taken[it.entry.ID] = true
	}
	for n := 0; ; n++ {
		id := akitad.Digest(string(e.Scope), e.Text, string(e.From), fmt.Sprint(n))[:12]
		if !taken[id] {
			return id
		}
	}
}

// fileFor says where an entry goes: its topic's file; the day's note if it will not live long or
// belongs to one conversation; else the shelf's main file.
func fileFor(e Entry) string {
	switch {
	case e.Topic != "":
		return path.Join(topicsDir, e.Topic+".md")
	case e.Scope.Session() != "", !e.Until.IsZero() && e.Until.Sub(e.At) < 5*24*time.Hour:
		return e.At.Format(day) + ".md"
	case e.Scope.Person() != "":
		return userFile
	}
	return mainFile
}
