package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// maxIndent is how many spaces a line is moved to the right at most: a phone shows about forty
// letters on a line.
const maxIndent = 24

var bullets = []string{"• ", "◦ ", "▪ "}

// list writes the items with bullets or numbers, for Telegram knows no lists. Items stand on lines
// of their own; those of a loose list are paragraphs.
func (w *walker) list(n *ast.List, gap int) {
	nested := isItem(n.Parent())
	if nested {
		gap = 1
	}
	if w.glue && w.form.markup {
		w.glue, w.need, gap = false, 1, 1
	}
	number := numbering(n)
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		w.begin(gap)
		w.item(item, w.marker(n, item, number(item)), n.IsTight)
		gap = 1
		if !n.IsTight && !nested {
			gap = 2
		}
	}
}

// numbering gives the items their numbers: those that they are written with, which a list that goes on
// after a gap or counts down means. The same number again only says that it goes on, and so does what is written
// from there on.
func numbering(n *ast.List) func(item ast.Node) int {
	number, last, counted := n.Start-1, -1, false
	return func(item ast.Node) int {
		number++
		w := written(item)
		if counted = counted || w == last; w >= 0 && !counted {
			number, last = w, w
		}
		return number
	}
}

// written is the number that an item is written with; -1 if there is none.
func written(item ast.Node) int {
	if item != nil {
		if number, ok := item.Attribute(writtenNumber); ok {
			return number.(int)
		}
	}
	return -1
}

func (w *walker) item(item ast.Node, marker string, tight bool) {
	if marker != "" {
		w.sign(marker)
	} else {
		w.payNewlines()
	}
	w.glue = true
	by := spaces(4)
	if w.form.markup {
		by = spaces(max(4, len(marker)))
	}
	if len(w.indent) >= maxIndent {
		by = ""
	}
	gap := 2
	if tight {
		gap = 1
	}
	w.indented(by, func() { w.blocks(item, gap) })
	w.glue = false
}

// marker is what an item begins with. A task's box stands in place of a bullet.
func (w *walker) marker(n *ast.List, item ast.Node, number int) string {
	if n.IsOrdered() {
		return strconv.Itoa(number) + string(n.Marker) + " "
	}
	if w.form.markup {
		return "- "
	}
	if hasCheckBox(item) {
		return ""
	}
	return bullets[len(w.indent)/4%len(bullets)]
}

func isItem(n ast.Node) bool {
	_, ok := n.(*ast.ListItem)
	return ok
}

func hasCheckBox(item ast.Node) bool {
	first := item.FirstChild()
	if first == nil || first.FirstChild() == nil {
		return false
	}
	_, ok := first.FirstChild().(*extast.TaskCheckBox)
	return ok
}

// spaces gives n spaces.
func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
