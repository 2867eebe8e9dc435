package admin

import (
	"fmt"
	"syscall"
)

// freeBytes gives what a plain user may still write on the disk of a folder.
func freeBytes(dir string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("look at the disk of %s: %w", dir, err)
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}
