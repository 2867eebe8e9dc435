package filter

import (
	"sort"
	"strings"
)

// document is an output divided into lines, units and tables.
type document struct {
	size   int    // of the output in bytes
	plain  string // the output as valid UTF-8, without the line numbers that a tool put before the lines
	kind   string // what it was read as, such as "HTML"; it is shown to the model
	lines  []line
	units  []unit
	tables []*table
	facts  []string // sentences about it that hold whatever is asked
	told   bool     // its lines say how something went, as those of builds and tests do
	header string   // the line that names the columns of a table
}

// line is the position of one line.
type line struct {
	from, to int // bytes of plain, without the line's end
	raw      int // index in the output at which the text begins
	number   int // from 1, or the one that a tool put before it
}

// unit is the smallest passage that a reply shows.
type unit struct {
	from, to int    // bytes of plain
	lead     string // what stands above it and tells where it is: headings, names of parents, the record that it is part of
	text     string // the text that is searched and shown; empty if it is plain[from:to]
	row      int    // index of its row in tables[0], or -1
}

// textOf returns the text of a unit.
func (d *document) textOf(u unit) string {
	if u.text != "" {
		return u.text
	}
	return d.plain[u.from:u.to]
}

// read divides an output by the first structure that fits it, or else as plain text.
func read(raw string) *document {
	d := &document{size: len(raw), plain: valid(raw)}
	d.split()
	d.unnumber()
	d.unframe()
	for _, as := range []func(*document) bool{
		(*document).asJSON, (*document).asMarkup, (*document).asLog, (*document).asPlaces, (*document).asTable, (*document).asMarkdown,
		(*document).asRecords, (*document).asTree,
	} {
		if as(d) {
			break
		}
	}
	if d.kind == "" {
		d.asText()
	}
	return d
}

// split finds the lines.
func (d *document) split() {
	d.lines = make([]line, 0, strings.Count(d.plain, "\n")+1)
	for from := 0; from < len(d.plain); {
		end := strings.IndexByte(d.plain[from:], '\n')
		next := from + end + 1
		if end < 0 {
			next = len(d.plain)
			end = next - from
		}
		to := from + end
		if to > from && d.plain[to-1] == '\r' {
			to--
		}
		d.lines = append(d.lines, line{from, to, from, len(d.lines) + 1})
		from = next
	}
}

// unnumber removes the line numbers that a tool put before the lines, if all lines but two have one, and keeps them as
// the lines' numbers.
func (d *document) unnumber() {
	numbered := 0
	for _, l := range d.lines {
		if _, n := leadingNumber(d.plain[l.from:l.to]); n > 0 {
			numbered++
		}
	}
	if numbered < len(d.lines)-2 || numbered*3 < len(d.lines) || numbered == 0 {
		return
	}
	var b strings.Builder
	b.Grow(len(d.plain))
	for i := range d.lines {
		l := &d.lines[i]
		text := d.plain[l.from:l.to]
		number, n := leadingNumber(text)
		l.raw = l.from + n
		if n > 0 {
			l.number = number
		}
		l.from = b.Len()
		b.WriteString(text[n:])
		l.to = b.Len()
		b.WriteByte('\n')
	}
	d.plain = b.String()
}

// unframe removes what tools write around an output, and keeps it as facts: the exit code before it, a remark in
// brackets after it.
func (d *document) unframe() {
	n := len(d.lines)
	if n > 3 && strings.HasPrefix(d.lineText(n-1), "[") && strings.HasSuffix(d.lineText(n-1), "]") && len(d.lineText(n-1)) < 200 && d.lineText(0) != "[" {
		d.facts = append(d.facts, d.lineText(n-1))
		d.plain = d.plain[:d.lines[n-1].from]
		d.lines = d.lines[:n-1]
	}
	if len(d.lines) < 4 || !strings.HasPrefix(d.lineText(0), "exit code ") || !strings.HasSuffix(d.lineText(1), ":") {
		return
	}
	d.facts = append(d.facts, clip(d.lineText(0), 80))
	from := d.lines[2].from
	d.plain, d.lines = d.plain[from:], d.lines[2:]
	for i := range d.lines {
		d.lines[i].from -= from
		d.lines[i].to -= from
	}
}

