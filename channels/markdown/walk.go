package markdown

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
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
	source = escapePipes(clean(source))
	w := &walker{source: []byte(source), form: as, flow: &flow{runes: make([]rune, 0, len(source))}}
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
		case isControl(r):
			return ' '
		}
		return r
	}, source)
}

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7F }

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
		w.flow.add(strings.Repeat("\n", n), shared)
	}
	if !w.style.has(pre) {
		w.flow.add(w.indent, w.margin())
	}
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

func (w *walker) blocks(n ast.Node, gap int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, gap)
	}
}

func (w *walker) block(n ast.Node, gap int) {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > maxDepth {
		w.begin(1)
		w.write(sourceOf(n, w.source))
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n, gap)
	case *ast.FencedCodeBlock:
		w.codeBlock(n, language(n.Language(w.source)))
	case *ast.CodeBlock:
		w.codeBlock(n, "")
	case *ast.Blockquote:
		w.quote(n, gap)
	case *ast.List:
		w.list(n, gap)
	case *ast.ThematicBreak:
		w.ruler(gap)
	case *extast.Table:
		w.begin(gap)
		w.table(n)
	case *ast.LinkReferenceDefinition:
		w.definition(n, gap)
	default:
		w.begin(gap)
		w.inlines(n)
	}
}

// heading writes a heading, in bold where there are no headings.
func (w *walker) heading(n *ast.Heading, gap int) {
	w.begin(gap)
	from := len(w.flow.runes)
	if w.form.markup {
		level := n.Level
		if w.form.fold {
			level = min(level+2, 6)
		}
		w.sign(strings.Repeat("#", level) + " ")
		from = len(w.flow.runes)
		w.line = true
		w.inlines(n)
		w.line = false
	} else {
		w.in(bold, "", func() { w.inlines(n) })
	}
	if to := len(w.flow.runes); !w.flow.blank(from, to) {
		w.headings = append(w.headings, heading{n.Level, from, to})
		w.flow.heads = append(w.flow.heads, to)
	}
}

// ruler writes a rule across the page. In a list or a quote it is text: a line of hyphens there
// means something else to many readers of Markdown.
func (w *walker) ruler(gap int) {
	nested := w.indent != "" || w.style != nil
	switch {
	case w.form.apart && !nested:
		w.apart(part{rule: true})
	case w.form.markup && !nested:
		w.begin(2)
		w.sign(w.form.rule)
	default:
		w.begin(gap)
		w.write(textRule)
	}
}

// quote writes a quotation. Telegram's quotes do not nest, so the inner ones get a mark instead.
func (w *walker) quote(n ast.Node, gap int) {
	w.begin(gap)
	if w.form.quote != "" {
		w.indented(w.form.quote, func() { w.blocks(n, 2) })
		return
	}
	if w.style.has(quote) {
		inner := "› "
		if w.form.markup {
			inner = "> "
		}
		w.indented(inner, func() { w.blocks(n, 1) })
		return
	}
	if w.form.markup && w.glue {
		w.need = 1 // and glued still: the item's text begins on the next line
	}
	old, indent := w.style, w.indent
	w.style = &style{up: old, kind: quote, indent: len(indent)}
	if !w.form.markup {
		w.indent = "" // the quotation has a margin of its own
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, gap)
		gap = 2
	}
	w.style, w.indent = old, indent
	if w.form.markup {
		w.begin(2)
	}
}

// codeBlock writes the lines of n as they are. A fence below a bullet begins on a line of its own.
func (w *walker) codeBlock(n ast.Node, lang string) {
	code := strings.TrimSuffix(string(n.Lines().Value(w.source)), "\n")
	if code == "" {
		return
	}
	if w.glue {
		w.glue, w.need = false, 1
	}
	w.begin(1)
	if w.need == 1 && (w.indent == "" || w.form.markup) {
		w.need = 2
	}
	w.in(pre, lang, func() { w.write(code) })
}

// language is the first word after a fence, if it is fit to be a class name; its letters are those
// of real languages: c++, c#, objective-c, asp.net.
func language(info []byte) string {
	for _, r := range string(info) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-#._/", r) {
			return ""
		}
	}
	return string(info)
}

// sourceOf gives the lines of a block and of all blocks in it, as they were written.
func sourceOf(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Type() == ast.TypeBlock {
			b.Write(n.Lines().Value(source))
		}
		return ast.WalkContinue, nil
	})
	return html.UnescapeString(strings.TrimSuffix(b.String(), "\n"))
}
