package filter

import (
	"fmt"
	"slices"
	"strings"
)

// wanted is what a query asks of a table, as far as words tell.
type wanted struct {
	d       *document
	t       *table
	q       query
	named   []*column // the columns that the query names
	filters []filter  // the values that the query names
}

// filter is a column with the values of it that the query names.
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
	eachWord(name, func(w []byte) { yes = yes || q.said[string(w)] || q.has(string(w)) || q.shortens(string(w)) })
	return yes
}

// shortens reports whether a word is the beginning of one that is asked for, as mem is of memory.
func (q query) shortens(word string) bool {
	return len(word) >= 3 && class(word[0]) == lower && slices.ContainsFunc(q.terms, func(t term) bool { return strings.HasPrefix(t.word, word) })
}

// mentioned returns at most six values of the column of which the query has every word; of these, only those with the
// most words. A number of one or two digits counts only if its column is named too, because it may mean anything.
func (c *column) mentioned(q query) (values []string) {
	best, isNamed := 1, names(q, c.name)
	if q.classes == "" && q.has("fail") && c.isStatus() {
		q.classes = "45"
	}
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

// isStatus reports whether the column has HTTP status codes.
func (c *column) isStatus() bool {
	name := strings.ToLower(c.name)
	if !c.isNum || !strings.Contains(name, "status") && !strings.HasSuffix(name, "code") {
		return false
	}
	return !slices.ContainsFunc(c.order, func(v string) bool { return len(v) != 3 || v[0] < '1' || v[0] > '5' })
}

// lines returns sentences about the table, those that concern the query most first, each once.
func (w wanted) lines() (out []string) {
	out = append(out, w.counts()...)
	out = append(out, w.spreads()...)
	for _, c := range w.named {
		out = append(out, w.about(c)...)
	}
	for _, c := range w.t.columns {
		if c.few() && len(c.counts) > 1 && !(c.isNum && len(c.counts) > 6) {
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

// counts returns how many rows have all of the values that the query names, and how many have each.
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

// rows reports for each row whether it has, in every filter's column, one of the filter's values; nil if the query
// names no values.
func (w wanted) rows() []bool {
	if len(w.filters) == 0 {
		return nil
	}
	hits := make([]int, w.t.size())
	for n, f := range w.filters {
		for i, v := range f.c.values {
			if row := f.c.rows[i]; hits[row] == n && slices.Contains(f.values, v) { // a row may have several of them
				hits[row]++
			}
		}
	}
	in := make([]bool, len(hits))
	for i, n := range hits {
		in[i] = n >= len(w.filters)
	}
	return in
}

// spreads returns how the columns that the query names depend on each other: sums of one by the values of another, and
// values among the rows that the query asks for.
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
		case c.isNum && slices.Contains(w.named, c) && !w.isFilter(c):
			out = append(out, w.span(c, in))
		}
	}
	if w.q.most {
		out = append(out, w.ends(in)...)
	}
	return out
}

// ends returns the first and the last of the rows in.
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
