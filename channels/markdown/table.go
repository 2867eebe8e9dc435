package markdown

import (
	"bytes"
	"html"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/text/width"
)

// table is what a table says: as text for drawing, and with its formats.
type table struct {
	rows  [][]string
	rich  [][]*flow // nil where nobody asks for it
	align []extast.Alignment
	urls  []linked
	head  int // how many of urls stand in the first row
}

// table writes a table as aligned text of fixed width, for most services know no tables. Links cannot
// stand in such text, so they follow below it.
func (w *walker) table(n *extast.Table) {
	t := w.read(n)
	w.glue = false
	if w.form.apart {
		w.apart(part{table: t})
		return
	}
	w.drawn(t)
}

func (w *walker) drawn(t *table) {
	if w.form.markup && w.need == 1 {
		w.need = 2
	}
	w.in(pre, "", func() { w.write(drawTable(t.rows, t.align)) })
	w.links(t.urls)
}

// links writes links on lines of their own.
func (w *walker) links(urls []linked) {
	for _, l := range urls {
		w.begin(1)
		w.linkTo([]byte(l.url), func() { w.write(l.label) })
	}
}

// drawn is the table as text, with its links below.
func (t *table) drawn(as *form) *flow {
	w := &walker{form: as, flow: &flow{}}
	w.drawn(t)
	return w.flow
}

func (w *walker) read(n *extast.Table) *table {
	t := &table{align: n.Alignments}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		var rich []*flow
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			text, links := w.cellText(cell)
			cells = append(cells, text)
			t.urls = append(t.urls, links...)
			if w.form.apart {
				rich = append(rich, w.cellFlow(cell))
			}
		}
		if more := w.surplus(row, len(n.Alignments)); more != "" {
			cells[len(cells)-1] += " | " + more
			if len(rich) > 0 {
				rich[len(rich)-1].add(" | "+more, nil)
			}
		}
		if len(t.rows) == 0 {
			t.head = len(t.urls)
		}
		t.rows = append(t.rows, cells)
		t.rich = append(t.rich, rich)
	}
	return t
}

// surplus is what stands in a row behind its last column, where the parser leaves it.
func (w *walker) surplus(row ast.Node, columns int) string {
	last := row.LastChild()
	if row.ChildCount() < columns || last == nil || last.Lines().Len() == 0 {
		return ""
	}
	rest, _, _ := bytes.Cut(w.source[last.Lines().At(0).Stop:], []byte("\n"))
	return strings.Join(strings.Fields(html.UnescapeString(strings.Trim(string(rest), " \t|"))), " ")
}

func (w *walker) cellText(cell ast.Node) (string, []linked) {
	c := &walker{source: w.source, form: w.form, flow: &flow{}, row: true, cell: true, line: true}
	c.inlines(cell)
	return strings.Join(strings.Fields(string(c.flow.runes)), " "), c.urls
}

func (w *walker) cellFlow(cell ast.Node) *flow {
	c := &walker{source: w.source, form: w.form, flow: &flow{}, row: true, line: true}
	c.inlines(cell)
	return c.flow
}

func drawTable(rows [][]string, align []extast.Alignment) string {
	widths := columnWidths(rows, len(align))
	var lines []string
	for i, row := range rows {
		lines = append(lines, drawRow(row, widths, align))
		if i == 0 {
			lines = append(lines, rule(widths))
		}
	}
	return strings.Join(lines, "\n")
}

func columnWidths(rows [][]string, columns int) []int {
	widths := make([]int, columns)
	for _, row := range rows {
		for i, cell := range row[:min(len(row), columns)] {
			widths[i] = max(widths[i], displayWidth(cell), 1)
		}
	}
	return widths
}

func drawRow(row []string, widths []int, align []extast.Alignment) string {
	cells := make([]string, len(widths))
	for i := range widths {
		if i < len(row) {
			cells[i] = row[i]
		}
		cells[i] = pad(cells[i], widths[i], align[i])
	}
	return strings.TrimRight(strings.Join(cells, " | "), " ")
}

func rule(widths []int) string {
	cells := make([]string, len(widths))
	for i, n := range widths {
		cells[i] = strings.Repeat("-", n)
	}
	return strings.Join(cells, "-+-")
}

func pad(cell string, to int, a extast.Alignment) string {
	room := to - displayWidth(cell)
	switch a {
	case extast.AlignRight:
		return spaces(room) + cell
	case extast.AlignCenter:
		return spaces(room/2) + cell + spaces(room-room/2)
	}
	return cell + spaces(room)
}

// displayWidth counts columns: two for Chinese, Japanese, Korean and emoji, none for what only
// changes the letter before it (Unicode Standard Annex 11). Letters that are joined to one picture are
// as wide as the first.
func displayWidth(s string) int {
	n := 0
	runes := []rune(s)
	for i := 0; i < len(runes); {
		end := clusterEnd(runes, i)
		n += clusterWidth(runes[i:end])
		i = end
	}
	return n
}

// emojiStyle asks for the letter before it to be shown as a picture.
const emojiStyle = '\ufe0f'

func clusterWidth(letter []rune) int {
	for _, r := range letter[1:] {
		if r == emojiStyle || isFlagHalf(r) {
			return 2
		}
	}
	switch k := width.LookupRune(letter[0]).Kind(); {
	case unicode.In(letter[0], unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case k == width.EastAsianWide || k == width.EastAsianFullwidth:
		return 2
	}
	return 1
}
