package extract

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// Limits of a description.
const (
	maxDistinct = 1000 // distinct values of a column that are counted one by one
	maxExamples = 8    // frequent values shown of a column
	maxColumns  = 40   // columns described
	maxWords    = 80   // words looked for
)

// sectionField is the heading that a table of Markdown stands under.
const sectionField = "section"

// about gathers, row by row, what the columns hold: the answer to describe.
type about struct {
	columns []*columnInfo
	byName  map[string]*columnInfo
	words   []wordInfo
}

// columnInfo is what is known of one column so far.
type columnInfo struct {
	name    string
	filled  int // values that are not empty; the next three count among these
	numbers int
	times   int
	blanks  int                   // values such as n/a and null, see isBlank
	values  map[string]*valueInfo // the first maxDistinct distinct values
	over    bool                  // there are more distinct values than that
	ends    extremes              // the least and greatest of the values, blanks left out
}

// valueInfo counts one value of a column.
type valueInfo struct {
	n int
	k key
}

// wordInfo is a word that the call looks for, and where it was found.
type wordInfo struct {
	word     string
	lower    string            // the word in lower case
	equal    map[string]int    // column -> in how many rows the word is the whole value
	spelled  map[string]string // column -> the value as it is spelled there
	mentions int               // rows in which the word stands anywhere
	first    string            // source of the first of these rows
}

func newAbout(words []string) *about {
	a := &about{byName: map[string]*columnInfo{}}
	for _, w := range words[:min(len(words), maxWords)] {
		a.words = append(a.words, wordInfo{word: w, lower: strings.ToLower(w), equal: map[string]int{}, spelled: map[string]string{}})
	}
	return a
}

// add counts a row's values, and the words that stand in it.
func (a *about) add(r *rows.Row) {
	for i := range r.Fields {
		if c := a.column(r.Fields[i].Name); c != nil {
			c.add(r.Fields[i].Value)
		}
	}
	if len(a.words) == 0 {
		return
	}
	lower := strings.ToLower(r.Text)
	if r.More != "" {
		lower += "\n" + strings.ToLower(r.More)
	}
	for i := range a.words {
		a.words[i].look(r, lower)
	}
}

// column gives what is known of a column; nil if more than maxColumns are met.
func (a *about) column(name string) *columnInfo {
	c, ok := a.byName[name]
	if !ok {
		if len(a.columns) == maxColumns {
			return nil
		}
		c = &columnInfo{name: name, values: map[string]*valueInfo{}}
		a.byName[name] = c
		a.columns = append(a.columns, c)
	}
	return c
}

// add counts one value of the column.
func (c *columnInfo) add(v string) {
	if v == "" {
		return
	}
	if isBlank(v) {
		c.blanks++
	}
	c.filled++
	info, ok := c.values[v]
	switch {
	case ok:
		info.n++
	case len(c.values) < maxDistinct:
		info = &valueInfo{1, keyOf(v)}
		c.values[v] = info
	default:
		info = &valueInfo{1, keyOf(v)}
		c.over = true
	}
	switch {
	case info.k.isNum:
		c.numbers++
	case info.k.isTime:
		c.times++
	}
	if ok || isBlank(v) {
		return
	}
	c.ends.add(info.k)
}

// kind names what at least nine in ten of the values are, blanks left out: number, time, or else text.
func (c *columnInfo) kind() string {
	switch {
	case c.filled == 0:
		return "empty"
	case c.numbers > 0 && c.numbers*10 >= (c.filled-c.blanks)*9:
		return "number"
	case c.times > 0 && c.times*10 >= (c.filled-c.blanks)*9:
		return "time"
	}
	return "text"
}

// isBlank reports whether a value says that there is none, such as n/a or null.
func isBlank(v string) bool {
	if len(v) > len("null")+2 {
		return false
	}
	switch strings.ToLower(v) {
	case "n/a", "na", "null", "none", "nil", "-", "--", "nan", "?", "无", "空":
		return true
	}
	return false
}

func (c *columnInfo) distinct() string {
	if c.over {
		return strconv.Itoa(maxDistinct) + "+"
	}
	return strconv.Itoa(len(c.values))
}

// examples gives the most frequent values and how often each is there.
func (c *columnInfo) examples() string {
	names := make([]string, 0, len(c.values))
	for v := range c.values {
		names = append(names, v)
	}
	sorting.By(names, func(x, y string) int {
		return cmp.Or(c.values[y].n-c.values[x].n, strings.Compare(x, y))
	})
	if len(names) > 20 && c.values[names[0]].n == 1 {
		names = names[:2] // all differ: a list says nothing
	}
	var out []string
	size := 0
	for _, v := range names[:min(len(names), maxExamples)] {
		item := fmt.Sprintf("%s=%d", clip(v, 40), c.values[v].n)
		if size += len(item); size > 160 {
			break
		}
		out = append(out, item)
	}
	return strings.Join(out, "; ")
}

// look notes whether the word stands in a row, and in which columns it is the whole value. lower is the row's text in
// lower case.
func (w *wordInfo) look(r *rows.Row, lower string) {
	if !strings.Contains(lower, w.lower) {
		if s, ok := r.Field(sectionField); ok && strings.EqualFold(s, w.word) { // stands above its rows
			w.equal[sectionField]++
			w.spelled[sectionField] = s
			w.mentions++
			w.first = cmp.Or(w.first, source(r))
		}
		return
	}
	if w.mentions == 0 {
		w.first = source(r)
	}
	w.mentions++
	for i := range r.Fields {
		if f := &r.Fields[i]; strings.EqualFold(f.Value, w.word) {
			w.equal[f.Name]++
			w.spelled[f.Name] = f.Value
		}
	}
}

// lines gives the description: a header, a row per column, a line per word that was looked for.
func (a *about) lines() []string {
	out := []string{"column\tkind\tfilled\tdistinct\tmin\tmax\texamples"}
	for _, c := range a.columns {
		e := c.ends.among(c.ends.tally)
		out = append(out, strings.Join([]string{
			c.name, c.kind(), strconv.Itoa(c.filled), c.distinct(),
			cell(clip(e.min.text, 60)), cell(clip(e.max.text, 60)), cell(c.examples()),
		}, "\t"))
	}
	for _, w := range a.words {
		out = append(out, w.line())
	}
	return out
}

// line is "# found word: mentions=12 first=a.log:3 column=9 column2=1".
func (w *wordInfo) line() string {
	b := fmt.Sprintf("# found %q mentions=%d", w.word, w.mentions)
	if w.mentions > 0 {
		b += " first=" + strconv.Quote(w.first)
	}
	names := make([]string, 0, len(w.equal))
	for name := range w.equal {
		names = append(names, name)
	}
	sorting.By(names, func(x, y string) int { return cmp.Or(w.equal[y]-w.equal[x], strings.Compare(x, y)) })
	for _, name := range names {
		b += fmt.Sprintf(" %q=%d", name, w.equal[name])
	}
	return b
}
