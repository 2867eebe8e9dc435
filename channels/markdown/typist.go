package markdown

import (
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

	last    rune // the last letter that was written
	before  rune // the last letter of the flow that was written
	atStart bool // nothing stands on the line yet, but its margin
	fresh   bool // not even the margin
	digits  bool // only digits stand on the line
	column  int  // how far right the line begins in the flow
	base    int  // how much further left than in the flow it is written
	link    *style
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
	t.column = f.column(from)
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
		t.sign(string(t.flow.runes[from:to]), s)
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

// sign writes a bullet or the like as it is; spaces at the start of a line are its margin.
func (t *typist) sign(text string, s *style) {
	if t.fresh {
		bare := strings.TrimLeft(text, " ")
		t.column += len(text) - len(bare)
		text = bare
	}
	if text == "" {
		return
	}
	t.begin(s)
	t.put(text)
	t.before = ' '
	t.atStart = text[0] != '#'
	t.digits = t.atStart
}

// begin writes the margin of a line that has none yet.
func (t *typist) begin(s *style) {
	if !t.fresh {
		return
	}
	t.fresh, t.atStart, t.digits, t.before = false, true, true, '\n'
	t.base = min(t.base, t.column)
	if q := s.only(quote); q != nil {
		outer := min(max(q.indent-t.base, 0), t.column-t.base)
		t.put(spaces(outer) + "> " + spaces(t.column-t.base-outer))
		return
	}
	t.put(spaces(t.column - t.base))
}

func (t *typist) endLine(s *style) {
	t.turn(nil)
	switch {
	case t.fresh && s.has(quote) && t.base == unset:
		t.put(">\n")
	case t.fresh && s.has(quote):
		t.put(spaces(s.only(quote).indent-t.base) + ">\n")
	case !t.fresh && s.has(mark) && s.value == softBreak:
		t.put(t.dialect.lineBreak)
	default:
		t.put("\n")
	}
	t.fresh, t.column = true, 0
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
	t.fresh, t.column, t.base, t.before = false, 0, unset, '`'
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
