// Package disk says whether a disk has room for new work. It frees nothing.
package disk

import (
	"fmt"
	"syscall"

	"github.com/akitad/akitad"
)

// Room is the space on a disk that new work must leave free.
type Room struct {
	Path    string // a folder on the disk; empty checks nothing
	Reserve int64  // bytes that must stay free; 0 or less checks nothing
}

// Check returns nil while there is room, a *Low if there is not, or another error if the free space cannot be
// determined.
func (r Room) Check() error {
	if r.Path == "" || r.Reserve <= 0 {
		return nil
	}
	free, err := Free(r.Path)
	if err != nil || free >= r.Reserve {
		return err
	}
	return &Low{Room: r, Free: free}
}

// Free returns the number of bytes that a user without privileges can still write on the disk of a folder.
func Free(dir string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("look at the disk of %s: %w", dir, err)
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// Low is the error for a disk without room for new work. It is of kind overloaded, but waiting alone does not
// help.
type Low struct {
	Room
	Free int64
}

// Error says how much space is free and how much is needed.
func (l *Low) Error() string { return l.Unwrap().Error() }

// Unwrap returns the error of kind overloaded.
func (l *Low) Unwrap() error {
	return akitad.Errorf(akitad.Overloaded, "the disk of %s has %d MiB free, %d MiB must stay free", l.Path, l.Free>>20, l.Reserve>>20).
		WithHint("make room; disk.reserve sets how much must stay free")
}
