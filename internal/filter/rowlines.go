package filter

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
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

// asAligned reads a table whose columns are set apart by two spaces or more.
func (d *document) asAligned() bool {
	if d.alignedBy(cells) {
		return true
	}
	if len(d.lines) == 0 {
		return false
	}
	names := strings.Fields(d.lineText(0))
	if len(names) < 4 || strings.ToUpper(d.lineText(0)) != d.lineText(0) {
		return false
	}
	return d.alignedBy(func(s string) []string { return fields(s, len(names)) })
}

// fields splits a line at spaces into n parts, of which the last is all the rest.
func fields(s string, n int) (out []string) {
	for len(out) < n-1 {
		s = strings.TrimLeft(s, " \t")
		end := strings.IndexAny(s, " \t")
		if end < 0 {
			break
		}
		out, s = append(out, s[:end]), s[end:]
	}
	if s = strings.TrimSpace(s); s != "" {
		out = append(out, s)
	}
	return out
}

// alignedBy reads a table whose lines are split so.
func (d *document) alignedBy(cells func(string) []string) bool {
	top := 0
	for top < len(d.lines) && top < 4 && len(cells(d.lineText(top))) < 3 {
		top++
	}
	if top == 4 || len(d.lines) < top+4 {
		return false
	}
	names, fit := cells(d.lineText(top)), 0
	for i := top + 1; i < len(d.lines); i++ {
		if len(cells(d.lineText(i))) == len(names) {
			fit++
		}
	}
	for _, n := range names {
		if _, isNum := rows.Number(n); isNum || len(n) > 30 {
			return false
		}
	}
	if fit*10 < (len(d.lines)-top-1)*8 {
		return false
	}
	d.kind = "table"
	t := newTable()
	d.tables = append(d.tables, t)
	d.header = strings.Join(names, " | ")
	d.addLines(0, top, "")
	for i := top + 1; i < len(d.lines); i++ {
		values := cells(d.lineText(i))
		if len(values) != len(names) {
			d.addLines(i, i+1, "")
			continue
		}
		row := t.startRow(d.lines[i].from, d.lines[i].to)
		for k, v := range values {
			t.set(row, names[k], v)
		}
		d.add(unit{from: d.lines[i].from, to: d.lines[i].to, row: row})
	}
	return true
}

// cells splits a line at two spaces or more, or at tabs.
func cells(s string) (out []string) {
	if strings.HasPrefix(s, " ") {
		return nil
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(s, "\t", "  "), "  ") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// place is how compilers and searches name a place: file(12,4):, file:12:4:, file:12:.
var place = pattern.New(`^([^\s:()]+\.[A-Za-z0-9]{1,8})[:(](\d+)(?:[:,]\d+)?[):]*\s*(.*)$`)

// code is how tools number their messages.
var code = pattern.New(`\b[A-Z]{1,8}-?\d{2,6}\b`)

// asPlaces reads messages that begin with a file and a line.
func (d *document) asPlaces() bool {
	if len(d.lines) < 5 {
		return false
	}
	hits := 0
	sample := d.lines[:min(len(d.lines), 400)]
	for i := range sample {
		if place.MatchString(clip(d.lineText(i), 300)) {
			hits++
		}
	}
	if hits*2 < len(sample) {
		return false
	}
	d.kind = "messages with places"
	t := newTable()
	d.tables = append(d.tables, t)
	for i := range d.lines {
		text := clip(d.lineText(i), 300)
		m := place.FindStringSubmatch(text)
		if m == nil {
			d.addLines(i, i+1, "")
			continue
		}
		row := t.startRow(d.lines[i].from, d.lines[i].to)
		t.set(row, "file", m[1])
		t.set(row, "code", code.FindString(m[3]))
		word, _, _ := strings.Cut(m[3], " ")
		t.set(row, "level", levelWord(word))
		n := len(d.units)
		d.addSpan(d.lines[i].from, d.lines[i].to, "")
		for k := n; k < len(d.units); k++ {
			d.units[k].row = row
		}
	}
	return true
}

func levelWord(w string) string {
	w = strings.TrimRight(w, ":")
	if rows.Severity(w) > 0 {
		return w
	}
	return ""
}
