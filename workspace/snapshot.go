package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/akitad/akitad"
)

// SnapshotsKept is the number of snapshots that are kept of one folder; the least recently used ones are removed.
const SnapshotsKept = 10

// The types of entries in a snapshot. An entry that is not a file, folder or link, or cannot be read, is recorded
// without content, so that a rollback does not touch it.
const (
	keptFile   = "file"
	keptFolder = "folder"
	keptLink   = "link"
	keptOther  = "other"
)

// kept is one entry of a snapshot.
type kept struct {
	Name   string      `json:"name"`
	Raw    []byte      `json:"raw,omitempty"` // the name, if it is no valid UTF-8: JSON would change it
	Kind   string      `json:"kind"`
	Mode   fs.FileMode `json:"mode"`
	Stamp  stamp       `json:"stamp"`
	Hash   string      `json:"hash,omitempty"`   // SHA-256 of a file's content, hex
	Target string      `json:"target,omitempty"` // of a link
}

// snapshot is the state of a folder at one moment.
type snapshot struct {
	Taken  time.Time `json:"taken"`
	Names  []kept    `json:"names"`
	byName map[string]*kept
}

// find returns the entry with a name, nil if there is none.
func (s snapshot) find(name string) *kept { return s.byName[name] }

// Snapshot stores the current state of the folder for Rollback(task). It must be called before the task's first
// write; further calls do nothing. Content that an earlier snapshot has is shared.
func (d *Dir) Snapshot(task akitad.TaskID) error {
	if !task.Valid() {
		return invalid("snapshot", string(task), errors.New("not a task id"), "")
	}
	d.folder.mu.Lock()
	defer d.folder.mu.Unlock()
	s, err := d.openSnapshots()
	if err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	if s.touch(task) {
		return nil
	}
	names, err := d.keep(s)
	if err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	if err := s.save(task, names); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	return s.prune(SnapshotsKept)
}

// HasSnapshot reports whether the task has a snapshot.
func (d *Dir) HasSnapshot(task akitad.TaskID) (bool, error) {
	if !task.Valid() {
		return false, nil
	}
	s, err := d.openSnapshots()
	if err != nil {
		return false, fmt.Errorf("snapshot: %w", err)
	}
	_, err = os.Stat(s.list(task))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// keep records every entry of the folder and stores content that is not stored yet.
func (d *Dir) keep(s *snapshots) ([]kept, error) {
	before, err := s.newest()
	if err != nil {
		return nil, err
	}
	names := []kept{}
	err = d.walk(func(name string, info fs.FileInfo) error {
		k, err := d.keepOne(s, name, info, before)
		names = append(names, k)
		return err
	})
	return names, err
}

func (d *Dir) keepOne(s *snapshots, name string, info fs.FileInfo, before snapshot) (kept, error) {
	k := kept{Name: name, Kind: keptOther, Mode: info.Mode().Perm(), Stamp: stampOf(info)}
	if !utf8.ValidString(name) {
		k.Raw = []byte(name)
	}
	switch {
	case info.IsDir():
		k.Kind = keptFolder
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := d.root.Readlink(name)
		if err == nil && utf8.ValidString(target) {
			k.Kind, k.Target = keptLink, target
		}
	case info.Mode().IsRegular():
		if b := before.find(name); b != nil && b.Kind == keptFile && b.Stamp == k.Stamp && s.has(b.Hash) {
			k.Kind, k.Hash = keptFile, b.Hash
			return k, nil
		}
		return d.keepFile(s, k)
	}
	return k, nil
}

func (d *Dir) keepFile(s *snapshots, k kept) (kept, error) {
	f, err := d.open(k.Name)
	switch akitad.KindOf(err) {
	case "":
	case akitad.NotFound, akitad.PermissionDenied:
		return k, nil
	default:
		return k, err
	}
	defer f.Close()
	k.Hash, err = s.store(f)
	if err == nil {
		k.Kind = keptFile
	}
	return k, err
}

// snapshots is the store of one folder's snapshots: a list per task, and the content by hash.
type snapshots struct{ path string }

func (d *Dir) openSnapshots() (*snapshots, error) {
	s := &snapshots{filepath.Join(d.home, "snapshots", d.name)}
	return s, os.MkdirAll(filepath.Join(s.path, "content"), 0o700)
}

func (s *snapshots) list(task akitad.TaskID) string {
	return filepath.Join(s.path, string(task)+".json")
}
func (s *snapshots) content(hash string) string { return filepath.Join(s.path, "content", hash) }

func (s *snapshots) has(hash string) bool {
	_, err := os.Stat(s.content(hash))
	return err == nil
}

// touch marks a task's snapshot as used now, and reports whether there is one.
func (s *snapshots) touch(task akitad.TaskID) bool {
	now := time.Now()
	return os.Chtimes(s.list(task), now, now) == nil
}

func (s *snapshots) save(task akitad.TaskID, names []kept) error {
	text, err := json.Marshal(snapshot{Taken: time.Now().UTC(), Names: names})
	if err != nil {
		return err
	}
	return writeWhole(s.list(task), text)
}

// store stores the content of r under its hash.
func (s *snapshots) store(r io.Reader) (hash string, err error) {
	f, err := os.CreateTemp(filepath.Join(s.path, "content"), tempPrefix+"*")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing to remove
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(f, sum), r)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", err
	}
	hash = hex.EncodeToString(sum.Sum(nil))
	return hash, os.Rename(f.Name(), s.content(hash))
}
