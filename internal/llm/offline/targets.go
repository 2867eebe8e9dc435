package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// maxTargets is how many files one question looks at.
const maxTargets = 12

// dataEndings are those of files that hold rows or text.
var dataEndings = []string{".log", ".csv", ".tsv", ".md", ".markdown", ".txt", ".jsonl", ".ndjson", ".json", ".out", ".err", ""}

// targets are the files that a question is about: those it names, else those given, else those in
// the folder, of the kind it speaks of.
func (s *session) targets(q *question.Question) ([]string, error) {
	files, err := s.candidates(q)
	if err != nil {
		return nil, err
	}
	return s.seen(q, files)
}

func (s *session) candidates(q *question.Question) ([]string, error) {
	if s.goal.kind == partOfFile {
		return s.goal.files, nil
	}
	if len(q.Files) > 0 {
		files, err := s.resolve(q.Files)
		return s.besideOwn(q, files), err
	}
	files := s.readable(s.files())
	if len(files) == 0 && s.brief.Others == 0 {
		names, err := s.listing()
		if err != nil {
			return nil, err
		}
		for _, f := range names {
			if slices.Contains(dataEndings, strings.ToLower(path.Ext(f))) && f != s.asked.Report {
				files = append(files, f)
			}
		}
	}
	files = ofKind(q, files)
	return files[:min(len(files), maxTargets)], nil
}

// resolve completes names that lack their folder, by looking when they are not among the given.
func (s *session) resolve(names []string) ([]string, error) {
	if !slices.ContainsFunc(names, func(f string) bool { return !slices.Contains(s.names(), f) }) {
		return names, nil
	}
	have, err := s.listing()
	if err != nil {
		return nil, err
	}
	out := make([]string, len(names))
	for i, f := range names {
		out[i] = f
		for _, h := range have {
			if !slices.Contains(have, f) && (path.Base(h) == f || strings.EqualFold(h, f)) {
				out[i] = h
			}
		}
	}
	return out, nil
}

var kinds = []struct {
	re      *pattern.Pattern
	endings []string
}{
	{pattern.New(`\blogs?\b|日志`), []string{".log", ".jsonl", ".ndjson", ".out", ".err"}},
	{pattern.New(`\bcsv\b|\bspreadsheets?\b|表格`), []string{".csv", ".tsv"}},
	{pattern.New(`\bmarkdown\b|\bnotes?\b|笔记|文档`), []string{".md", ".markdown", ".txt"}},
}

// ofKind leaves the files of the kind that the words name, if there are any.
func ofKind(q *question.Question, files []string) []string {
	if q.Intent == question.Incident {
		return files
	}
	for _, k := range kinds {
		if !k.re.MatchString(q.Text) {
			continue
		}
		var out []string
		for _, f := range files {
			if slices.Contains(k.endings, strings.ToLower(path.Ext(f))) {
				out = append(out, f)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return files
}
