package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Dir is one session's folder. Names are slash-separated paths below it. An absolute name, "..", a link that
// leads out, a file with another hard link outside, and anything but a regular file are refused with
// permission_denied. The methods are safe for concurrent use.
type Dir struct {
	name, path string
	home       string // the workspace's root
	root       *os.Root
	folder     *folder
}

// Name returns the folder's name.
func (d *Dir) Name() string { return d.name }

// Path returns the folder's absolute path on this machine. It is for the sandbox, which mounts the folder for
// programs. It must not be used to open files by joining names.
func (d *Dir) Path() string { return d.path }

// Close closes the handle. Files that were opened through it stay open.
func (d *Dir) Close() error { return d.root.Close() }

// Open opens a regular file for reading. The caller must close it.
func (d *Dir) Open(name string) (fs.File, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d *Dir) open(name string) (*os.File, error) {
	const op = "open"
	name, err := clean(op, name)
	if err != nil {
		return nil, err
	}
	// Check before opening: opening a device or a pipe may have effects or block.
	info, err := d.root.Stat(name)
	if err != nil {
		return nil, classify(op, name, err)
	}
	if err := d.mayRead(name, info); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, classify(op, name, err)
	}
	if info, err = f.Stat(); err == nil {
		err = d.mayRead(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// mayRead refuses anything but a regular file, and a file with a hard link outside of the folder.
func (d *Dir) mayRead(name string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return classify("open", name, syscall.EISDIR)
	case !info.Mode().IsRegular():
		return denied("open", name, errors.New("not a regular file"), hintSpecial)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Nlink <= 1 {
		return nil
	}
	inside, err := d.linksInside(st)
	if err != nil {
		return classify("open", name, err)
	}
	if inside < uint64(st.Nlink) {
		return denied("open", name, errors.New("has another name outside of the folder"), hintHard)
	}
	return nil
}

// linksInside counts the hard links of a file inside the folder.
func (d *Dir) linksInside(want *syscall.Stat_t) (n uint64, err error) {
	err = d.walk(func(_ string, info fs.FileInfo) error {
		if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Dev == want.Dev && st.Ino == want.Ino {
			n++
		}
		return nil
	})
	return n, err
}

// ReadFile returns the whole content of a file. Large files are better read through Open.
func (d *Dir) ReadFile(name string) ([]byte, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return data, classify("read", name, err)
}

// Stat describes a file or folder. It follows a link that stays inside.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	name, err := clean("stat", name)
	if err != nil {
		return nil, err
	}
	info, err := d.root.Stat(name)
	return info, classify("stat", name, err)
}
