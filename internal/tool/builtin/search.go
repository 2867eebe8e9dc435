package builtin

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/akitad/akitad/internal/tool"
)

// search is one grep at work: what it looks for and what it has found. Memory is bounded by what
// it shows, not by what it reads.
type search struct {
	pattern *regexp.Regexp
	mode    string
	invert  bool
	limit   int
	context int

	out    strings.Builder
	total  int // matching lines in all files
	shown  int // lines, or names, in out
	hits   int // files with a match
	binary int
	unread []string
}

// file searches one file.
func (s *search) file(ctx context.Context, scope tool.Scope, name string) error {
	found := 0
	w := around{search: s, name: named(name)}
	err := eachLine(ctx, scope, name, func(n int, line []byte) bool {
		hit := s.pattern.Match(line) != s.invert
		if hit {
			found++
		}
		if s.mode != "count" && s.mode != "files" {
			w.line(n, line, hit)
		}
		return s.mode != "files" || !hit // one is enough
	})
	if err != nil {
		return err
	}
	s.total += found
	if found > 0 {
		s.hits++
		s.name(name, found)
	}
	return nil
}

// name notes a file with matches, in the modes that show files.
func (s *search) name(name string, found int) {
	if s.mode != "count" && s.mode != "files" || s.shown >= s.limit {
		return
	}
	s.shown++
	if s.mode == "count" {
		fmt.Fprintf(&s.out, "%s: %d\n", named(name), found)
		return
	}
	s.out.WriteString(named(name) + "\n")
}

// answer ends the text with what it does not show.
func (s *search) answer(files int) string {
	switch {
	case s.mode == "count":
		if s.hits > s.shown {
			fmt.Fprintf(&s.out, "[stopped at the limit of %d files; %d files match]\n", s.limit, s.hits)
		}
		fmt.Fprintf(&s.out, "total: %d\n", s.total)
	case s.total == 0:
		fmt.Fprintf(&s.out, "no line matches in %s\n", count(files, "file"))
	case s.mode == "files" && s.hits > s.shown:
		fmt.Fprintf(&s.out, "[stopped at the limit of %d; %d files match in all]\n", s.limit, s.hits)
	case s.mode != "files" && s.total > s.shown:
		fmt.Fprintf(&s.out, "[stopped at the limit of %d; %d lines match in all]\n", s.limit, s.total)
	}
	if s.binary > 0 {
		fmt.Fprintf(&s.out, "[%s passed over: not text]\n", count(s.binary, "file"))
	}
	if len(s.unread) > 0 {
		fmt.Fprintf(&s.out, "[could not be read: %s]\n", strings.Join(s.unread[:min(5, len(s.unread))], ", "))
	}
	return s.out.String()
}

// around shows matching lines of one file with those before and after.
type around struct {
	*search
	name   string
	before []string // the last lines that were not shown
	after  int      // lines still to show after a match
	last   int      // number of the last line shown
}

func (w *around) line(n int, line []byte, hit bool) {
	switch {
	case hit && w.shown < w.limit:
		if w.context > 0 && w.last > 0 && n-len(w.before) > w.last+1 {
			w.out.WriteString("--\n")
		}
		for i, text := range w.before {
			fmt.Fprintf(&w.out, "%s-%d- %s\n", w.name, n-len(w.before)+i, text)
		}
		fmt.Fprintf(&w.out, "%s:%d: %s\n", w.name, n, show(line))
		w.shown++
		w.before, w.after, w.last = w.before[:0], w.context, n
	case w.after > 0:
		fmt.Fprintf(&w.out, "%s-%d- %s\n", w.name, n, show(line))
		w.after, w.last = w.after-1, n
	case w.context > 0 && w.shown < w.limit:
		if len(w.before) == w.context {
			w.before = append(w.before[:0], w.before[1:]...)
		}
		w.before = append(w.before, show(line))
	}
}
