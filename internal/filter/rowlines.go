package filter

import (
	"strings"

	"github.com/akitad/akitad/internal/rows"
)

// readRows makes a row of each record that the format knows. A record goes up to the next one.
func (d *document) readRows(format rows.Format, kind string) bool {
	t := newTable()
	var at []int // index of the line of each row
	_, err := rows.Read(strings.NewReader(d.plain), "", rows.Options{Format: format}, func(r *rows.Row) error {
		i := r.Line - 1
		if i < 0 || i >= len(d.lines) {
			return rows.ErrStop
		}
		row := t.startRow(d.lines[i].from, d.lines[i].to)
		at = append(at, i)
		for _, f := range r.Fields {
			t.set(row, f.Name, f.Value)
		}
		return nil
	})
	if err != nil || len(at) < 3 {
		return false
	}
	d.kind = kind
	d.tables = append(d.tables, t)
	if format == rows.CSV && at[0] > 0 {
		d.header = strings.TrimSpace(d.lineText(at[0] - 1))
	} else {
		d.addLines(0, at[0], "")
	}
	for row, i := range at {
		end := len(d.lines)
		if row+1 < len(at) {
			end = at[row+1]
		}
		d.addRow(t, row, i, end)
	}
	return true
}

// addRow adds a record as one unit, or several if it is long.
func (d *document) addRow(t *table, row, i, end int) {
	for end > i+1 && d.blank(end-1) {
		end--
	}
	n := len(d.units)
	from, to := d.lines[i].from, d.lines[end-1].to
	t.spans[row].to = to
	if to-from <= unitMost {
		d.add(unit{from: from, to: to, row: row})
		return
	}
	d.addSpan(from, d.lines[i].to, "")
	d.addLines(i+1, end, clip(d.lineText(i), 160))
	for k := n; k < len(d.units); k++ {
		d.units[k].row = row
	}
}
