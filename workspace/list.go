package workspace

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// Entry is one entry of a folder.
type Entry struct {
	Name   string // last part of the path
	Size   int64  // bytes; 0 for folders
	Folder bool
	Link   bool // a symbolic link, not followed
	Given  bool // a given file, read-only
}

// List returns the entries of a folder ("." for the top), sorted by name.
func (d *Dir) List(name string) ([]Entry, error) {
	name, err := clean("list", name)
	if err != nil {
		return nil, err
	}
	given, err := d.given()
	if err != nil {
		return nil, err
	}
	infos, err := d.read(name)
	if err != nil {
		return nil, classify("list", name, err)
	}
	entries := make([]Entry, 0, len(infos))
	for _, info := range infos {
		_, isGiven := given[path.Join(name, info.Name())]
		e := Entry{Name: info.Name(), Folder: info.IsDir(), Link: info.Mode()&fs.ModeSymlink != 0, Given: isGiven}
		if info.Mode().IsRegular() {
			e.Size = info.Size()
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// Files returns every regular file in the folder and below it, sorted by name. Mode is "ro" for given files.
func (d *Dir) Files() ([]akitad.File, error) {
	given, err := d.given()
	if err != nil {
		return nil, err
	}
	files := []akitad.File{}
	err = d.walk(func(name string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() {
			return nil
		}
		f := akitad.File{Name: name, Size: info.Size()}
		if _, ok := given[name]; ok {
			f.Mode = "ro"
		}
		files = append(files, f)
		return nil
	})
	sorting.By(files, func(a, b akitad.File) int { return strings.Compare(a.Name, b.Name) })
	return files, classify("list", ".", err)
}

// read returns the direct entries of a folder, without following links. Files that are being written, and entries
// that vanish meanwhile, are left out.
func (d *Dir) read(name string) ([]fs.FileInfo, error) {
	f, err := d.root.OpenFile(name, syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	infos := make([]fs.FileInfo, 0, len(names))
	for _, n := range names {
		info, err := d.root.Lstat(path.Join(name, n))
		if err != nil || isTemp(n) {
			continue
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// maxDepth bounds how deep a walk goes: a folder is found by all names above it, so that a tower of thousands, which
// a program makes in a moment, would hold a walk up for minutes. What is deeper is not seen and not touched.
const maxDepth = 100

// walk visits everything below the folder, parents before children, without following links.
func (d *Dir) walk(visit func(name string, info fs.FileInfo) error) error {
	return d.walkIn(".", visit)
}

func (d *Dir) walkIn(folder string, visit func(name string, info fs.FileInfo) error) error {
	infos, err := d.read(folder)
	if err != nil {
		return err
	}
	for _, info := range infos {
		name := path.Join(folder, info.Name())
		if err := visit(name, info); err != nil {
			return err
		}
		if !info.IsDir() || strings.Count(name, "/") >= maxDepth {
			continue
		}
		if err := d.walkIn(name, visit); err != nil && !skippable(err) {
			return err
		}
	}
	return nil
}
