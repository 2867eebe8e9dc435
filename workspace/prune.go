package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// lists gives the paths of all snapshot lists, the one used last first.
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
	slices.SortFunc(paths, func(a, b string) int { return used[b].Compare(used[a]) })
	return paths, nil
}

func readList(path string) ([]kept, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var names []kept
	if err := json.Unmarshal(data, &names); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	return names, nil
}

// newest gives the names of the latest snapshot; none gives none.
func (s *snapshots) newest() (map[string]kept, error) {
	lists, err := s.lists()
	if err != nil || len(lists) == 0 {
		return nil, err
	}
	names, err := readList(lists[0])
	if err != nil {
		return nil, err
	}
	byName := make(map[string]kept, len(names))
	for _, k := range names {
		byName[k.Name] = k
	}
	return byName, nil
}

// prune drops all but the latest snapshots, and the content that none of the others needs.
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
		names, err := readList(list)
		if err != nil {
			return err
		}
		for _, k := range names {
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
