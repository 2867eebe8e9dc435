package memory

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path"

	"go.uber.org/zap"
)

// flushAfter is the number of uses of a shelf that are kept in memory at most; a crash loses those,
// which costs order in recall and no entry.
const flushAfter = 64

// uses counts how often entries were recalled: the stored counts, and what came since.
type uses struct {
	stored  map[string]int
	since   map[string]int
	pending int
}

func (s *shelf) usesFile() string { return path.Join(s.dir, ".uses.json") }

// used notes that an entry was recalled.
func (m *Memory) used(ctx context.Context, s *shelf, id string) {
	s.mu.Lock()
	if s.uses.since == nil {
		s.uses.since = map[string]int{}
	}
	s.uses.since[id]++
	s.uses.pending++
	full := s.uses.pending >= flushAfter
	s.mu.Unlock()
	if full {
		if err := s.flush(ctx); err != nil {
			m.opts.Log.Warn("memory use not stored", zap.Error(err))
		}
	}
}

// use gives the use of each entry as it is now: 0 for one that was never recalled, near 1 for one
// that often is.
func (s *shelf) use() func(id string) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uses.stored == nil {
		s.uses.stored = s.readUses()
	}
	stored, since := s.uses.stored, maps.Clone(s.uses.since)
	return func(id string) float64 {
		n := float64(stored[id] + since[id])
		return n / (n + 3)
	}
}

// readUses gives no counts if the file is missing or damaged: they can be lost.
func (s *shelf) readUses() map[string]int {
	counts := map[string]int{}
	data, err := readFile(s.root, s.usesFile())
	if err != nil || json.Unmarshal(data, &counts) != nil || counts == nil {
		return map[string]int{}
	}
	return counts
}

// flush adds what came since to the stored counts, and drops those of entries that are gone.
func (s *shelf) flush(ctx context.Context) error {
	s.mu.Lock()
	since := s.uses.since
	s.uses.since, s.uses.pending = nil, 0
	s.mu.Unlock()
	if len(since) == 0 {
		return nil
	}
	return s.edit(ctx, func(d *draft) error {
		at, err := stampOf(s.root, s.usesFile())
		if err != nil {
			return err
		}
		counts := s.readUses()
		for id, n := range since {
			counts[id] += n
		}
		there := map[string]bool{}
		for _, it := range d.items {
			there[it.entry.ID] = true
		}
		maps.DeleteFunc(counts, func(id string, _ int) bool { return !there[id] })
		data, err := json.Marshal(counts)
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.uses.stored = counts
		s.mu.Unlock()
		return replace(s.root, s.usesFile(), data, at)
	})
}

func (s *shelf) forgetUses() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uses = uses{}
}

// flush stores the counts of all shelves.
func (m *Memory) flush(ctx context.Context) (bad error) {
	m.mu.Lock()
	shelves := maps.Clone(m.shelves)
	m.mu.Unlock()
	for _, s := range shelves {
		bad = errors.Join(bad, s.flush(ctx))
	}
	return bad
}
