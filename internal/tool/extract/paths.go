package extract

import (
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// maxFiles is how many files one call reads.
const maxFiles = 200

// expand gives the files that the argument path names: one file (also with a comma in its name), or a list of names
// and globs separated by commas. Each file is given once.
func expand(dir folder, spec string) ([]string, error) {
	spec = strings.TrimSpace(spec)
	if spec == "" {
		return nil, bad("path is missing").WithHint("Name a file, e.g. app.log.")
	}
	files, err := dir.Files()
	if err != nil {
		return nil, err
	}
	known := make([]string, len(files))
	for i, f := range files {
		known[i] = f.Name
	}
	if slices.Contains(known, path.Clean(spec)) {
		return []string{path.Clean(spec)}, nil
	}
	var out []string
	for part := range strings.SplitSeq(spec, ",") {
		names, err := matching(known, path.Clean(strings.TrimSpace(part)))
		if err != nil {
			return nil, err
		}
		out = append(out, names...)
	}
	out = unique(out)
	if len(out) > maxFiles {
		return nil, bad("%d files match, at most %d can be read at once", len(out), maxFiles).WithHint("Give a narrower glob.")
	}
	return out, nil
}

// matching gives the files that one name or glob of the list stands for; not_found if there are none.
func matching(known []string, part string) ([]string, error) {
	if slices.Contains(known, part) || !strings.ContainsAny(part, "*?[{") {
		return oneName(known, part)
	}
	var out []string
	for _, name := range known {
		ok, err := glob(part, name)
		if err != nil {
			return nil, bad("glob %q: %v", part, err)
		}
		if ok {
			out = append(out, name)
		}
	}
	if out == nil {
		return nil, akitad.Errorf(akitad.NotFound, "no file matches %q", part).WithHint(haveHint(known))
	}
	return out, nil
}

// oneName gives a name that is known. It also gives a path that leads outside, for Open to refuse. Other names are
// refused with a hint that lists the files.
func oneName(known []string, name string) ([]string, error) {
	if slices.Contains(known, name) || path.IsAbs(name) || strings.HasPrefix(name, "..") {
		return []string{name}, nil
	}
	for _, k := range known {
		if strings.HasPrefix(k, name+"/") {
			return nil, bad("%s is a folder", name).WithHint("Give a glob such as " + name + "/*.")
		}
	}
	return nil, akitad.Errorf(akitad.NotFound, "there is no file %q", name).WithHint(haveHint(known))
}

func haveHint(known []string) string {
	if len(known) == 0 {
		return "The folder is empty."
	}
	return "There are: " + strings.Join(known[:min(len(known), 10)], ", ") + "."
}

// glob reports whether a name matches a pattern: one of path.Match for each part of the path, or ** for any number of
// folders.
func glob(pattern, name string) (bool, error) {
	if rest, ok := strings.CutPrefix(pattern, "**/"); ok {
		for {
			if hit, err := glob(rest, name); hit || err != nil {
				return hit, err
			}
			at := strings.IndexByte(name, '/')
			if at < 0 {
				return false, nil
			}
			name = name[at+1:]
		}
	}
	head, tail, nested := strings.Cut(pattern, "/")
	if !nested {
		return path.Match(pattern, name)
	}
	first, rest, ok := strings.Cut(name, "/")
	if !ok {
		return false, nil
	}
	if hit, err := path.Match(head, first); !hit || err != nil {
		return false, err
	}
	return glob(tail, rest)
}

func unique(names []string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
