package filter

import "strings"

// asAligned reads a table whose columns are set apart by two spaces or more, or by one under a header in
// capitals.
func (d *document) asAligned() bool {
	if len(d.lines) == 0 {
		return false
	}
	if d.alignedBy(cells) {
		return true
	}
	names := strings.Fields(d.lineText(0))
	if len(names) < 4 || strings.ToUpper(d.lineText(0)) != d.lineText(0) {
		return false
	}
	return d.alignedBy(func(s string) []string { return fields(s, len(names)) })
}

// alignedBy reads a table whose lines are split so: under a header, nearly all into as many parts.
func (d *document) alignedBy(split func(string) []string) bool {
	top := 0
	for top < len(d.lines) && top < 4 && len(split(d.lineText(top))) < 3 {
		top++
	}
	if top == 4 || len(d.lines) < top+4 {
		return false
	}
	names, fit := split(d.lineText(top)), 0
	for i := top + 1; i < len(d.lines); i++ {
		if len(split(d.lineText(i))) == len(names) {
			fit++
		}
	}
	if !canName(names) || fit*10 < (len(d.lines)-top-1)*8 {
		return false
	}
	d.kind = "table"
	d.header = strings.Join(names, " | ")
	d.addLines(0, top, "")
	d.addAligned(top+1, names, split)
	return true
}

// addAligned adds the rows of a table; lines that are split otherwise are text.
func (d *document) addAligned(from int, names []string, split func(string) []string) {
	t := newTable()
	d.tables = append(d.tables, t)
	for i := from; i < len(d.lines); i++ {
		values := split(d.lineText(i))
		if len(values) != len(names) {
			d.addLines(i, i+1, "")
			continue
		}
		row := t.startRow(d.lines[i].from, d.lines[i].to)
		for k, v := range values {
			t.set(row, names[k], v)
		}
		d.addRow(t, row, i, i+1)
	}
}

// canName reports whether words may be the names of columns: short, and nothing that begins with a number.
func canName(words []string) bool {
	for _, w := range words {
		if len(w) > 30 || class(w[0]) == digit || w[0] == '[' {
			return false
		}
	}
	return true
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
