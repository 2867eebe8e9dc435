package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// typist writes a piece of a flow as Markdown.
type typist struct {
	strings.Builder
	dialect *dialect
	flow    *flow
	to      int // where the piece ends

	last     rune // the last letter that was written
	before   rune // the last letter of the flow that was written
	atStart  bool // nothing stands on the line yet, but its margin
	fresh    bool // not even the margin
	digits   bool // only digits stand on the line
	column   int  // how far right the line begins in the flow
	base     int  // how much further left than in the flow it is written
	link     *style
	blank    bool             // the last line is blank, or there is none
	nestedAt int              // how far right they begin in the flow
	nested   string           // the signs of quotations within the quotation of the line
	numbers  map[int]numbered // the last number of the list that begins so far right
	loose    bool             // what comes next in a list may not belong to it any more: a blank line makes it one
}

// unset is the base before the first line: that one begins at the left edge, and what belongs to it
// keeps its distance.
const unset = 1 << 30

// markdown renders a piece as Markdown of a dialect that can stand alone: what is open at its edges is
// closed and opened, and a list that begins in its middle begins at the left edge.
func (f *flow) markdown(from, to int, d *dialect) string {
	for from < to && unicode.IsSpace(f.runes[from]) && !f.at(from).has(pre) && !f.at(from).has(mark) {
		from++
	}
	t := &typist{dialect: d, flow: f, to: to, base: unset, last: '\n', fresh: true, atStart: true}
	t.column, t.blank, t.loose = f.column(from), true, from > 0
	f.each(from, to, t.piece)
	t.turn(nil)
	return strings.TrimRight(t.String(), " \n")
}

// column is how far right the line begins in which rune i stands, up to that rune.
func (f *flow) column(i int) int {
	start := i
	for start > 0 && f.runes[start-1] != '\n' {
		start--
	}
	n := 0
	for start+n < i && f.runes[start+n] == ' ' && f.at(start+n).has(mark) {
		n++
	}
	return n
}

func (t *typist) piece(from, to int, s *style) {
	if s.has(pre) {
		t.fence(string(t.flow.runes[from:to]), s)
		return
	}
	for from < to {
		end := from
		for end < to && t.flow.runes[end] != '\n' {
			end++
		}
		if end > from {
			t.stretch(from, end, s)
		}
		if end < to {
			t.endLine(s)
			end++
		}
		from = end
	}
}

// stretch writes what stands on one line in one style.
func (t *typist) stretch(from, to int, s *style) {
	if s.has(mark) {
		t.sign(string(t.flow.runes[from:to]), s, t.next(to) == '\n')
		return
	}
	for t.fresh && from < to && unicode.IsSpace(t.flow.runes[from]) && s.only(code) == nil {
		from++
	}
	if from == to {
		return
	}
	t.begin(s)
	t.turn(s.only(link))
	if s.has(code) {
		t.code(string(t.flow.runes[from:to]))
		t.before = t.flow.runes[to-1]
		return
	}
	t.words(from, to, s)
}

// sign writes a bullet or the like as it is, alone on its line or not; spaces at the start of a line are
// its margin.
func (t *typist) sign(text string, s *style, alone bool) {
	if t.fresh {
		text = t.measure(text)
	}
	if text == "" {
		return
	}
	if t.fresh && !t.blank && t.last == '\n' && (alone && !t.atStart || isDigit(rune(text[0])) && (t.loose || t.column < t.base)) {
		t.put("\n") // neither a number nor an item without words ends a paragraph
	}
	t.begin(s)
	t.loose = false
	t.put(t.number(text))
	t.before = ' '
	t.atStart = text[0] != '#'
	t.digits = t.atStart
}

// measure takes what only moves a line to the right: spaces, and the signs of inner quotations.
func (t *typist) measure(text string) string {
	bare := strings.TrimLeft(text, " >")
	margin := text[:len(text)-len(bare)]
	if n := strings.Count(margin, ">"); n > 0 {
		t.nested, t.nestedAt = strings.Repeat("> ", n), t.column+strings.IndexByte(margin, '>')
		margin = strings.ReplaceAll(strings.ReplaceAll(margin, "> ", ""), ">", "")
	}
	t.column += len(margin)
	return bare
}

