package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// merge says what several files together answer to one question.
func (l say) merge(q *question.Question, fs []*finding) string {
	fs = l.nothingOnce(slices.DeleteFunc(slices.Clone(fs), func(f *finding) bool { return f == nil }))
	switch {
	case len(fs) == 0:
		return l.of("Nothing was found out.", "没有得到任何结果。")
	case len(fs) == 1:
		return l.render(fs[0])
	}
	switch kind := commonKind(fs); {
	case kind == "count":
		return l.mergeCounts(fs)
	case kind == "figure":
		return l.mergeFigures(fs)
	case kind == "groups" && mergeable(fs):
		return l.mergeGroups(q, fs)
	case kind == "rows" && (fs[0].Fn == "first" || fs[0].Fn == "last"):
		return l.mergeEnds(fs)
	case kind == "rows" && (fs[0].Fn == "max" || fs[0].Fn == "min"):
		return l.mergeExtremes(fs)
	}
	var parts []string
	for _, f := range fs {
		parts = append(parts, l.render(f))
	}
	return strings.Join(parts, "\n\n")
}

// commonKind is the kind that all findings have which found anything; text findings say why a file
// could not answer and are left to be listed.
func commonKind(fs []*finding) string {
	kind := fs[0].Kind
	for _, f := range fs {
		if len(f.More) > 0 || f.Kind != kind || f.Column != fs[0].Column || f.By != fs[0].By || f.Fn != fs[0].Fn {
			return ""
		}
	}
	return kind
}

func (l say) mergeCounts(fs []*finding) string {
	sum := 0
	var lines []string
	for _, f := range fs {
		sum += f.Count
		lines = append(lines, "- "+l.render(f))
	}
	head := l.f("**%s** in all, in %d files:", "%[2]d 个文件合计 **%[1]s**：", l.of(plural(sum, fs[0].unit()), n(sum)+" 行"), len(fs))
	return head + "\n" + strings.Join(lines, "\n")
}

func (l say) mergeFigures(fs []*finding) string {
	var lines []string
	for _, f := range fs {
		lines = append(lines, "- "+l.render(f))
	}
	head := ""
	if v, ok := combine(fs); ok {
		head = l.f("The %s of %s over %d files: **%s**.", "%[3]d 个文件中 %[2]s 的%[1]s：**%[4]s**。", l.fnName(fs[0].Fn), fs[0].Column, len(fs), v) + "\n"
	}
	return head + strings.Join(lines, "\n")
}

// combine joins figures that can be joined: sums, smallest, largest, and averages by their sums.
func combine(fs []*finding) (string, bool) {
	total, count, decimals := 0.0, 0, 0
	for _, f := range fs {
		text := f.Value
		if f.Fn == "avg" {
			text = f.Sum
		}
		if text == "" {
			continue
		}
		x, ok := rows.Number(text)
		if !ok {
			return "", false
		}
		decimals = max(decimals, rows.Decimals(text))
		switch {
		case f.Fn == "sum" || f.Fn == "avg":
			total += x
		case count == 0 || f.Fn == "min" && x < total || f.Fn == "max" && x > total:
			total = x
		}
		count += f.Count
	}
	switch {
	case count == 0 || !slices.Contains([]string{"sum", "avg", "min", "max"}, fs[0].Fn):
		return "", false
	case fs[0].Fn == "avg":
		return fixed(total/float64(count), decimals+2), true
	}
	return fixed(total, decimals), true
}

// fixed writes x with at most so many decimals.
func fixed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', min(decimals, 9), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// mergeable tells groups whose figures add up and are all known.
func mergeable(fs []*finding) bool {
	for _, f := range fs {
		if !f.Complete || f.Fn != "" && f.Fn != "sum" {
			return false
		}
	}
	return true
}

// mergedGroup is a group over several files.
type mergedGroup struct {
	key   string
	sum   float64
	count int
	parts []string
	first string
	last  string
}

