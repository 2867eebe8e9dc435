package filter

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// wanted is what a query has to do with a table.
type wanted struct {
	d       *document
	t       *table
	q       query
	named   []*column // columns that it names
	filters []filter  // values that it names
}

// filter is the values of a column that the query names.
type filter struct {
	c      *column
	values []string
}

func (f filter) String() string { return f.c.name + " " + strings.Join(f.values, " or ") }

// want finds the columns and values of a table that a query names.
func want(d *document, t *table, q query) wanted {
	w := wanted{d: d, t: t, q: q}
	for _, c := range t.columns {
		if names(q, c.name) {
			w.named = append(w.named, c)
		}
		if v := c.mentioned(q); len(v) > 0 && c.grouped() {
			w.filters = append(w.filters, filter{c, v})
		}
	}
	return w
}

// names reports whether one of the words of a name is asked for.
func names(q query, name string) (yes bool) {
	eachWord(name, func(w []byte) { yes = yes || q.said[string(w)] || q.has(string(w)) })
	return yes
}

// mentioned gives the values of the column of which the query has every word. A short number says
// little by itself: its column must be named too.
func (c *column) mentioned(q query) (values []string) {
	best, isNamed := 1, names(q, c.name)
	for _, v := range c.order {
		if len(v) > 60 || !isNamed && len(v) < 3 && class(v[0]) == digit {
			continue
		}
		words, all := 0, true
		eachWord(v, func(w []byte) {
			words++
			all = all && q.plain[string(w)]
		})
		if q.classes != "" && len(v) == 3 && strings.IndexByte(q.classes, v[0]) >= 0 {
			words, all = best, true
		}
		switch {
		case !all || words < best:
		case words > best:
			best, values = words, []string{v}
		default:
			values = append(values, v)
		}
	}
	return values[:min(len(values), 6)]
}

// lines words what the table says of the query, what matters most first.
func (w wanted) lines() (out []string) {
	out = append(out, w.counts()...)
	out = append(out, w.spreads()...)
	for _, c := range w.named {
		out = append(out, w.about(c)...)
	}
	for _, c := range w.t.columns {
		if c.few() && !(c.isNum && len(c.counts) > 6) {
			out = append(out, w.values(c, nil, 12))
		}
	}
	for _, c := range w.t.columns {
		if c.isNum && len(c.nums) > 1 && !(c.few() && len(c.counts) <= 6) {
			out = append(out, w.span(c, nil))
		} else if !c.isNum && isTime(c) {
			out = append(out, w.times(c, nil))
		}
	}
	return unique(out)
}

// counts says how many rows have the values that the query names, each and all together.
func (w wanted) counts() (out []string) {
	var all []string
	for _, f := range w.filters {
		for _, v := range f.values {
			out = append(out, fmt.Sprintf("%s %s: %s", f.c.name, v, plural(f.c.counts[v], "row")))
		}
		all = append(all, f.String())
	}
	if len(w.filters) < 2 {
		return out
	}
	n := 0
	for _, in := range w.rows() {
		if in {
			n++
		}
	}
	return append([]string{strings.Join(all, " and ") + ": " + plural(n, "row")}, out...)
}

// rows tells which rows have values that the query names, of each column; nil if it names none.
func (w wanted) rows() []bool {
	if len(w.filters) == 0 {
		return nil
	}
	hits := make([]int, w.t.size())
	for _, f := range w.filters {
		for i, v := range f.c.values {
			if slices.Contains(f.values, v) {
				hits[f.c.rows[i]]++
			}
		}
	}
	in := make([]bool, len(hits))
	for i, n := range hits {
		in[i] = n >= len(w.filters)
	}
	return in
}

// spreads says how the named columns spread over each other: sums by group, and groups among the rows
// that have the values asked for.
func (w wanted) spreads() (out []string) {
	in := w.rows()
	for _, group := range w.named {
		if !group.grouped() || w.isFilter(group) {
			continue
		}
		if in != nil {
			out = append(out, w.values(group, in, 6))
		}
		for _, num := range w.named {
			if num != group && num.isNum && len(group.counts) <= 40 {
				out = append(out, w.sums(group, num))
			}
		}
	}
	if in == nil {
		return out
	}
	for _, c := range w.t.columns {
		switch {
		case isTime(c):
			out = append(out, w.times(c, in))
		case c.isNum && slices.Contains(w.named, c):
			out = append(out, w.span(c, in))
		}
	}
	if w.q.most {
		out = append(out, w.ends(in)...)
	}
	return out
}

// ends shows the first and the last of rows.
func (w wanted) ends(in []bool) []string {
	first, last := slices.Index(in, true), len(in)-1
	for last > 0 && !in[last] {
		last--
	}
	if first < 0 || first == last {
		return nil
	}
	return []string{"first of these: " + w.text(first), "last of these: " + w.text(last)}
}

func (w wanted) text(row int) string {
	s := w.t.spans[row]
	return clip(strings.TrimSpace(w.d.plain[s.from:s.to]), 160)
}

func (w wanted) isFilter(c *column) bool {
	return slices.ContainsFunc(w.filters, func(f filter) bool { return f.c == c })
}

