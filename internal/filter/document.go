package filter

import (
	"sort"
	"strings"
)

// document is an output that was taken apart.
type document struct {
	size   int    // of the output in bytes
	plain  string // the output as valid UTF-8, without the line numbers that a tool put before the lines
	kind   string // what it was read as, for people
	lines  []line
	units  []unit
	tables []*table
	facts  []string // what is known of it without a question
	told   bool     // its lines tell how something went, as those of builds and tests do
	header string   // of a table, which its rows need to be understood
}

// line is where one line stands in plain, and in the output.
type line struct{ from, to, raw, number int }

// unit is the smallest passage: some text with the words that say where it stands.
type unit struct {
	from, to int    // in plain
	lead     string // headings, names of parents, the record that it is part of
	text     string // if it is not plain[from:to]
	row      int    // of tables[0], or -1
}

func (d *document) textOf(u unit) string {
	if u.text != "" {
		return u.text
	}
	return d.plain[u.from:u.to]
}

// read takes an output apart by the first structure that fits.
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

// unnumber takes away the numbers of lines if every line but a few has one, and keeps them as the lines'.
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

// unframe sets aside what tools write around an output: how a program ended before it, a remark in
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

// lineAt returns the index of the line in which a place of plain stands.
func (d *document) lineAt(pos int) int {
	return max(0, sort.Search(len(d.lines), func(i int) bool { return d.lines[i].from > pos })-1)
}

// rawAt returns the place in raw for one in plain.
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

// Sizes of units in bytes: what fits in the first is one unit, and nothing is longer than the second.
const (
	unitFits = 420
	unitMost = 700
)

// joinLead puts together what names where a unit stands, from the outside in.
func joinLead(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " > ")
}

// addLines adds lines from i up to j as one unit, or as several if they are long: those after the first
// have its first lines as their lead.
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

// opening returns the first two lines up to j, shortened, if what follows is indented below the first.
func (d *document) opening(i, j int) string {
	if i+1 >= j || indentOf(d.lineText(i+1)) <= indentOf(d.lineText(i)) {
		return ""
	}
	return joinLead(clip(strings.TrimSpace(d.lineText(i)), 70), clip(strings.TrimSpace(d.lineText(i+1)), 70))
}

// addSpan adds a stretch of text, in pieces if it is long.
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