// numbered is an item of a list with numbers.
type numbered struct {
	number int
	sign   byte
}

// number is a number that no reader counts on from another list: two lists that stand beside each other
// only because they begin at the left edge differ in what follows the number.
func (t *typist) number(text string) string {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	if err != nil || len(text) != digits+len(". ") {
		return text
	}
	at := t.column - t.base
	last, again := t.numbers[at]
	sign := text[digits]
	switch {
	case again && n == last.number+1:
		sign = last.sign
	case again && sign == last.sign:
		sign = '.' + ')' - sign
	}
	if t.numbers == nil {
		t.numbers = map[int]numbered{}
	}
	t.numbers[at] = numbered{n, sign}
	for deeper := range t.numbers {
		if deeper > at {
			delete(t.numbers, deeper)
		}
	}
	return text[:digits] + string(rune(sign)) + " "
}

// begin writes the margin of a line that has none yet.
func (t *typist) begin(s *style) {
	if !t.fresh {
		return
	}
	t.fresh, t.atStart, t.digits, t.before = false, true, true, '\n'
	if t.column < t.base {
		t.base, t.loose = t.column, true
	}
	if q := s.only(quote); q != nil {
		outer := min(max(q.indent-t.base, 0), t.column-t.base)
		t.put(spaces(outer) + "> " + t.within(outer))
		return
	}
	t.put(spaces(t.column - t.base))
}

// within is the margin within a quotation that begins so far right.
func (t *typist) within(outer int) string {
	all := max(t.column-t.base-outer, 0)
	before := 0
	if t.nested != "" {
		before = min(max(t.nestedAt-t.base-outer, 0), all)
	}
	return spaces(before) + t.nested + spaces(all-before)
}

func (t *typist) endLine(s *style) {
	t.turn(nil)
	t.blank = t.fresh
	switch {
	case t.fresh && s.has(quote) && t.base == unset:
		t.put(strings.TrimRight("> "+t.nested, " ") + "\n")
	case t.fresh && s.has(quote):
		outer := max(s.only(quote).indent-t.base, 0)
		t.put(spaces(outer) + strings.TrimRight("> "+t.within(outer), " ") + "\n")
	case !t.fresh && s.has(mark) && s.value == softBreak:
		t.put(t.dialect.lineBreak)
	default:
		t.put("\n")
	}
	t.fresh, t.column, t.nested = true, 0, ""
}

// turn closes the link that is open and opens another.
func (t *typist) turn(l *style) {
	if t.link == l {
		return
	}
	if t.link != nil {
		t.put("](" + addressEscapes.Replace(t.link.value) + ")")
	}
	if l != nil {
		t.put("[")
	}
	t.link = l
}

var addressEscapes = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20", "\\", "%5C")

// put writes text that needs no care.
func (t *typist) put(text string) {
	if text == "" {
		return
	}
	t.WriteString(text)
	t.last, _ = utf8.DecodeLastRuneInString(text)
}

// fence writes code with a fence around it that is longer than any in the code. It begins at the left
// edge, as some services ask, so what follows in a list begins there too.
func (t *typist) fence(code string, s *style) {
	t.turn(nil)
	if t.last != '\n' {
		t.put("\n")
	}
	ticks := strings.Repeat("`", max(3, longestRun(code, '`')+1))
	t.put(ticks + t.dialect.language(s.value) + "\n" + strings.TrimSuffix(code, "\n") + "\n" + ticks)
	t.fresh, t.column, t.base, t.before, t.loose = false, 0, unset, '`', true
}

// code writes a span of code.
func (t *typist) code(text string) {
	ticks := "`"
	for n := longestRun(text, '`'); len(ticks) <= n; {
		ticks += "`"
	}
	if t.last == '`' {
		t.put(" ")
	}
	if first, last := text[0], text[len(text)-1]; first == '`' || last == '`' || (first == ' ' && last == ' ' && strings.TrimSpace(text) != "") {
		text = " " + text + " "
	}
	t.put(ticks + text + ticks)
	t.atStart, t.digits = false, false
}

func longestRun(s string, of rune) int {
	most, run := 0, 0
	for _, r := range s {
		if r == of {
			run++
			most = max(most, run)
		} else {
			run = 0
		}
	}
	return most
}
