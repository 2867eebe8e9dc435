package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Sweep ends what an earlier process left of programs in folders below dir, and says how many there
// were. Bwrap's first process waits for ever if bwrap is killed in the moment after it has made it. Call
// it while nobody else may run programs there, before the first of one's own.
func Sweep(dir string) (ended int, err error) {
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return 0, err
	}
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		if !worksIn(file, dir) {
			continue
		}
		n, kerr := endLeft(file, dir)
		ended += n
		err = errors.Join(err, kerr)
	}
	return ended, err
}

// worksIn reports whether the command line is that of a bwrap of ours with a folder below dir.
func worksIn(file, dir string) bool {
	line, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(line, []byte("bwrap\x00")) {
		return false
	}
	args := strings.Split(string(line), "\x00")
	for i := 0; i+2 < len(args); i++ {
		if args[i] == "--bind" && args[i+2] == Home && strings.HasPrefix(args[i+1], dir+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// endLeft kills the process, which must still be the one that was meant once there is a handle on it.
func endLeft(file, dir string) (int, error) {
	pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
	if err != nil {
		return 0, err
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return 0, nil // it has ended
	}
	defer func() { _ = unix.Close(fd) }()
	if !worksIn(file, dir) {
		return 0, nil
	}
	if err := unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
		return 0, fmt.Errorf("end process %d, which an earlier daemon left: %w", pid, err)
	}
	return 1, nil
}
