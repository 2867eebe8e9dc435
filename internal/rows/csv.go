package rows

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// maxRecordLines is how many further lines a record with a quoted field may have. With more, the quote counts as not
// closed, and the record's first line as malformed.
const maxRecordLines = 100

// dialect is how a delimited file is written.
type dialect struct {
	delim  byte // between fields
	header bool // the first record names the columns
	level  int  // number of the column with log levels, from 1; 0 if there is none
	sure   bool // the lines split into the same number of fields, so it is a delimited file
}

// sniffCSV guesses the dialect from the first lines of a file and from its name.
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
	if d.header = hasHeader(lines, d.delim); d.header {
		d.level = levelIn(lines, d.delim)
	}
	return d
}

// levelIn gives the number, from 1, of a column with a name such as level in which at least eight of ten values are
// levels; 0 if there is none.
func levelIn(lines []string, delim byte) int {
	names, _ := splitRecord(lines[0], delim)
	for i, name := range names {
		if !isLevelName(strings.TrimSpace(name)) || strings.EqualFold(strings.TrimSpace(name), "priority") {
			continue
		}
		hits := 0
		for _, line := range lines[1:] {
			if fields, _ := splitRecord(line, delim); i < len(fields) && Severity(strings.TrimSpace(fields[i])) > 0 {
				hits++
			}
		}
		if hits > 0 && hits*10 >= (len(lines)-1)*8 {
			return i + 1
		}
	}
	return 0
}

// evenSplit gives a score above zero if c splits at least nine in ten of two or more lines into the same number of two
// or more fields. The more lines agree, and then the more fields there are, the higher is the score.
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

// hasHeader reports whether the first record names the columns: its fields are not empty, mostly distinct, neither
// numbers nor times, and do not come again in the rows below.
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

// sameShape reports whether the first record is data like the others: more than half of its values come again in the
// same column below.
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

// splitRecord splits a line into its fields. open is true if a quote is not closed, so that the record continues in
// the next line.
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

// oneField reads the field that begins at i. next is the index of the delimiter behind it, or the length of the line.
// shut is false if a quote is not closed.
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

// quotedField reads a quoted field from behind its opening quote. Two quotes stand for one. What stands between the
// closing quote and the delimiter is dropped.
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

// readCSV makes a row of each record. A record with another number of fields than the first is malformed.
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
			if names = columnNames(fields, d.header); d.level > 0 {
				names[d.level-1] = LevelField
			}
			if d.header {
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

// record reads one record, over several lines if a quote is open, and gives the number of its first line. fields is nil
// for a line that is blank or malformed, which is counted.
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

// columnNames gives the names of the columns: those of the header, or column1, column2. A name that stands twice gets a
// number.
func columnNames(first []string, header bool) []string {
	names := make([]string, len(first))
	for i, f := range first {
		names[i] = fieldName(f)
		if !header || names[i] == "" {
			names[i] = fmt.Sprintf("column%d", i+1)
		}
		for k, base := 2, names[i]; slices.Contains(names[:i], names[i]); k++ {
			names[i] = fmt.Sprintf("%s_%d", base, k)
		}
	}
	return names
}

// fillCSV fills the row with the fields of a record. Its time is that of the first cell which is one.
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

// cellTime reads a cell as the row's time: a date with its year, or under a name such as time also a bare number or a
// time of day.
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
