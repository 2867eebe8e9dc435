package markdown

import (
	"html"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

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
	case *formulaBlock:
		w.begin(gap)
		w.formulaBlock(n)
	case *ast.LinkReferenceDefinition:
		w.definition(n, gap)
	default:
		w.begin(gap)
		w.inlines(n)
	}
}

// heading writes a heading, in bold where there are no headings.
func (w *walker) heading(n *ast.Heading, gap int) {
	if n.FirstChild() == nil {
		return
	}
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