// leadingNumber reads "   12\t" and gives the number and how many bytes that took.
func leadingNumber(s string) (number, size int) {
	i := 0
	for i < len(s) && i < 12 && s[i] == ' ' {
		i++
	}
	from := i
	for i < len(s) && i-from < 9 && class(s[i]) == digit {
		number = number*10 + int(s[i]-'0')
		i++
	}
	if i == from || i >= len(s) || s[i] != '\t' {
		return 0, 0
	}
	return number, i + 1
}

// lineAt returns the index in lines of the line that has the byte pos of plain.
func (d *document) lineAt(pos int) int {
	return max(0, sort.Search(len(d.lines), func(i int) bool { return d.lines[i].from > pos })-1)
}

// rawAt returns the index in the output of the byte pos of plain.
func (d *document) rawAt(pos int) int {
	if len(d.lines) == 0 {
		return 0
	}
	l := d.lines[d.lineAt(pos)]
	return l.raw + pos - l.from
}

func (d *document) lineText(i int) string { return d.plain[d.lines[i].from:d.lines[i].to] }

func (d *document) blank(i int) bool { return strings.TrimSpace(d.lineText(i)) == "" }

func (d *document) add(u unit) { d.units = append(d.units, u) }

// Sizes of units in bytes.
const (
	unitFits = 420 // lines are joined to a unit up to this size
	unitMost = 700 // no unit is longer
)

// joinLead joins the parts of a lead, the outermost first, and leaves out empty ones.
func joinLead(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " > ")
}

// addLines adds the lines from i up to j, j excluded, as one unit, or as several if they are long. The later ones get
// the opening of the first one added to their lead.
func (d *document) addLines(i, j int, lead string) {
	if i >= j {
		return
	}
	if d.lines[j-1].to-d.lines[i].from <= unitMost {
		d.addSpan(d.lines[i].from, d.lines[j-1].to, lead)
		return
	}
	first := i
	for i < j {
		n := i + 1
		for n < j && d.lines[n].to-d.lines[i].from <= unitFits {
			n++
		}
		d.addSpan(d.lines[i].from, d.lines[n-1].to, lead)
		if i == first {
			lead = joinLead(lead, d.opening(i, n))
		}
		i = n
	}
}

// opening returns the first two of the lines from i up to j, shortened, if the second is indented below the first; else
// "".
func (d *document) opening(i, j int) string {
	if i+1 >= j || indentOf(d.lineText(i+1)) <= indentOf(d.lineText(i)) {
		return ""
	}
	return joinLead(clip(strings.TrimSpace(d.lineText(i)), 70), clip(strings.TrimSpace(d.lineText(i+1)), 70))
}

// addSpan adds a piece of plain as a unit, or as several if it is longer than unitMost.
func (d *document) addSpan(from, to int, lead string) {
	for to-from > unitMost {
		cut := from + unitFits
		if at := strings.LastIndexAny(d.plain[from:cut], " ,;}\t。，"); at > unitFits/2 {
			cut = from + at + 1
		}
		cut = runeStart(d.plain, cut)
		d.add(unit{from: from, to: cut, lead: lead, row: -1})
		from = cut
	}
	if strings.TrimSpace(d.plain[from:to]) != "" {
		d.add(unit{from: from, to: to, lead: lead, row: -1})
	}
}

// indentOf counts the spaces before a line's text; a tab counts as four. A dash that opens an entry of
// a list counts as two.
func indentOf(s string) int {
	n := 0
	for i := range len(s) {
		switch s[i] {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}
