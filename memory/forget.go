package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/akitad/akitad"
)

// Forget removes an entry for good, with the history that it superseded. A person can forget their
// own entries only; for any other id the error is not_found, whether it exists or not. Everyone can
// forget all.
func (m *Memory) Forget(ctx context.Context, id, person string) error {
	owners, err := m.owners(person)
	if err != nil {
		return err
	}
	n := 0
	for _, owner := range owners {
		removed, err := m.remove(ctx, m.shelf(owner), func(d *draft) map[string]bool {
			return history(d, id, func(e Entry) bool { return mayForget(person, owner, e) })
		})
		if err != nil {
			return fmt.Errorf("forget: %w", err)
		}
		n += removed
	}
	if n == 0 {
		return akitad.Errorf(akitad.NotFound, "no entry %.40q", id).WithHint("Ids are listed by akitad memory ls, and by /memory in a chat.")
	}
	return nil
}

// ForgetAll removes all entries of one person, whatever their state, and every line of the person's
// own files; it gives the number of entries. What is left to a person's folder is not Markdown.
func (m *Memory) ForgetAll(ctx context.Context, person string) (int, error) {
	if person == "" || person == Everyone {
		return 0, akitad.Errorf(akitad.InvalidRequest, "forget all: whose entries?").WithHint("Name one person, for example telegram:1001.")
	}
	n, err := m.remove(ctx, m.shelf(""), func(d *draft) map[string]bool {
		ids := map[string]bool{}
		for _, it := range d.items {
			if it.entry.owner() == person {
				ids[it.entry.ID] = true
			}
		}
		return ids
	})
	if err != nil {
		return n, fmt.Errorf("forget all: %w", err)
	}
	own, err := m.clear(ctx, person)
	if err != nil {
		return n, fmt.Errorf("forget all: %w", err)
	}
	return n + own, nil
}

// clear empties a person's shelf.
func (m *Memory) clear(ctx context.Context, person string) (n int, err error) {
	s := m.shelf(person)
	err = s.edit(ctx, func(d *draft) error {
		n, d.removed = 0, nil
		for _, p := range d.pages {
			n += len(p.doc.items)
			d.removed = append(d.removed, p.file)
		}
		d.removed = append(d.removed, s.usesFile())
		return nil
	})
	s.forgetUses()
	return n, err
}

// owners gives the shelves in which a person's entries can lie.
func (m *Memory) owners(person string) ([]string, error) {
	switch person {
	case "":
		return []string{""}, nil
	case Everyone:
		people, err := m.people()
		return append(people, ""), stored(err)
	}
	return []string{person, ""}, nil
}

func mayForget(person, owner string, e Entry) bool {
	switch {
	case person == Everyone:
		return true
	case person == "":
		return owner == "" && e.owner() == ""
	}
	return owner == person || e.owner() == person
}

// history gives the ids of an entry and of all that it superseded, directly or not; nothing if the
// entry is not there or may not be touched.
func history(d *draft, id string, may func(Entry) bool) map[string]bool {
	ids := map[string]bool{}
	todo := []string{id}
	for len(todo) > 0 {
		id, todo = todo[0], todo[1:]
		for _, it := range d.items {
			e := it.entry
			if (e.ID == id || e.SupersededBy == id && len(ids) > 0) && may(e) && !ids[e.ID] {
				ids[e.ID] = true
				todo = append(append(todo, e.ID), e.Supersedes...)
			}
		}
	}
	return ids
}

// remove takes the lines of the chosen entries out of a shelf.
func (m *Memory) remove(ctx context.Context, s *shelf, choose func(*draft) map[string]bool) (n int, err error) {
	if names, err := s.names(); err != nil || len(names) == 0 {
		return 0, stored(err)
	}
	err = s.edit(ctx, func(d *draft) error {
		n = 0
		ids := choose(d)
		for _, p := range slices.Clone(d.pages) {
			var out []item
			for _, it := range p.doc.items {
				if ids[it.entry.ID] {
					out = append(out, it)
				}
			}
			if n += len(out); len(out) > 0 {
				d.put(p, p.doc.without(out))
			}
		}
		return nil
	})
	return n, err
}
