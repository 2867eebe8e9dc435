package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// compareFacts sets files side by side: a verdict on what the words ask for, then each file.
func (l say) compareFacts(q *question.Question, all []*facts) string {
	parts := []string{l.compareVerdict(q, all)}
	if d := l.columnDifference(all); d != "" {
		parts = append(parts, d)
	}
	for _, f := range all {
		parts = append(parts, l.shortFacts(f))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

var (
	slowerWords = pattern.New(`slow|fast|latency|duration|慢|快|耗时|延迟`)
	sizeWords   = pattern.New(`\b(?:lines?|rows?|entries|records?|longer|larger|bigger)\b|行|条|更大`)
)

// compareVerdict orders the files by the one measure that the words name: the slowest request, a
// level, rows; errors for logs and rows for tables when they name none.
func (l say) compareVerdict(q *question.Question, all []*facts) string {
	name, value := l.of("rows", "行数"), func(f *facts) int { return f.Rows }
	switch {
	case slowerWords.MatchString(q.Text):
		return l.slowestOf(all)
	case q.Level != "" && !q.Above || q.Level == "warn":
		name, value = strings.ToUpper(q.Level), func(f *facts) int { return f.atLevel(q.Level) }
	case !sizeWords.MatchString(q.Text) && slices.ContainsFunc(all, func(f *facts) bool { return f.Kind == "log" }):
		name, value = l.of("errors", "错误数"), func(f *facts) int { return f.Errors }
	}
	sorted := slices.Clone(all)
	sorting.By(sorted, func(a, b *facts) int { return cmp.Compare(value(b), value(a)) })
	var items []string
	for _, f := range sorted {
		items = append(items, fmt.Sprintf("%s %s", f.File, n(value(f))))
	}
	if value(sorted[0]) == value(sorted[1]) {
		return l.f("**%s: equal at the top** (%s).", "**%s：并列**（%s）。", name, strings.Join(items, ", "))
	}
	return l.f("**Most %s: %s** (%s).", "**%s最多：%s**（%s）。", name, sorted[0].File, strings.Join(items, ", "))
}

func (f *facts) atLevel(level string) int {
	sum := 0
	for _, g := range f.Levels {
		if rows.SameLevel(g.Key, level) {
			sum += g.Count
		}
	}
	return sum
}

func (l say) slowestOf(all []*facts) string {
	var best *facts
	var bestMS float64
	for _, f := range all {
		if f.Slowest == nil {
			continue
		}
		if ms, ok := rows.Number(f.Slowest.Value); ok && (best == nil || ms > bestMS) {
			best, bestMS = f, ms
		}
	}
	if best == nil {
		return l.of("None of the files tells how long requests took.", "文件中没有请求耗时。")
	}
	return l.f("**The slowest request is in %s**: %s %s (%s).", "**最慢的请求在 %s**：%s %s（%s）。", best.File, best.Slowest.Value, best.Unit, best.Slowest.Source)
}

// columnDifference says which columns only one of two tables has.
func (l say) columnDifference(all []*facts) string {
	if len(all) != 2 || all[0].Kind != "table" || all[1].Kind != "table" {
		return ""
	}
	var parts []string
	for i, f := range all {
		var only []string
		for _, c := range f.Columns {
			if !slices.ContainsFunc(all[1-i].Columns, func(d groupLine) bool { return d.Key == c.Key }) {
				only = append(only, c.Key)
			}
		}
		if len(only) > 0 {
			parts = append(parts, l.f("Columns only in %s: %s.", "只在 %s 中的列：%s。", f.File, strings.Join(only, ", ")))
		}
	}
	if len(parts) == 0 {
		return l.of("Both have the same columns.", "两者的列相同。")
	}
	return strings.Join(parts, " ")
}

var bothWords = pattern.New(`\bin both\b|\bin common\b|(?:^|[^一总])共有|都有哪些|两个文件都|共同`)

// compareSets compares the values of one column of two files: which are only in the first, or in
// both.
func (s *session) compareSets(q *question.Question, files []string) (outcome, error) {
	files = s.twoFiles(q, files)
	if len(files) != 2 {
		return outcome{refused: true, text: s.say.of("I can compare the values of exactly two files; name the two.", "只能比较两个文件的取值，请指明这两个文件。")}, nil
	}
	a, err1 := s.bind(q, files[0])
	b, err2 := s.bind(q, files[1])
	if err := first(err1, err2); err != nil {
		return outcome{}, err
	}
	key := sharedColumn(a, b)
	if key == "" {
		return outcome{refused: true, text: s.say.f("%s and %s have no column in common to compare by.", "%s 和 %s 没有可用来比较的共同列。", files[0], files[1])}, nil
	}
	va, err1 := s.valuesOf(files[0], key)
	vb, err2 := s.valuesOf(files[1], key)
	if err := first(err1, err2); err != nil {
		return outcome{}, err
	}
	text := s.saySets(q, key, files, va, vb)
	if eitherWay.MatchString(q.Text) && !bothWords.MatchString(q.Text) {
		text += "\n\n" + s.saySets(q, key, []string{files[1], files[0]}, vb, va)
	}
	return outcome{text: text}, nil
}

// eitherWay asks for what only one of two files has, whichever it is.
var eitherWay = pattern.New(`\bonly in (?:just )?(?:one|either|a single)\b|\bin (?:just |only )one (?:of|file)\b|\bin one (?:of them )?(?:but|and) not (?:in )?the other\b|只在(?:其中)?(?:一个|某一个|一份)|仅在(?:其中)?(?:一个|某一个)`)

var onlyIn = pattern.New(`\bonly in\b|只在|仅在`)

// twoFiles completes a comparison that names one of the two given files: "only in X" asks what the
// other lacks, "not in X" what X lacks.
func (s *session) twoFiles(q *question.Question, files []string) []string {
	names := s.names()
	if len(files) != 1 || len(names) != 2 || !slices.Contains(names, files[0]) {
		return files
	}
	other := names[0]
	if other == files[0] {
		other = names[1]
	}
	if onlyIn.MatchString(q.Text) {
		return []string{files[0], other}
	}
	return []string{other, files[0]}
}

// sharedColumn is the column to compare by: one that the question names and both have, else an
// identifier of both, else the first that both have.
func sharedColumn(a, b *binding) string {
	for _, m := range a.named {
		if b.column(m.col.name) != nil {
			return m.col.name
		}
	}
	shared := ""
	for _, c := range a.cols {
		if b.column(c.name) == nil {
			continue
		}
		if c.isID() {
			return c.name
		}
		if shared == "" {
			shared = c.name
		}
	}
	return shared
}

// maxPages is how many pages of values one file is asked for.
const maxPages = 3

// valuesOf gives the different values of a column; an error if there are too many to compare.
func (s *session) valuesOf(file, column string) (*table, error) {
	all := &table{}
	for range maxPages {
		t, err := s.extract(extract{Path: file, GroupBy: column, Aggregate: "count", Order: column + " asc", Limit: 1000, Offset: len(all.rows)})
		if err != nil {
			return nil, err
		}
		all.columns, all.total = t.columns, t.total
		if all.rows = append(all.rows, t.rows...); !t.more {
			return all, nil
		}
	}
	return nil, fmt.Errorf("%s has %d different values of %s, more than can be compared here", file, all.total, column)
}

func (s *session) saySets(q *question.Question, key string, files []string, a, b *table) string {
	in := map[string]bool{}
	for i := range b.rows {
		in[strings.ToLower(b.cell(i, key))] = true
	}
	both := bothWords.MatchString(q.Text)
	var lines []string
	for i := range a.rows {
		v := a.cell(i, key)
		if v == "" || in[strings.ToLower(v)] != both {
			continue
		}
		lines = append(lines, fmt.Sprintf("- %s (%s)", v, a.cell(i, "first_source")))
	}
	title := s.say.f("**%s** of %s are in %s but not in %s", "**%s** 个 %s 的值在 %s 中而不在 %s 中", s.say.of(plural(len(lines), "value"), n(len(lines))), key, files[0], files[1])
	if both {
		title = s.say.f("**%s** of %s are in both %s and %s", "**%s** 个 %s 的值同时在 %s 和 %s 中", s.say.of(plural(len(lines), "value"), n(len(lines))), key, files[0], files[1])
	}
	if len(lines) == 0 {
		return title + s.say.of(".", "。")
	}
	return title + s.say.of(":", "：") + "\n" + strings.Join(lines, "\n")
}
