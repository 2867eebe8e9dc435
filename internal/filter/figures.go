package filter

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/sorting"
)

// about returns sentences about the values of a column that the query names.
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

// values returns the n most frequent values of a column with their counts. in limits it to some rows; nil means all.
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
	sorting.By(order, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
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

// sums returns the sum and the mean of the numbers in num for each of the values in group, at most eight, the largest
// sum first.
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

// span returns the least, the greatest, the mean and the sum of a column of numbers. in limits it to some rows; nil
// means all.
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

// extremes returns the rows with the greatest and the least number.
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

// label names a row by its first values, about 140 bytes of them, without those of the column not.
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

// isTime reports whether a column has times that begin like 2026-11-30, so that they sort as text.
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

// times returns the first and the last time of a column. in limits it to some rows; nil means all.
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

// instant is the text by which a time is compared: with a space between day and hour, whether a T or a space stands
// there.
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
