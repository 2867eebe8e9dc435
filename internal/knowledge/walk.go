package knowledge

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/akitad/akitad"
)

// Skip is a file or folder that was left out, and why.
type Skip struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// errMany ends a walk.
var errMany = errors.New("too many files")

// Files returns the files below a path, in order of their names: the path itself if it is a file. Hidden files and
// folders, links and what is no file are skipped. More than MaxFiles are an error.
func Files(path string) (files []string, skipped []Skip, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, unreadable(path, err)
	}
	if !info.IsDir() {
		return []string{path}, nil, nil
	}
	root, err := canonical(path) // a link to a folder that is named is followed
	if err != nil {
		return nil, nil, unreadable(path, err)
	}
	err = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if why := left(at == root, d, err); why != "" {
			skipped = append(skipped, Skip{at, why})
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.IsDir() {
			files = append(files, at)
		}
		if len(files) > MaxFiles {
			return errMany
		}
		return nil
	})
	if errors.Is(err, errMany) {
		return nil, nil, akitad.Errorf(akitad.InvalidRequest, "there are more than %d files below %s", MaxFiles, path).WithHint("add its folders one by one")
	}
	return files, skipped, err
}

// left says why a file or folder is skipped, empty if it is not.
func left(root bool, d fs.DirEntry, err error) string {
	switch {
	case err != nil:
		return "cannot be read"
	case !root && strings.HasPrefix(d.Name(), "."):
		return "hidden"
	case d.Type()&fs.ModeSymlink != 0:
		return "a link"
	case !d.IsDir() && !d.Type().IsRegular():
		return "no regular file"
	}
	return ""
}
