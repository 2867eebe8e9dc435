package markdown

import (
	"bufio"
	"bytes"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

var lineBreakTag = regexp.MustCompile(`(?i)^<br\s*/?>$`)

func (w *walker) inlines(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.inline(c)
	}
}

func (w *walker) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.words(n)
	case *ast.String:
		w.write(string(n.Value))
	case *ast.CodeSpan:
		w.in(code, "", func() { w.write(w.codeText(n)) })
	case *ast.Emphasis:
		w.in(map[int]kind{1: italic, 2: bold}[n.Level], "", func() { w.inlines(n) })
	case *extast.Strikethrough:
		w.in(strike, "", func() { w.inlines(n) })
	case *extast.TaskCheckBox:
		w.write(map[bool]string{true: "☑ ", false: "☐ "}[n.IsChecked])
	case *ast.Link:
		w.linkTo(n.Destination, func() { w.inlines(n) })
	case *ast.Image:
		w.linkTo(n.Destination, func() { w.inlines(n) })
	case *ast.AutoLink:
		w.autoLink(n)
	case *ast.RawHTML:
		w.rawHTML(string(n.Segments.Value(w.source)))
	default:
		w.inlines(n)
	}
}

func (w *walker) words(n *ast.Text) {
	if n.IsRaw() {
		w.write(string(n.Value(w.source)))
	} else {
		w.write(resolve(n.Value(w.source)))
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		w.breakLine()
	}
}

// breakLine ends a line of a paragraph.
func (w *walker) breakLine() {
	switch {
	case w.line:
		w.write(" ")
	case w.need == 0:
		w.need, w.soft = 1, true
	}
}

// resolve undoes backslashes and character references, in one pass and in the parser's own way.
func resolve(source []byte) string {
	if bytes.IndexByte(source, '\\') < 0 && bytes.IndexByte(source, '&') < 0 {
		return string(source)
	}
	var b bytes.Buffer
	out := bufio.NewWriterSize(&b, len(source)+16)
	htmlrenderer.DefaultWriter.Write(out, source)
	_ = out.Flush() // a bytes.Buffer takes everything
	return html.UnescapeString(b.String())
}

// codeText is what stands in a span of code. In a row of a table its pipes have backslashes.
func (w *walker) codeText(n *ast.CodeSpan) string {
	text := rawText(n, w.source)
	if w.row {
		text = strings.ReplaceAll(text, `\|`, "|")
	}
	return text
}

// rawText is what stands in a code span, on one line.
func rawText(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// rawHTML shows a tag as the text that it is; only a line break means what it says.
func (w *walker) rawHTML(tag string) {
	if lineBreakTag.MatchString(tag) {
		switch {
		case w.line:
			w.write(" ")
		case !w.form.markup:
			w.need++
		case !w.glue && w.need == 0:
			w.need, w.soft = 1, true
		case w.soft:
			w.need, w.soft = 2, false
		}
		return
	}
	w.write(tag)
}

// linked is a link that stood in a table.
type linked struct{ label, url string }

// maxData is how long the contents of a data: address are that is shown with them.
const maxData = 100

// linkTo writes a link. An address that Telegram would not link stands behind the words instead.
func (w *walker) linkTo(dest []byte, label func()) {
	url := string(util.URLEscape(dest, true))
	before := len(w.flow.runes)
	if w.form.linkable(url) {
		w.in(link, url, label)
		if len(w.flow.runes) == before {
			w.in(link, url, func() { w.write(url) })
		}
		if w.cell {
			w.urls = append(w.urls, linked{strings.TrimSpace(string(w.flow.runes[before:])), url})
		}
		return
	}
	label()
	if _, data, found := strings.Cut(string(dest), ","); found && len(data) > maxData && strings.HasPrefix(string(dest), "data:") {
		dest = bytes.TrimSuffix(dest, []byte(data)) // nobody reads a picture
		dest = append(dest[:len(dest):len(dest)], "…"...)
	}
	if seen := string(w.flow.runes[before:]); seen == "" {
		w.write(string(dest))
	} else if shown := string(dest); shown != "" && shown[0] != '#' && strings.TrimSpace(seen) != shown {
		w.write(" (" + shown + ")")
	}
}

func (w *walker) autoLink(n *ast.AutoLink) {
	label := string(n.Label(w.source))
	if n.AutoLinkType == ast.AutoLinkEmail || !w.form.linkable(string(n.URL(w.source))) {
		w.write(label)
		return
	}
	w.linkTo(n.URL(w.source), func() { w.write(label) })
}
