package markdown

import (
	"html"
	"strings"
	"unicode"

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
func layOut(source string) *flow {
	source = strings.ReplaceAll(strings.ToValidUTF8(source, "\uFFFD"), "\r\n", "\n")
	w := &walker{source: []byte(source), flow: &flow{}}
	if strings.Count(source, "](") <= maxLinks {
		w.blocks(newParser().Parse(text.NewReader(w.source)), 2)
	}
	if blank(w.flow.runes) {
		w.flow = &flow{}
		w.flow.add(source, nil)
	}
	return w.flow
}

// walker goes through a document and writes it into a flow.
type walker struct {
	source []byte
	flow   *flow
	style  *style
	indent string // what each line begins with, outside of code
	depth  int

	need int  // newlines that come before the next text
	glue bool // the next text follows a bullet on its line
	cell bool // in a cell of a table: one line, no formats
	urls []linked
}

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
			w.flow.add(w.indent, w.style.only(quote))
		}
		w.flow.add(line, w.style)
	}
}

// payNewlines ends the last block. The newlines belong to the quote that both blocks stand in.
func (w *walker) payNewlines() {
	n := w.need
	w.need, w.glue = 0, false
	if n == 0 {
		return
	}
	outer := w.style.only(quote)
	if len(w.flow.runes) > 0 {
		shared := outer
		if w.flow.at(len(w.flow.runes)-1).only(quote) != outer {
			shared = nil
		}
		w.flow.add(strings.Repeat("\n", n), shared)
	}
	if !w.style.has(pre) {
		w.flow.add(w.indent, outer)
	}
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
		w.begin(gap)
		w.in(bold, "", func() { w.inlines(n) })
	case *ast.FencedCodeBlock:
		w.codeBlock(n, language(n.Language(w.source)))
	case *ast.CodeBlock:
		w.codeBlock(n, "")
	case *ast.Blockquote:
		w.quote(n, gap)
	case *ast.List:
		w.list(n, gap)
	case *ast.ThematicBreak:
		w.begin(gap)
		w.write("———")
	case *extast.Table:
		w.begin(gap)
		w.table(n)
	default:
		w.begin(gap)
		w.inlines(n)
	}
}

// quote writes a quotation. Telegram's quotes do not nest, so the inner ones get a mark instead.
func (w *walker) quote(n ast.Node, gap int) {
	w.begin(gap)
	if w.style.has(quote) {
		w.indented("› ", func() { w.blocks(n, 1) })
		return
	}
	w.in(quote, "", func() { w.blocks(n, 2) })
}

// codeBlock writes the lines of n as they are. A fence below a bullet begins on a line of its own.
func (w *walker) codeBlock(n ast.Node, lang string) {
	if w.glue {
		w.glue, w.need = false, 1
	}
	w.begin(1)
	if w.need == 1 && w.indent == "" {
		w.need = 2
	}
	w.in(pre, lang, func() { w.write(strings.TrimSuffix(string(n.Lines().Value(w.source)), "\n")) })
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
