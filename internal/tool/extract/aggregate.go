package extract

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/rows"
)

// aggregate is a function over the rows of a group, such as sum(bytes). column is empty for count.
type aggregate struct {
	fn     string
	column string
}

var functions = []string{"count", "sum", "avg", "min", "max", "first", "last", "median", "p50", "p90", "p95", "p99", "distinct"}

// parseAggregate reads "count" or "fn(column)".
func parseAggregate(s string) (aggregate, error) {
	fn, rest, has := strings.Cut(s, "(")
	fn = strings.ToLower(strings.TrimSpace(fn))
	a := aggregate{fn, strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), ")"))}
	if a.column == "*" && fn == "count" {
		a.column, has = "", false
	}
	switch {
	case !slices.Contains(functions, fn):
		return a, bad("aggregate %q is unknown", s).WithHint("Known: " + strings.Join(functions, ", ") + ".")
	case fn != "count" && a.column == "":
		return a, bad("aggregate %s needs a column", fn).WithHint("Write " + fn + "(column).")
	case has && !strings.HasSuffix(strings.TrimSpace(rest), ")"):
		return a, bad("aggregate %q: the parenthesis is not closed", s)
	}
	return a, nil
}

func (a aggregate) String() string {
	if a.column == "" {
		return a.fn
	}
	return a.fn + "(" + a.column + ")"
}

// maxValues is how many numbers (for percentiles) or distinct values a figure keeps. With more, it is incomplete.
const maxValues = 1_000_000

// figure is the value of one aggregate for one group, as far as the rows are read. Each function uses the fields that
// it needs.
type figure struct {
	agg      aggregate
	n        int                 // values that counted
	sum, c   float64             // the sum, and the correction of its rounding errors
	ends     extremes            // min, max
	first    string              // first value
	last     string              // last value
	decimals int                 // the most decimals that a value was written with
	values   []float64           // all numbers, for percentiles
	seen     map[string]struct{} // distinct values
	skipped  int                 // values that are of another kind than most: no number, or no time among times
	over     bool                // there are more than maxValues
}

// add counts a row. Rows without the column, or with an empty value, do not count.
func (f *figure) add(r *rows.Row) {
	if f.agg.column == "" {
		f.n++
		return
	}
	v, ok := column(r, f.agg.column)
	if !ok || v == "" {
		return
	}
	switch f.agg.fn {
	case "count":
		if !isBlank(v) {
			f.n++
		}
	case "first", "last":
		if f.n == 0 {
			f.first = v
		}
		f.last = v
		f.n++
	case "distinct":
		f.addDistinct(v)
	case "min", "max":
		f.addExtreme(v)
	default:
		f.addNumber(v)
	}
}

func (f *figure) addDistinct(v string) {
	if f.seen == nil {
		f.seen = map[string]struct{}{}
	}
	if len(f.seen) == maxValues {
		f.over = true
		return
	}
	f.seen[strings.ToLower(v)] = struct{}{}
}

// addNumber adds a number to the sum by Kahan's algorithm, whose correction term keeps a long sum exact to the last
// digit that the column is written with.
func (f *figure) addNumber(v string) {
	x, ok := rows.Number(v)
	if !ok {
		f.skipped++
		return
	}
	f.n++
	f.decimals = max(f.decimals, rows.Decimals(v))
	y := x - f.c
	t := f.sum + y
	f.c = t - f.sum - y
	f.sum = t
	if f.agg.fn == "sum" || f.agg.fn == "avg" {
		return
	}
	if len(f.values) == maxValues {
		f.over = true
		return
	}
	f.values = append(f.values, x)
}

func (f *figure) addExtreme(v string) {
	f.n++
	f.ends.add(keyOf(v))
}

// settle limits the least and greatest value to the kind that most values of all groups have: number, time or text.
func (f *figure) settle(all tally) {
	f.ends.whole = *f.ends.among(all)
	f.skipped, f.n = f.n-f.ends.whole.n, f.ends.whole.n
}

// String gives the figure as it is shown. It is empty if no value counted.
func (f *figure) String() string {
	switch f.agg.fn {
	case "count":
		return strconv.Itoa(f.n)
	case "distinct":
		return strconv.Itoa(len(f.seen))
	}
	if f.n == 0 {
		return ""
	}
	switch f.agg.fn {
	case "sum":
		return rounded(f.sum, f.decimals)
	case "avg":
		return rounded(f.sum/float64(f.n), f.decimals+2)
	case "min":
		return f.ends.whole.min.text
	case "max":
		return f.ends.whole.max.text
	case "first":
		return f.first
	case "last":
		return f.last
	}
	return rounded(f.percentile(), f.decimals+1)
}

// percentile gives the nearest-rank percentile; the median of an even number of values is the mean
// of the two in the middle.
func (f *figure) percentile() float64 {
	slices.Sort(f.values)
	n := len(f.values)
	if f.agg.fn == "median" || f.agg.fn == "p50" {
		return (f.values[(n-1)/2] + f.values[n/2]) / 2
	}
	p, _ := strconv.Atoi(f.agg.fn[1:])
	rank := int(math.Ceil(float64(p) / 100 * float64(n)))
	return f.values[max(rank, 1)-1]
}

// rounded writes x with at most the given number of decimals (never more than 9), without zeros at the end.
func rounded(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', min(decimals, 9), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}
