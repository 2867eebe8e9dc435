package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/akitad/akitad"
)

// MaxDrop is the share of a shelf's live entries that a consolidation may remove without approval.
const MaxDrop = 0.4

// keepExpired is how long an expired entry stays readable in its file.
const keepExpired = 30 * 24 * time.Hour

// Merge puts one text in the place of several entries, or of one; an empty text drops them. The
// new entry has the type and scope of the first.
type Merge struct {
	IDs  []string
	Text string
}

// Consolidation says whose entries are tidied ("" for the common ones) and how.
type Consolidation struct {
	Person string
	// Propose is given the live entries of ours (lines written by hand are left alone) and says what
	// to merge; it may take its time, for instance ask a model. Nil merges nothing.
	Propose func(context.Context, []Entry) ([]Merge, error)
	// Approved lets it remove more than MaxDrop of the entries.
	Approved bool
}

// Consolidated says what a consolidation did.
type Consolidated struct {
	Merged  int // proposals carried out
	Skipped int // proposals whose entries had changed or gone meanwhile
	Expired int // lines removed because their time was over for 30 days
}

// Consolidate tidies one shelf. What was written while Propose ran stays: a proposal is carried out
// only if each of its entries is still there with the words that were proposed on. Proposals that
// would remove more than 40 % of the entries are refused as a whole (permission_denied) unless they
// are approved; so are texts that the gate of Remember refuses.
func (m *Memory) Consolidate(ctx context.Context, c Consolidation) (done Consolidated, err error) {
	merges, seen, err := m.proposals(ctx, c)
	if err != nil {
		return done, fmt.Errorf("consolidate: %w", err)
	}
	err = m.shelf(c.Person).edit(ctx, func(d *draft) error {
		done = Consolidated{Expired: sweep(d, time.Now())}
		for _, merge := range merges {
			ok, err := m.carryOut(d, merge, seen)
			if err != nil {
				return err
			}
			if ok {
				done.Merged++
			} else {
				done.Skipped++
			}
		}
		return nil
	})
	if err != nil {
		return Consolidated{}, fmt.Errorf("consolidate: %w", err)
	}
	return done, nil
}

// proposals asks what to merge and checks it; seen has the entries that were proposed on.
func (m *Memory) proposals(ctx context.Context, c Consolidation) ([]Merge, map[string]Entry, error) {
	if c.Propose == nil {
		return nil, nil, nil
	}
	live, err := m.own(c.Person)
	if err != nil {
		return nil, nil, err
	}
	merges, err := c.Propose(ctx, slices.Clone(live))
	if err != nil {
		return nil, nil, err
	}
	gone := 0
	for i := range merges {
		merges[i].Text = clean(merges[i].Text)
		if gone += len(merges[i].IDs); merges[i].Text != "" {
			gone--
		}
	}
	if float64(gone) > MaxDrop*float64(len(live)) && !c.Approved {
		return nil, nil, akitad.Errorf(akitad.PermissionDenied, "%d of %d entries would go", gone, len(live)).
			WithHint("Nothing was changed. More than 40 % at once needs the approval of a person.")
	}
	seen := map[string]Entry{}
	for _, e := range live {
		seen[e.ID] = e
	}
	return merges, seen, nil
}

// own gives a shelf's live entries that are ours to change.
func (m *Memory) own(person string) ([]Entry, error) {
	pages, err := m.shelf(person).read()
	if err != nil {
		return nil, stored(err)
	}
	hidden := hiddenBy(pages)
	var out []Entry
	for _, p := range pages {
		for _, it := range p.doc.items {
			if !it.hand && current(&it.entry, hidden, time.Now()) {
				out = append(out, it.entry)
			}
		}
	}
	return out, nil
}

func (m *Memory) carryOut(d *draft, merge Merge, seen map[string]Entry) (bool, error) {
	old := stillThere(d, merge.IDs, seen)
	if old == nil {
		return false, nil
	}
	if merge.Text == "" {
		removeItems(d, old)
		return true, nil
	}
	first := old[0].item.entry
	e := Entry{Text: merge.Text, Type: first.Type, Scope: first.Scope, From: first.From, By: first.By}
	for _, f := range old {
		e.At = later(e.At, f.item.entry.At)
	}
	e.Until = longest(old)
	if err := m.admit(e); err != nil {
		return false, err
	}
	_, err := m.add(d, e, old)
	return err == nil, err
}

// stillThere finds all entries of a proposal as they were proposed on; nil if one is not.
func stillThere(d *draft, ids []string, seen map[string]Entry) (old []found) {
	hidden := hiddenBy(d.pages)
	for _, id := range ids {
		for p, it := range d.items {
			was, ok := seen[id]
			if ok && !it.hand && it.entry.ID == id && it.entry.Text == was.Text && it.entry.Scope == was.Scope && current(&it.entry, hidden, time.Now()) {
				old = append(old, found{p.name(d.shelf), it})
				break
			}
		}
	}
	if len(old) != len(ids) {
		return nil
	}
	for _, f := range old {
		if f.item.entry.Scope != old[0].item.entry.Scope {
			return nil
		}
	}
	return old
}

func removeItems(d *draft, old []found) {
	for _, f := range old {
		p := d.page(f.name)
		for _, it := range p.doc.items {
			if it.entry.ID == f.item.entry.ID && !it.hand {
				d.put(p, p.doc.without([]item{it}))
				break
			}
		}
	}
}

// sweep removes lines of ours that expired long ago.
func sweep(d *draft, now time.Time) (n int) {
	for _, p := range slices.Clone(d.pages) {
		var out []item
		for _, it := range p.doc.items {
			if !it.hand && it.entry.Expired(now.Add(-keepExpired)) {
				out = append(out, it)
			}
		}
		if n += len(out); len(out) > 0 {
			d.put(p, p.doc.without(out))
		}
	}
	return n
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// longest gives the latest end of the entries; one without an end outlives all.
func longest(old []found) (end time.Time) {
	for _, f := range old {
		until := f.item.entry.Until
		if until.IsZero() {
			return until
		}
		end = later(end, until)
	}
	return end
}
