package workspace

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// WriteFile atomically writes a file: after a crash it has either the old or the new content. Missing folders are
// created. Given files and links are refused.
func (d *Dir) WriteFile(name string, data []byte) error {
	return d.write(name, func(io.Writer) error { return nil }, data)
}

// Append atomically appends data to a file, and creates the file if it does not exist.
func (d *Dir) Append(name string, data []byte) error {
	return d.write(name, func(w io.Writer) error { return d.copyTo(w, name) }, data)
}

func (d *Dir) write(name string, before func(io.Writer) error, data []byte) error {
	const op = "write"
	name, err := clean(op, name)
	if err != nil {
		return err
	}
	d.folder.mu.Lock()
	defer d.folder.mu.Unlock()
	if err := d.mayWrite(op, name); err != nil {
		return err
	}
	return d.replace(op, name, 0o600, func(w io.Writer) error {
		if err := before(w); err != nil {
			return err
		}
		_, err := w.Write(data)
		return err
	})
}

// copyTo copies the content of a file; a missing file counts as empty.
func (d *Dir) copyTo(w io.Writer, name string) error {
	f, err := d.open(name)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// mayWrite refuses given files, links, folders and special files. The caller holds the lock.
func (d *Dir) mayWrite(op, name string) error {
	given, err := d.given()
	if err != nil {
		return err
	}
	if _, ok := given[name]; ok {
		return denied(op, name, errors.New("is read-only"), hintGiven)
	}
	info, err := d.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return classify(op, name, err)
	case info.IsDir():
		return classify(op, name, syscall.EISDIR)
	case info.Mode()&fs.ModeSymlink != 0:
		return denied(op, name, errors.New("is a link"), hintLink)
	case !info.Mode().IsRegular():
		return denied(op, name, errors.New("not a regular file"), hintSpecial)
	}
	return nil
}

// replace replaces a file by what fill writes: it writes a new file in the same folder, syncs it, and renames it
// over the old one. The caller holds the lock.
func (d *Dir) replace(op, name string, mode fs.FileMode, fill func(io.Writer) error) error {
	folder := path.Dir(name)
	if err := d.root.MkdirAll(folder, 0o700); err != nil {
		return classify(op, name, err)
	}
	temp := path.Join(folder, tempPrefix+rand.Text())
	if err := d.fill(temp, mode, fill); err != nil {
		d.root.Remove(temp)
		return classified(op, name, err)
	}
	if err := d.root.Rename(temp, name); err != nil {
		d.root.Remove(temp)
		return classify(op, name, err)
	}
	return classify(op, name, d.syncFolder(folder))
}

func (d *Dir) fill(temp string, mode fs.FileMode, fill func(io.Writer) error) (err error) {
	f, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	return f.Sync()
}

// syncFolder syncs a folder, which makes a rename durable.
func (d *Dir) syncFolder(name string) error {
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// sweep removes unfinished files that a crash has left.
func (d *Dir) sweep() error {
	folders := []string{"."}
	err := d.walk(func(name string, info fs.FileInfo) error {
		if info.IsDir() {
			folders = append(folders, name)
		}
		return nil
	})
	for _, folder := range folders {
		err = errors.Join(err, d.sweepIn(folder))
	}
	return err
}

func (d *Dir) sweepIn(folder string) error {
	f, err := d.root.OpenFile(folder, syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil // unreadable or gone: it has no file of ours
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return fmt.Errorf("read %q: %w", folder, err)
	}
	for _, n := range names {
		if isTemp(n) {
			err = errors.Join(err, d.root.RemoveAll(path.Join(folder, n)))
		}
	}
	return err
}

// same reports whether a file has exactly this content.
func (d *Dir) same(name string, data []byte) bool {
	have, err := d.ReadFile(name)
	return err == nil && bytes.Equal(have, data)
}
