package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/text"
)

// maxDepth is how deep blocks are followed. What is nested deeper is shown as its source.
const maxDepth = 40

// maxLinks is how many beginnings of links a text may have and still be read as Markdown: the
// parser's time grows with their square when none is closed (20,000 took 13 s, 4,000 take 0.5 s).
const maxLinks = 4000

// layOut reads Markdown and lays it out. Text of which nothing would be seen (only link
// definitions, say) is laid out as it stands: an answer is never lost. So is a text of too many links.
func layOut(source string, as *form) *walker {
	source = clean(source)
	w := &walker{source: []byte(escapePipes(source)), form: as, flow: &flow{runes: make([]rune, 0, len(source))}}
	if strings.Count(source, "](") <= maxLinks {
		doc := reader().Parse(text.NewReader(w.source))
		w.used = usedReferences(doc)
		w.blocks(doc, 2)
	}
	if len(w.parts) == 0 && w.flow.blank(0, len(w.flow.runes)) {
		w.flow, w.headings = &flow{}, nil
		w.flow.add(source, nil)
	}
	w.finish()
	return w
}

// finish ends the last part of the text. A number that a table belongs to is one too.
func (w *walker) finish() {
	if slices.ContainsFunc(w.flow.runes, func(r rune) bool { return !unicode.IsSpace(r) }) {
		w.parts = append(w.parts, part{flow: w.flow})
	}
}

// apart sets p apart from the text around it.
func (w *walker) apart(p part) {
	w.finish()
	w.parts = append(w.parts, p)
	w.flow, w.need, w.glue = &flow{}, 0, false
}

// clean makes a text valid: broken UTF-8 is marked, lines end in one way, and control characters,
// which no service shows, are spaces.
func clean(source string) string {
	if !utf8.ValidString(source) {
		source = strings.ToValidUTF8(source, "\uFFFD")
	}
	if strings.IndexFunc(source, isControl) < 0 {
		return source
	}
	source = strings.ReplaceAll(source, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == byteOrder:
			return -1
		case isControl(r):
			return ' '
		}
		return r
	}, source)
}

// byteOrder is a file's mark, and no letter of what it stands before.
const byteOrder = '\ufeff'

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7F || r == byteOrder }

// walker goes through a document and writes it into a flow.
type walker struct {
	source []byte
	form   *form
	parts  []part // those that are complete
	flow   *flow
	style  *style
	indent string // what each line begins with, outside of code
	depth  int

	need int  // newlines that come before the next text
	glue bool // the next text follows a bullet on its line
	soft bool // of these newlines the last only breaks a line
	line bool // everything stands on one line
	row  bool // in a row of a table
	cell bool // in a cell that is drawn: no formats
	urls []linked

	headings []heading
	used     map[string]bool // labels of definitions that a link refers to
}

// heading is where a heading's words are in the flow.
type heading struct{ level, from, to int }

// write adds text in the present style; newlines that are owed and the indentation come first.
func (w *walker) write(s string) {
	if s == "" {
		return
	}
	w.payNewlines()
	if w.style.has(pre) || w.indent == "" {
		w.flow.add(s, w.style)
		return
	}
	for i, line := range strings.SplitAfter(s, "\n") {
		if i > 0 && line != "" {
			w.flow.add(w.indent, w.margin())
		}
		w.flow.add(line, w.style)
	}
}

// payNewlines ends the last block. The newlines belong to the quote that both blocks stand in.
func (w *walker) payNewlines() {
	n, soft := w.need, w.soft
	w.need, w.glue, w.soft = 0, false, false
	if n == 0 {
		return
	}
	outer := w.style.only(quote)
	if len(w.flow.runes) > 0 {
		shared := outer
		if w.flow.at(len(w.flow.runes)-1).only(quote) != outer {
			shared = nil
		}
		if w.form.markup && soft && n == 1 {
			shared = shared.with(mark, softBreak)
		}
		w.newlines(n, shared)
	}
	if !w.style.has(pre) {
		w.flow.add(w.indent, w.margin())
	}
}

// newlines ends lines. In Markdown the blank ones belong to the inner quotation too.
func (w *walker) newlines(n int, s *style) {
	inner := strings.LastIndexByte(w.indent, '>') + 1
	if !w.form.markup || inner == 0 || n == 1 {
		w.flow.add(strings.Repeat("\n", n), s)
		return
	}
	for range n - 1 {
		w.flow.add("\n", s)
		w.flow.add(w.indent[:inner], w.margin())
	}
	w.flow.add("\n", w.margin().only(quote))
}

// margin is the style of what stands before a line's text.
func (w *walker) margin() *style {
	outer := w.style.only(quote)
	if w.form.markup {
		return outer.with(mark, "")
	}
	return outer
}

// sign writes what is a sign of Markdown if Markdown comes out, and text if not.
func (w *walker) sign(s string) {
	old := w.style
	w.style = w.margin()
	w.write(s)
	w.style = old
}

// begin asks for n newlines before the next text, unless it follows a bullet.
func (w *walker) begin(n int) {
	if !w.glue {
		w.need = max(w.need, n)
	}
}

// in runs do with a format on top.
func (w *walker) in(k kind, value string, do func()) {
	old := w.style
	if !w.cell {
		w.style = old.with(k, value)
	}
	do()
	w.style = old
}

// indented runs do with more at the beginning of each line.
func (w *walker) indented(by string, do func()) {
	old := w.indent
	w.indent += by
	do()
	w.indent = old
}
