package memory

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/akitad/akitad"
)

// lockRetry is how long a writer sleeps before it asks again for a lock that another process holds;
// a write takes about a millisecond.
const lockRetry = 2 * time.Millisecond

// flock takes the lock of a folder for this process. The lock file stays for ever: to remove it
// would let two processes hold locks on two files of one name.
func flock(ctx context.Context, root *os.Root, dir string) (*os.File, error) {
	f, err := root.OpenFile(path.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(err, f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(context.Cause(ctx), f.Close())
		case <-time.After(lockRetry):
		}
	}
}

// stamp tells whether a file is still the one that was read. Files are replaced, not changed in
// place, by all good editors: then the inode differs even if size and time do not.
type stamp struct {
	info fs.FileInfo // nil: there is no file
	read time.Time
}

func stampOf(root *os.Root, name string) (stamp, error) {
	info, err := root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return stamp{read: time.Now()}, nil
	}
	return stamp{info, time.Now()}, err
}

func (s stamp) same(t stamp) bool {
	if s.info == nil || t.info == nil {
		return s.info == nil && t.info == nil
	}
	return os.SameFile(s.info, t.info) && s.info.Size() == t.info.Size() && s.info.ModTime().Equal(t.info.ModTime())
}

// settled reports whether a later change must show in the stamp: file times advance in steps, and
// a file changed within the step in which it was read looks unchanged.
func (s stamp) settled() bool {
	return s.info == nil || s.read.Sub(s.info.ModTime()) > 2*time.Second
}

// maxFile bounds what is read as memory at all, so that a stray file cannot fill the heap.
const maxFile = 64 << 20

// readFile reads a file of at most maxFile bytes.
func readFile(root *os.Root, name string) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, akitad.Errorf(akitad.Unavailable, "memory file %s is %s of %d bytes", name, info.Mode(), info.Size()).
			WithHint("Memory is read from regular files up to 64 MiB; move this one away.")
	}
	return io.ReadAll(f)
}

var errChanged = errors.New("file was changed meanwhile")

// replace makes data the file's content, whole or not at all, also through a crash or a full disk.
// It refuses with errChanged if the file is no longer the one that was read. The folder's lock is
// held, so the temporary file's name is free; one that a crash left is overwritten.
func replace(root *os.Root, name string, data []byte, read stamp) (err error) {
	mode := fs.FileMode(0o600)
	if read.info != nil {
		mode = read.info.Mode().Perm()
	}
	temp := path.Join(path.Dir(name), "."+path.Base(name)+".tmp")
	if err := writeSynced(root, temp, data, mode); err != nil {
		return errors.Join(err, gone(root.Remove(temp)))
	}
	now, err := stampOf(root, name)
	if err == nil && !now.same(read) {
		err = errChanged
	}
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, gone(root.Remove(temp)))
	}
	return syncDir(root, path.Dir(name))
}

func writeSynced(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncDir(root *os.Root, dir string) error {
	f, err := root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// isNote reports whether a file of this name holds memory: Markdown, and not hidden.
func isNote(name string) bool {
	return strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".")
}