func (l say) mergeGroups(q *question.Question, fs []*finding) string {
	var list []*mergedGroup
	byKey := map[string]*mergedGroup{}
	decimals, count := 0, 0
	for _, f := range fs {
		count += f.Count
		for _, g := range f.Groups {
			key := bucketName(f.By, g.Key)
			m, ok := byKey[key]
			if !ok {
				m = &mergedGroup{key: key, first: g.First}
				byKey[key] = m
				list = append(list, m)
			}
			x, _ := rows.Number(g.Value)
			decimals = max(decimals, rows.Decimals(g.Value))
			m.sum, m.count, m.last = m.sum+x, m.count+g.Count, g.Last
			m.parts = append(m.parts, fmt.Sprintf("%s %s", f.File, g.Value))
		}
	}
	sortMerged(list, fs[0])
	all := &finding{
		Kind: "groups", File: l.f("%d files", "%d 个文件", len(fs)), What: allWhats(fs), Fn: fs[0].Fn, Column: fs[0].Column, By: fs[0].By,
		Total: len(list), Count: count, N: fs[0].N, Asc: fs[0].Asc, Complete: true, Gap: fs[0].Gap,
	}
	for _, m := range list {
		all.Groups = append(all.Groups, groupLine{Key: m.key, Value: fixed(m.sum, decimals), Count: m.count, First: m.first, Last: m.last, Files: strings.Join(m.parts, ", ")})
	}
	for _, f := range fs {
		all.Notes = append(all.Notes, f.Notes...)
	}
	return l.render(all)
}

// bucketName writes the same minute of two logs the same way, whether or not they say UTC.
func bucketName(by, key string) string {
	if !isBucket(by) {
		return key
	}
	return strings.TrimSuffix(strings.Replace(key, "T", " ", 1), "Z")
}

// allWhats says what was looked for in the files, once if it was the same.
func allWhats(fs []*finding) string {
	var out []string
	for _, f := range fs {
		if f.What != "" && !slices.Contains(out, f.What) {
			out = append(out, f.What)
		}
	}
	return strings.Join(out, "; ")
}

func sortMerged(list []*mergedGroup, f *finding) {
	sorting.By(list, func(a, b *mergedGroup) int {
		if isBucket(f.By) && f.N == 0 {
			return strings.Compare(a.key, b.key)
		}
		if f.Asc {
			return cmp.Compare(a.sum, b.sum)
		}
		return cmp.Compare(b.sum, a.sum)
	})
}

// mergeEnds picks the first or last rows of all files by their times.
func (l say) mergeEnds(fs []*finding) string {
	all := allRows(fs)
	if all == nil {
		return l.each(fs)
	}
	sorting.By(all.Rows, func(a, b rowLine) int {
		t, _ := rows.ParseTime(a.Time)
		u, _ := rows.ParseTime(b.Time)
		return t.Compare(u)
	})
	if k := min(fs[0].N, len(all.Rows)); fs[0].Fn == "first" {
		all.Rows = all.Rows[:k]
	} else {
		all.Rows = all.Rows[len(all.Rows)-k:]
	}
	return l.render(all) + "\n\n" + l.each(fs)
}

// mergeExtremes picks the rows with the largest or smallest values of all files.
func (l say) mergeExtremes(fs []*finding) string {
	all := allRows(fs)
	if all == nil {
		return l.each(fs)
	}
	at := slices.Index(all.Columns, fs[0].Column)
	value := func(r rowLine) float64 {
		x, _ := rows.Number(r.Cells[at])
		return x
	}
	if at < 0 {
		return l.each(fs)
	}
	sorting.By(all.Rows, func(a, b rowLine) int {
		if fs[0].Asc {
			return cmp.Compare(value(a), value(b))
		}
		return cmp.Compare(value(b), value(a))
	})
	count := min(fs[0].N, len(all.Rows))
	for fs[0].N == 1 && count < len(all.Rows) && all.Rows[count].Cells[at] == all.Rows[0].Cells[at] {
		count++
	}
	all.Rows = all.Rows[:count]
	if len(all.Rows) > 0 {
		all.Value = all.Rows[0].Cells[at]
	}
	return l.render(all)
}

// allRows puts the rows of all findings under one set of columns; nil if some row has no time.
func allRows(fs []*finding) *finding {
	all := &finding{Kind: "rows", Fn: fs[0].Fn, What: fs[0].What, Column: fs[0].Column, Asc: fs[0].Asc, N: fs[0].N, Complete: true, Gap: fs[0].Gap}
	var names []string
	for _, f := range fs {
		all.Count += f.Count
		names = append(names, f.File)
		all.Columns = unionColumns(all, f)
		all.Notes = append(all.Notes, f.Notes...)
	}
	all.File = strings.Join(names, ", ")
	if all.Fn == "first" || all.Fn == "last" {
		for _, r := range all.Rows {
			if r.Time == "" {
				return nil
			}
		}
	}
	return all
}

func (l say) each(fs []*finding) string {
	var parts []string
	for _, f := range fs {
		parts = append(parts, l.render(f))
	}
	return strings.Join(parts, "\n\n")
}
