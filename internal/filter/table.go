package filter

import (
	"github.com/akitad/akitad/internal/rows"
)

// table is what an output has of rows with named values.
type table struct {
	name    string
	columns []*column
	byName  map[string]int
	spans   []span // of the rows, in plain
}

type span struct{ from, to int }

// column is the values of one name, with the rows they stand in.
type column struct {
	name   string
	rows   []int32
	values []string
	counts map[string]int // nil once there are too many different ones
	order  []string       // the different values as they came
	nums   []float64      // as long as all values are numbers
	isNum  bool
}

const (
	maxColumns  = 60
	maxDistinct = 5_000
)

func newTable() *table { return &table{byName: map[string]int{}} }

func (t *table) startRow(from, to int) int {
	t.spans = append(t.spans, span{from, to})
	return len(t.spans) - 1
}

func (t *table) size() int { return len(t.spans) }

func (t *table) column(name string) *column {
	at, ok := t.byName[name]
	if !ok {
		if len(t.columns) == maxColumns {
			return nil
		}
		at = len(t.columns)
		t.byName[name] = at
		t.columns = append(t.columns, &column{name: name, counts: map[string]int{}, isNum: true})
	}
	return t.columns[at]
}

// set gives a row a value; a name may have several.
func (t *table) set(row int, name, value string) {
	if value == "" || value == "null" || value == "-" || len(value) > maxCell {
		return
	}
	c := t.column(name)
	if c == nil {
		return
	}
	c.rows = append(c.rows, int32(row))
	c.values = append(c.values, value)
	if c.counts != nil {
		if c.counts[value] == 0 {
			c.order = append(c.order, value)
		}
		c.counts[value]++
		if len(c.counts) > maxDistinct {
			c.counts, c.order = nil, nil
		}
	}
	if c.isNum {
		n, ok := rows.Number(value)
		if c.isNum = ok; ok {
			c.nums = append(c.nums, n)
		}
	}
}

// few reports whether the column has so few different values that each is worth counting.
func (c *column) few() bool {
	return c.counts != nil && len(c.counts) <= 12 && len(c.counts)*2 <= len(c.values)
}

// grouped reports whether rows share values of the column, other than by the chance of a measurement.
func (c *column) grouped() bool {
	return len(c.counts) > 0 && len(c.counts)*3 <= len(c.values)*2 && !(c.isNum && len(c.counts) > 40)
}

// asTable reads delimited text and tables made with spaces.
func (d *document) asTable() bool {
	if d.asAligned() {
		return true
	}
	if rows.Detect("", head(d.plain)) != rows.CSV {
		return false
	}
	return d.readRows(rows.CSV, "table")
}

// asLog reads the lines of logs; lines without a time go with the one before them.
func (d *document) asLog() bool {
	return rows.Detect("", head(d.plain)) == rows.Log && d.readRows(rows.Log, "log")
}

func head(s string) []byte { return []byte(s[:runeStart(s, min(len(s), 64<<10-1))]) }
