package filter

import (
	"cmp"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// place matches a message that begins with a file and a line, as compilers and searches write it: file(12,4):,
// file:12:4:, file:12:.
var place = pattern.New(`^([^\s:()]+\.[A-Za-z0-9]{1,8})[:(](\d+)(?:[:,]\d+)?[):]*\s*(.*)$`)

// code matches the name that a tool gives a kind of message: TS2304, or [-Wunused] and [no-undef] at its end.
var code = pattern.New(`\b[A-Z]{1,8}-?\d{2,6}\b|\[-?W?([a-z][\w-]*[a-z])\]\s*$`)

// asPlaces reads messages that begin with a file and a line, if at least half of the lines do. Indented lines belong to
// the message above.
func (d *document) asPlaces() bool {
	if len(d.lines) < 5 {
		return false
	}
	hits, full := 0, 0
	for i := range d.lines[:min(len(d.lines), 600)] {
		text := clip(d.lineText(i), 300)
		if text == "" || indentOf(text) > 0 {
			continue
		}
		full++
		if place.MatchString(text) {
			hits++
		}
	}
	if hits*2 < full || hits < 3 {
		return false
	}
	d.kind, d.told = "messages with places", true
	t := newTable()
	d.tables = append(d.tables, t)
	for i := 0; i < len(d.lines); {
		end := i + 1
		for end < len(d.lines) && indentOf(d.lineText(end)) > 0 {
			end++
		}
		d.addPlace(t, i, end)
		i = end
	}
	return true
}

// addPlace adds the message in lines i up to end.
func (d *document) addPlace(t *table, i, end int) {
	m := place.FindStringSubmatch(clip(d.lineText(i), 300))
	if m == nil {
		d.addLines(i, end, "")
		return
	}
	row := t.startRow(d.lines[i].from, d.lines[i].to)
	t.set(row, "file", m[1])
	if c := code.FindStringSubmatch(m[3]); c != nil {
		t.set(row, "code", cmp.Or(c[1], c[0]))
	}
	word, _, _ := strings.Cut(m[3], " ")
	t.set(row, "level", levelWord(word))
	d.addRow(t, row, i, end)
}

// levelWord returns a word that is a log level, else "".
func levelWord(w string) string {
	w = strings.TrimRight(w, ":")
	if rows.Severity(w) > 0 {
		return w
	}
	return ""
}
