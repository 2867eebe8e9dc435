package rows

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// maxRecordLines is how many lines one quoted record may span; more than that is an unclosed quote.
const maxRecordLines = 100

// dialect is how a delimited file is written.
type dialect struct {
	delim  byte
	header bool
	sure   bool // the lines split evenly, so it is such a file
}

// sniffCSV finds the delimiter and whether the first record names the columns.
func sniffCSV(name string, lines []string) dialect {
	d := dialect{delim: ','}
	if strings.ToLower(path.Ext(name)) == ".tsv" {
		d.delim = '\t'
	}
	best := 0
	for _, c := range []byte{d.delim, ',', ';', '\t', '|'} {
		if n := evenSplit(lines, c); n > best {
			best, d.delim = n, c
		}
	}
	d.sure = best > 0
	d.header = hasHeader(lines, d.delim)
	return d
}

// evenSplit gives a score above zero if c splits at least three lines, and nine in ten of all,
// into the same number of two or more fields.
func evenSplit(lines []string, c byte) int {
	counts := map[int]int{}
	all := 0
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		all++
		fields, _ := splitRecord(line, c)
		counts[len(fields)]++
	}
	for n, hits := range counts {
		if n >= 2 && hits*10 >= all*9 && all >= 2 {
			return hits*100 + n
		}
	}
	return 0
}

// hasHeader tells whether the first record looks like names: all of it non-empty text, mostly distinct,
// none of it a number or a time.
func hasHeader(lines []string, delim byte) bool {
	if len(lines) == 0 {
		return false
	}
	fields, _ := splitRecord(lines[0], delim)
	seen := map[string]bool{}
	for _, f := range fields {
		f = strings.TrimSpace(f)
		_, isTime := ParseTime(f)
		if f == "" || isTime {
			return false
		}
		if _, ok := Number(f); ok {
			return false
		}
		seen[f] = true
	}
	if len(seen)*2 <= len(fields) {
		return false // most of it says the same: data
	}
	return !sameShape(lines, delim, fields)
}

// sameShape tells that the first record is data like the others: every column is text throughout
// and the first record's values come again below.
func sameShape(lines []string, delim byte, first []string) bool {
	if len(lines) < 3 {
		return false
	}
	again := 0
	for i, f := range first {
		for _, line := range lines[1:] {
			if fields, _ := splitRecord(line, delim); i < len(fields) && fields[i] == f {
				again++
				break
			}
		}
	}
	return again*2 > len(first)
}

// splitRecord splits one line; open tells that a quote was not closed.
func splitRecord(line string, delim byte) (fields []string, open bool) {
	i := 0
	for {
		field, next, shut := oneField(line, i, delim)
		fields = append(fields, field)
		if !shut {
			return fields, true
		}
		if next >= len(line) {
			return fields, false
		}
		i = next + 1
		if i == len(line) {
			return append(fields, ""), false
		}
	}
}

// oneField reads the field that begins at i and gives where its delimiter or the end is.
func oneField(line string, i int, delim byte) (field string, next int, shut bool) {
	j := i
	for j < len(line) && line[j] == ' ' && delim != ' ' {
		j++
	}
	if j < len(line) && line[j] == '"' {
		return quotedField(line, j+1, delim)
	}
	end := strings.IndexByte(line[i:], delim)
	if end < 0 {
		return line[i:], len(line), true
	}
	return line[i : i+end], i + end, true
}

func quotedField(line string, i int, delim byte) (string, int, bool) {
	var b strings.Builder
	for i < len(line) {
		switch {
		case line[i] != '"':
			b.WriteByte(line[i])
			i++
		case i+1 < len(line) && line[i+1] == '"':
			b.WriteByte('"')
			i += 2
		default:
			end := strings.IndexByte(line[i:], delim)
			if end < 0 {
				return b.String(), len(line), true
			}
			return b.String(), i + end, true
		}
	}
	return b.String(), i, false
}

func (rd *reading) readCSV(d dialect) error {
	var names []string
	for {
		fields, line, err := rd.record(d.delim)
		if err != nil {
			return err
		}
		if fields == nil {
			continue
		}
		if names == nil {
			if names = columnNames(fields, d.header); d.header {
				rd.stats.Skipped++
				continue
			}
		}
		if len(fields) != len(names) {
			rd.stats.malformed(line)
			continue
		}
		rd.fillCSV(names, fields, line)
		if err := rd.emit(); err != nil {
			return err
		}
	}
}

// record reads one record, over several lines if a quote is open; nil is a line that was counted
// and passed over.
func (rd *reading) record(delim byte) (fields []string, line int, err error) {
	text, err := rd.lines.next()
	if err != nil {
		return nil, 0, err
	}
	line = rd.lines.n
	if strings.TrimSpace(text) == "" {
		rd.stats.Blank++
		return nil, 0, nil
	}
	rd.start(text)
	fields, open := splitRecord(text, delim)
	var more []string
	for open {
		next, err := rd.lines.next()
		if err != nil || len(more) == maxRecordLines {
			if err == nil {
				more = append(more, next)
			}
			rd.lines.back(more...)
			rd.stats.malformed(line)
			return nil, 0, nil
		}
		more = append(more, next)
		text += "\n" + next
		fields, open = splitRecord(text, delim)
	}
	rd.stats.Continued += len(more)
	rd.row.More = strings.Join(more, "\n")
	return fields, line, nil
}

func columnNames(first []string, header bool) []string {
	names := make([]string, len(first))
	for i, f := range first {
		names[i] = fieldName(f)
		if !header || names[i] == "" {
			names[i] = fmt.Sprintf("column%d", i+1)
		}
		for k, base := 2, names[i]; slices.Contains(names[:i], names[i]); k++ {
			names[i] = fmt.Sprintf("%s_%d", base, k) // a name that stands twice
		}
	}
	return names
}

func (rd *reading) fillCSV(names, fields []string, line int) {
	rd.row.Line = line
	for i, name := range names {
		value := rd.dated(strings.TrimSpace(fields[i]))
		if !rd.row.HasTime && value != "" && mayStartTime(value[0]) {
			if t, ok := cellTime(name, value); ok {
				rd.row.Time, rd.row.HasTime = t, true
			}
		}
		rd.row.add(name, value)
	}
}

// cellTime reads a cell as the row's time: any full date, or a bare number or time of day under a
// name that says so.
func cellTime(name, value string) (Time, bool) {
	t, ok := ParseTime(value)
	if !ok {
		return t, false
	}
	_, number := Number(value)
	if isTimeName(name) || t.Date && t.Year && !number {
		return t, true
	}
	return t, false
}
