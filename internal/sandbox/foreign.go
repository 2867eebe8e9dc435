package sandbox

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/akitad/akitad"
)

// maxForeign is how many files linked from outside a folder may hold; each is covered by a mount.
const maxForeign = 64

// foreign returns the files of a folder that have a further name outside of it, relative to it. The
// program must not see them: through such a name it would read and change what lies outside.
func foreign(dir string) ([]string, error) {
	type file struct{ dev, ino uint64 }
	names, links := map[file][]string{}, map[file]uint64{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return skipUnreadable(err)
		}
		info, err := e.Info()
		if err != nil {
			return skipUnreadable(err)
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 {
			f := file{uint64(st.Dev), st.Ino}
			names[f], links[f] = append(names[f], path[len(dir)+1:]), uint64(st.Nlink)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var found []string
	for f, n := range names {
		if uint64(len(n)) < links[f] {
			found = append(found, n...)
		}
	}
	slices.Sort(found)
	if len(found) > maxForeign {
		return nil, akitad.Errorf(akitad.PermissionDenied, "%d files of the folder are also linked from outside", len(found))
	}
	return found, nil
}

// skipUnreadable lets a walk go on past what vanished or cannot be read.
func skipUnreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
