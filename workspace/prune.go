package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/sorting"
)

// lists returns the paths of all snapshot lists, most recently used first.
func (s *snapshots) lists() ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(s.path, "t_*.json"))
	if err != nil {
		return nil, err
	}
	used := map[string]time.Time{}
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			used[p] = info.ModTime()
		}
	}
	sorting.By(paths, func(a, b string) int { return used[b].Compare(used[a]) })
	return paths, nil
}

// readList reads a snapshot. A snapshot of an earlier version has no time and counts as the oldest.
func readList(path string) (snapshot, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return snapshot{}, err
	}
	var out snapshot
	if bytes.HasPrefix(data, []byte("[")) {
		err = json.Unmarshal(data, &out.Names)
	} else {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		return out, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	out.byName = make(map[string]*kept, len(out.Names))
	for i := range out.Names {
		k := &out.Names[i]
		if len(k.Raw) > 0 {
			k.Name = string(k.Raw)
		}
		out.byName[k.Name] = k
	}
	return out, nil
}

// newest returns the most recently used snapshot, an empty one if there is none.
func (s *snapshots) newest() (snapshot, error) {
	lists, err := s.lists()
	if err != nil || len(lists) == 0 {
		return snapshot{}, err
	}
	return readList(lists[0])
}

// later returns the snapshots that were taken after this one, by path.
func (s *snapshots) later(at snapshot) (map[string]snapshot, error) {
	lists, err := s.lists()
	if err != nil {
		return nil, err
	}
	out := map[string]snapshot{}
	for _, path := range lists {
		other, err := readList(path)
		if err != nil {
			return nil, err
		}
		if other.Taken.After(at.Taken) {
			out[path] = other
		}
	}
	return out, nil
}

// after returns the first snapshot that was taken after this one, nil if there is none.
func (s *snapshots) after(at snapshot) (*snapshot, error) {
	later, err := s.later(at)
	var next *snapshot
	for _, other := range later {
		if next == nil || other.Taken.Before(next.Taken) {
			next = &other
		}
	}
	return next, err
}

// forget changes later snapshots to have the names as this one has them, so that a rollback to one of them does not
// bring back what was undone.
func (s *snapshots) forget(at snapshot, names []string) error {
	if len(names) == 0 {
		return nil
	}
	later, err := s.later(at)
	for path, other := range later {
		other.Names = slices.DeleteFunc(other.Names, func(k kept) bool { return slices.Contains(names, k.Name) })
		for _, name := range names {
			if k := at.find(name); k != nil {
				other.Names = append(other.Names, *k)
			}
		}
		sorting.By(other.Names, func(a, b kept) int { return strings.Compare(a.Name, b.Name) }) // a folder comes before its contents
		text, jerr := json.Marshal(other)
		if jerr == nil {
			jerr = writeWhole(path, text)
		}
		err = errors.Join(err, jerr)
	}
	return err
}

// prune removes old snapshots beyond SnapshotsKept, and the content that no other snapshot needs.
func (s *snapshots) prune(keep int) error {
	lists, err := s.lists()
	if err != nil || len(lists) <= keep {
		return err
	}
	for _, old := range lists[keep:] {
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	needed := map[string]bool{}
	for _, list := range lists[:keep] {
		snap, err := readList(list)
		if err != nil {
			return err
		}
		for _, k := range snap.Names {
			needed[k.Hash] = true
		}
	}
	return s.drop(needed)
}

func (s *snapshots) drop(needed map[string]bool) error {
	entries, err := os.ReadDir(filepath.Join(s.path, "content"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !needed[e.Name()] {
			err = errors.Join(err, os.Remove(s.content(e.Name())))
		}
	}
	return err
}
