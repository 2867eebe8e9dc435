// Package workspace keeps the folder of each session, confined by os.Root, with the files given to it and
// snapshots for rollbacks. It runs no programs, and knows tasks only by their ids.
package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/akitad/akitad"
)

// Workspace has the folders of all sessions: <root>/files/<name>. Data about a folder that tools must not reach
// is outside of it, in <root>/given and <root>/snapshots.
type Workspace struct {
	root string

	mu      sync.Mutex
	folders map[string]*folder
}

// folder is the state that all open handles of one session's folder share.
type folder struct {
	mu      sync.Mutex // serialises writes
	writers writers
}

// Open returns the workspace at root, and creates that folder (mode 0700) if it does not exist.
func Open(root string) (*Workspace, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	for _, sub := range []string{"files", "given", "snapshots"} {
		if err := os.MkdirAll(filepath.Join(root, sub), 0o700); err != nil {
			return nil, fmt.Errorf("open workspace: %w", err)
		}
	}
	return &Workspace{root: root, folders: map[string]*folder{}}, nil
}

// Dir opens the folder with that name, and creates it if it does not exist. The name must be a session key, a
// task id or match [a-z0-9-]{1,40}; otherwise the error is of kind permission_denied. The caller must close the
// Dir. Several may be open for one folder; they share its locks.
func (w *Workspace) Dir(name string) (*Dir, error) {
	if !akitad.ValidName(name) && !akitad.TaskID(name).Valid() {
		return nil, denied("open folder", name, errors.New("not the name of a folder"), "a folder is named by 1 to 40 of a-z, 0-9 and -")
	}
	path := filepath.Join(w.root, "files", name)
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		return nil, denied("open folder", name, errors.New("not a folder"), "")
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	return w.share(&Dir{name: name, path: path, home: w.root, root: root})
}

// share connects a handle with the state of its folder. The first handle removes leftovers of a crash.
func (w *Workspace) share(d *Dir) (*Dir, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f, ok := w.folders[d.name]
	if !ok {
		f = &folder{}
		if err := d.sweep(); err != nil {
			d.root.Close()
			return nil, fmt.Errorf("clear folder %s: %w", d.name, err)
		}
		w.folders[d.name] = f
	}
	d.folder = f
	return d, nil
}
