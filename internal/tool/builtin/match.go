package builtin

import (
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

// matcher is a glob. ** stands for any number of folders, {a,b} for a or b. A pattern without / is compared with the
// last part of a name, at any depth.
type matcher struct {
	patterns [][]string // alternatives, split at /
	anywhere bool
}

// maxAlternatives bounds what the braces of one pattern may stand for.
const maxAlternatives = 64

func newMatcher(pattern string) (matcher, error) {
	m := matcher{anywhere: !strings.Contains(pattern, "/")}
	for _, p := range braces(strings.TrimPrefix(pattern, "./")) {
		parts := strings.Split(p, "/")
		for _, part := range parts {
			if _, err := path.Match(part, ""); err != nil {
				return m, badPattern(pattern, err)
			}
		}
		m.patterns = append(m.patterns, parts)
	}
	if len(m.patterns) > maxAlternatives {
		return m, akitad.Errorf(akitad.InvalidRequest, "pattern %q has more than %d alternatives", pattern, maxAlternatives)
	}
	return m, nil
}

func badPattern(pattern string, err error) error {
	return akitad.Errorf(akitad.InvalidRequest, "pattern %q: %w", pattern, err).WithHint("for example **/*.log")
}

func (m matcher) match(name string) bool {
	parts := strings.Split(name, "/")
	if m.anywhere {
		parts = parts[len(parts)-1:]
	}
	return slices.ContainsFunc(m.patterns, func(p []string) bool { return matchParts(p, parts) })
}

// matchParts reports whether a name matches a pattern, part by part. When the parts after a ** do not fit, only the
// last ** is tried again with one more folder, so the time is bounded by the product of the lengths.
func matchParts(pattern, name []string) bool {
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, mark = p, n
			p++
		case p < len(pattern) && matchPart(pattern[p], name[n]):
			p, n = p+1, n+1
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

func matchPart(pattern, part string) bool {
	ok, _ := path.Match(pattern, part)
	return ok
}

// braces gives what the first {a,b} of a pattern stands for, and so on for those that follow.
func braces(pattern string) []string {
	from := strings.IndexByte(pattern, '{')
	if from < 0 {
		return []string{pattern}
	}
	length := strings.IndexByte(pattern[from:], '}')
	if length < 0 {
		return []string{pattern}
	}
	var all []string
	rest := braces(pattern[from+length+1:])
	for one := range strings.SplitSeq(pattern[from+1:from+length], ",") {
		for _, r := range rest {
			if all = append(all, pattern[:from]+one+r); len(all) > maxAlternatives {
				return all
			}
		}
	}
	return all
}

// filesBelow gives the names of the files at a path: itself, or those below it.
func filesBelow(s tool.Scope, at string) ([]string, error) {
	info, err := s.Dir.Stat(at)
	if err != nil {
		return nil, err
	}
	at = path.Clean(at)
	if !info.IsDir() {
		return []string{at}, nil
	}
	all, err := s.Dir.Files()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range all {
		if at == "." || strings.HasPrefix(f.Name, at+"/") {
			names = append(names, f.Name)
		}
	}
	return names, nil
}

// within gives a file's name relative to the folder that was searched.
func within(at, name string) string {
	if at = path.Clean(at); at == "." || at == name {
		return name
	}
	return strings.TrimPrefix(name, at+"/")
}
