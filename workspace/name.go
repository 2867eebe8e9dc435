package workspace

import (
	"errors"
	"path"
	"strings"
	"unicode/utf8"
)

// tempPrefix is the prefix of the names of files that are being written.
const tempPrefix = ".akita-part-"

// clean checks a name that a tool or person gave, and returns its shortest form; "." is the folder itself.
func clean(op, name string) (string, error) {
	if err := checkName(name); err != nil {
		return "", denied(op, name, err, hintNames)
	}
	return path.Clean(name), nil
}

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("empty name")
	case len(name) > 4096 || !utf8.ValidString(name):
		return errors.New("not a file name")
	case strings.HasPrefix(name, "/"):
		return errors.New("absolute name")
	case strings.ContainsFunc(name, func(r rune) bool { return r < 0x20 || r == 0x7f }):
		return errors.New("control character in the name")
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return errors.New("leads out of the folder")
		}
		if strings.HasPrefix(part, tempPrefix) {
			return errors.New("reserved name")
		}
	}
	return nil
}

// isTemp reports whether the name is that of a file that is being written.
func isTemp(name string) bool { return strings.HasPrefix(path.Base(name), tempPrefix) }
