package offline

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// Words for what differs between two tables: rows that only one of them has, and rows that both have and
// that say something else.
var (
	onlyWords    = pattern.New(`\b(?:new|newly|added|appeared|removed|deleted|missing|gone|dropped|disappeared|vanished)\b|新增|增加了|移除|删除|消失|下线|少了|多了|不见`)
	changedWords = pattern.New(`\b(?:changed?|changes|updated|modified|altered)\b|变了|变化|变更|改变|改动|修改|更新`)
	differWords  = pattern.New(`\bdiffer(?:s|ent|ences?)?\b|\bdiff\b|不同|差异|区别|不一样|对比|\bcompar(?:e|ed|ing|ison)\b|比较`)
)

// tableEnds are those of files that hold a table.
var tableEnds = set(".csv .tsv .json .jsonl .ndjson")

// tableRow is a row by the value that tells it from all others.
type tableRow struct {
	source string
	cells  []string
}

// keyed is a table of which each row has its own value of one column.
type keyed struct {
	file    string
	columns []string
	keys    []string // in order
	rows    map[string]tableRow
}

// difference says what differs between two tables that tell their rows apart by the same column; ok is false
// where they do not, or where nothing of the kind is asked.
func (s *session) difference(q *question.Question, files []string) (out outcome, ok bool, err error) {
	asked := onlyWords.MatchString(q.Text) || changedWords.MatchString(q.Text) || differWords.MatchString(q.Text)
	if len(files) != 2 || !asked || q.Missing || q.Versus || q.Fn != "" || q.Level != "" || bothWords.MatchString(q.Text) || !s.has("extract") {
		return out, false, nil
	}
	if slices.ContainsFunc(files, func(f string) bool { return !tableEnds[strings.ToLower(path.Ext(f))] }) {
		return out, false, nil
	}
	a, err1 := s.bind(q, files[0])
	b, err2 := s.bind(q, files[1])
	if err := first(err1, err2); err != nil {
		return out, false, err
	}
	key := sharedKey(a, b)
	if key == "" || len(a.where)+len(b.where) > 0 {
		return out, false, nil
	}
	ta, err1 := s.keyedRows(a, key)
	tb, err2 := s.keyedRows(b, key)
	if err := first(err1, err2); err != nil || ta == nil || tb == nil {
		return out, false, err
	}
	return outcome{text: s.sayDifference(q, key, ta, tb, namedBeside(a, b, key))}, true, nil
}

// sharedKey is the first column that tells the rows of both tables apart.
func sharedKey(a, b *binding) string {
	for _, c := range a.cols {
		if c.kind != "time" && a.oneEach(c.name) && c.filled == a.rows && b.oneEach(c.name) && b.column(c.name).filled == b.rows {
			return c.name
		}
	}
	return ""
}

// namedBeside are the columns of both that the question names, but for the key.
func namedBeside(a, b *binding, key string) []string {
	var out []string
	for _, m := range a.named {
		if m.col.name != key && b.column(m.col.name) != nil && !slices.Contains(out, m.col.name) {
			out = append(out, m.col.name)
		}
	}
	return out
}

// keyedRows reads a table; nil if it is too large to hold or a value comes twice.
func (s *session) keyedRows(b *binding, key string) (*keyed, error) {
	t := &keyed{file: b.file, rows: map[string]tableRow{}}
	for _, c := range b.cols {
		if c.name != key {
			t.columns = append(t.columns, c.name)
		}
	}
	for range maxPages {
		page, err := s.extract(extract{Path: b.file, Columns: key + "," + strings.Join(t.columns, ","), Limit: 1000, Offset: len(t.keys)})
		if err != nil {
			return nil, err
		}
		for i, r := range page.rows {
			k := page.cell(i, key)
			if _, twice := t.rows[k]; twice {
				return nil, nil
			}
			row := tableRow{source: r[0]}
			for _, c := range t.columns {
				row.cells = append(row.cells, page.cell(i, c))
			}
			t.keys, t.rows[k] = append(t.keys, k), row
		}
		if !page.more {
			return t, nil
		}
	}
	return nil, nil
}

// shownDifferences is how many rows of a kind are listed.
const shownDifferences = 40

func (s *session) sayDifference(q *question.Question, key string, a, b *keyed, columns []string) string {
	all := differWords.MatchString(q.Text)
	changed := all || changedWords.MatchString(q.Text)
	only := all || onlyWords.MatchString(q.Text) || !changed
	var parts []string
	if only {
		parts = append(parts, s.sayOnly(key, a, b), s.sayOnly(key, b, a))
	}
	if changed {
		parts = append(parts, s.sayChanged(key, a, b, columns))
	}
	return strings.Join(parts, "\n\n")
}

// sayOnly lists what only the first has.
func (s *session) sayOnly(key string, a, b *keyed) string {
	var lines []string
	for _, k := range a.keys {
		if _, ok := b.rows[k]; !ok {
			lines = append(lines, fmt.Sprintf("- %s (%s)", k, a.rows[k].source))
		}
	}
	title := s.say.f("**%s** of %s only in %s, not in %s", "**%s**（%s）只在 %s 中，不在 %s 中", s.say.of(plural(len(lines), "value"), n(len(lines))+" 个值"), key, a.file, b.file)
	return s.titled(title, lines)
}

// sayChanged lists the rows of both whose other columns differ.
func (s *session) sayChanged(key string, a, b *keyed, columns []string) string {
	var lines []string
	for _, k := range a.keys {
		other, ok := b.rows[k]
		if !ok {
			continue
		}
		var changes []string
		for i, c := range a.columns {
			j := slices.Index(b.columns, c)
			if j < 0 || a.rows[k].cells[i] == other.cells[j] || len(columns) > 0 && !slices.Contains(columns, c) {
				continue
			}
			changes = append(changes, fmt.Sprintf("%s %s / %s", c, quoteEmpty(a.rows[k].cells[i]), quoteEmpty(other.cells[j])))
		}
		if len(changes) > 0 {
			lines = append(lines, fmt.Sprintf("- %s: %s (%s, %s)", k, strings.Join(changes, ", "), a.rows[k].source, other.source))
		}
	}
	what := s.say.of("other values", "的值")
	if len(columns) > 0 {
		what = s.say.f("another %s", "的 %s ", strings.Join(columns, ", "))
	}
	title := s.say.f("**%s** of %s have %s in %s / in %s", "**%s**（%s）%s在 %s / %s 中不同", s.say.of(plural(len(lines), "value"), n(len(lines))+" 个值"), key, what, a.file, b.file)
	return s.titled(title, lines)
}

func quoteEmpty(v string) string {
	if v == "" {
		return `""`
	}
	return v
}

func (s *session) titled(title string, lines []string) string {
	if len(lines) == 0 {
		return title + s.say.of(".", "。")
	}
	more := ""
	if extra := len(lines) - shownDifferences; extra > 0 {
		lines, more = lines[:shownDifferences], s.say.f("\n(%d more)", "\n（另有 %d 项）", extra)
	}
	return title + s.say.of(":", "：") + "\n" + strings.Join(lines, "\n") + more
}
