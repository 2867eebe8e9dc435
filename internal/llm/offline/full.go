package offline

import (
	"encoding/csv"
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
)

// A report holds all rows that were asked for, up to fullMost; they are asked for fullPage at once,
// which is about what one answer of the tool holds.
const (
	fullMost = 3000
	fullPage = 60
)

// listsRows tells a report of rows, which only a task that sees all of them can write.
func listsRows(q question.Question) bool {
	return q.Intent == question.Filter || q.Intent == question.Fields
}

// allOf gives every row that args ask for, and whether there are more than a report holds.
func (s *session) allOf(args extract) (*finding, bool, error) {
	args.Limit, args.Offset = fullPage, 0
	t, err := s.extract(args)
	if err != nil {
		return nil, false, err
	}
	pages := []*table{t}
	var errs []error
	for at := fullPage; at < min(t.total, fullMost); at += fullPage {
		args.Offset, args.Limit = at, fullPage
		p, err := s.extract(args)
		pages, errs = append(pages, p), append(errs, err)
	}
	if err := first(errs...); err != nil {
		return nil, false, err
	}
	for i, p := range pages { // an answer that was too long holds fewer
		want := min(fullPage, t.total-i*fullPage)
		for len(p.rows) < want {
			args.Offset, args.Limit = i*fullPage+len(p.rows), want-len(p.rows)
			more, err := s.extract(args)
			if err != nil {
				errs = append(errs, err)
				break
			}
			if len(more.rows) == 0 {
				break
			}
			p.rows = append(p.rows, more.rows...)
		}
	}
	if err := first(errs...); err != nil {
		return nil, false, err
	}
	all := readRows(t)
	all.Rows = nil
	for _, p := range pages {
		f := readRows(p)
		all.Columns = unionColumns(all, f)
	}
	all.Complete = t.total <= fullMost
	return all, t.total > fullMost, nil
}

// addFull gives a finding of rows all of them, for the report.
func (s *session) addFull(f *finding, args extract) error {
	if s.asked.Report == "" || f.N > 0 || f.Count <= len(f.Rows) {
		return nil
	}
	all, cut, err := s.allOf(args)
	if err != nil {
		return err
	}
	f.full = all
	if cut {
		f.Notes = append(f.Notes, s.say.f("a report holds the first %s rows", "报告只列出前 %s 行", n(fullMost)))
	}
	return nil
}

// inFull are the findings as a report shows them.
func inFull(fs []*finding) []*finding {
	out := slices.Clone(fs)
	for i, f := range out {
		if f == nil || f.full == nil {
			continue
		}
		whole := *f
		whole.Rows, whole.Columns = f.full.Rows, f.full.Columns
		out[i] = &whole
	}
	return out
}

// asTable writes findings as the file's name wants them: rows and groups as CSV or TSV; "" where
// that is not wanted or does not fit.
func (s *session) asTable(fs []*finding) string {
	ext := strings.ToLower(path.Ext(s.asked.Report))
	if ext != ".csv" && ext != ".tsv" {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	if ext == ".tsv" {
		w.Comma = '\t'
	}
	var header []string
	for _, f := range fs {
		head, lines := s.say.tableOf(f)
		if head == nil || header != nil && !slices.Equal(header, head) {
			return ""
		}
		if header == nil {
			header = head
			lines = append([][]string{head}, lines...)
		}
		if w.WriteAll(lines) != nil {
			return ""
		}
	}
	return b.String()
}

// tableOf gives a finding as a header and lines; nil if it is none.
func (l say) tableOf(f *finding) (head []string, lines [][]string) {
	switch {
	case f == nil || len(f.More) > 0:
	case f.Kind == "rows":
		head = []string{"source"}
		for _, c := range f.Columns {
			head = append(head, l.shownName(c))
		}
		for _, r := range f.Rows {
			lines = append(lines, append([]string{r.Source}, r.Cells...))
		}
	case f.Kind == "groups":
		value := "count"
		if f.Column != "" {
			value = f.Fn + "(" + l.shownName(f.Column) + ")"
		}
		head = append(strings.Split(l.shownBy(f.By), ", "), value, "first", "last")
		for _, g := range f.Groups {
			keys := strings.Split(g.Key, " / ")
			if len(keys) != len(head)-3 {
				keys = append(make([]string, len(head)-4), g.Key)
			}
			lines = append(lines, append(keys, g.Value, g.First, g.Last))
		}
	}
	return head, lines
}