// about says what the values of a named column are.
func (w wanted) about(c *column) (out []string) {
	switch {
	case c.isNum && len(c.nums) > 1 && (len(c.counts) > 6 || w.q.most):
		out = append(out, w.span(c, nil))
		if w.q.most {
			out = append(out, w.extremes(c)...)
		}
	case isTime(c):
		out = append(out, w.times(c, nil))
	}
	if c.grouped() {
		out = append(out, w.values(c, nil, 5))
	}
	return out
}

// values counts the most frequent values of a column, among rows if not nil.
func (w wanted) values(c *column, in []bool, n int) string {
	counts, order := c.counts, c.order
	of := ""
	if in != nil {
		counts, order, of = map[string]int{}, nil, " (of these)"
		for i, v := range c.values {
			if in[c.rows[i]] {
				if counts[v] == 0 {
					order = append(order, v)
				}
				counts[v]++
			}
		}
	}
	order = slices.Clone(order)
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	var parts []string
	for _, v := range order[:min(n, len(order))] {
		parts = append(parts, fmt.Sprintf("%s ×%d", clip(v, 60), counts[v]))
	}
	if len(order) == 0 {
		return ""
	}
	tail := ""
	if len(order) > n {
		tail = fmt.Sprintf(" and %d more values", len(order)-n)
	}
	return c.name + of + ": " + strings.Join(parts, ", ") + tail
}

func (w wanted) sums(group, num *column) string {
	by := make(map[int32]float64, len(num.nums))
	for i, v := range num.nums {
		by[num.rows[i]] = v
	}
	sum, n := map[string]float64{}, map[string]int{}
	for i, v := range group.values {
		if x, ok := by[group.rows[i]]; ok {
			sum[v] += x
			n[v]++
		}
	}
	order := slices.SortedFunc(mapKeys(sum), func(a, b string) int { return cmp.Or(cmp.Compare(sum[b], sum[a]), strings.Compare(a, b)) })
	var parts []string
	for _, v := range order[:min(8, len(order))] {
		parts = append(parts, fmt.Sprintf("%s sum %s mean %s", clip(v, 40), number(sum[v]), number(sum[v]/float64(n[v]))))
	}
	return num.name + " by " + group.name + ": " + strings.Join(parts, ", ")
}

// span gives the range, sum and mean of numbers, among rows if not nil.
func (w wanted) span(c *column, in []bool) string {
	low, high, sum, n := math.Inf(1), math.Inf(-1), 0.0, 0
	for i, v := range c.nums {
		if in != nil && !in[c.rows[i]] {
			continue
		}
		low, high, sum, n = min(low, v), max(high, v), sum+v, n+1
	}
	if n == 0 {
		return ""
	}
	of := ""
	if in != nil {
		of = " (of these)"
	}
	return fmt.Sprintf("%s%s: min %s, max %s, mean %s, sum %s", c.name, of, number(low), number(high), number(sum/float64(n)), number(sum))
}

// extremes names the rows with the least and the greatest value.
func (w wanted) extremes(c *column) (out []string) {
	low, high := 0, 0
	for i, v := range c.nums {
		if v < c.nums[low] {
			low = i
		}
		if v > c.nums[high] {
			high = i
		}
	}
	return []string{w.extreme("max", c, high), w.extreme("min", c, low)}
}

func (w wanted) extreme(word string, c *column, i int) string {
	return fmt.Sprintf("%s of %s is %s in row %d: %s", word, c.name, c.values[i], c.rows[i]+1, w.label(int(c.rows[i]), c))
}

// label names a row by its first short values.
func (w wanted) label(row int, not *column) string {
	var out []string
	size := 0
	for _, c := range w.t.columns {
		at, ok := slices.BinarySearch(c.rows, int32(row))
		if !ok || c == not || size > 140 {
			continue
		}
		part := c.name + " " + clip(c.values[at], 60)
		size += len(part)
		out = append(out, part)
	}
	return strings.Join(out, ", ")
}

// isTime reports a column of times as ISO 8601 and its like write them: they sort as text.
func isTime(c *column) bool {
	if len(c.values) == 0 {
		return false
	}
	for _, v := range []string{c.values[0], c.values[len(c.values)-1]} {
		if len(v) < 10 || class(v[0]) != digit || v[4] != '-' || v[7] != '-' {
			return false
		}
	}
	return true
}

// times gives the first and the last time of a column, among rows if not nil.
func (w wanted) times(c *column, in []bool) string {
	low, high, of := "", "", ""
	for i, v := range c.values {
		if in != nil && !in[c.rows[i]] {
			continue
		}
		if low == "" || instant(v) < instant(low) {
			low = v
		}
		if high == "" || instant(v) > instant(high) {
			high = v
		}
	}
	if in != nil {
		of = " (of these)"
	}
	if low == "" {
		return ""
	}
	return fmt.Sprintf("%s%s: from %s to %s", c.name, of, low, high)
}

// instant is a time as it is compared, whatever stands between day and hour.
func instant(v string) string { return strings.Replace(v, "T", " ", 1) }

func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func unique(lines []string) []string {
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(lines, func(l string) bool {
		dup := seen[l]
		seen[l] = true
		return dup
	})
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
