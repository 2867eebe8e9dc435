package markdown

import (
	"encoding/json"
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"
)

// Card is one card's worth of a text. Body is the JSON array that stands as body.elements in a card of
// schema 2.0: elements of tag markdown, table and hr. Plain says the same without any markup, for when
// the card is refused.
type Card struct {
	Body  json.RawMessage
	Plain string
}

const (
	maxRows    = 100 // of a table component; more rows are another component
	maxColumns = 50  // of a table component, by its documentation; wider tables are text
	pageSize   = 10  // rows that a table component shows at once, the most it can
)

type element struct {
	Tag     string              `json:"tag"`
	Content string              `json:"content,omitempty"`
	Page    int                 `json:"page_size,omitempty"`
	Height  string              `json:"row_height,omitempty"`
	Columns []column            `json:"columns,omitempty"`
	Rows    []map[string]string `json:"rows,omitempty"`
}

type column struct {
	Name    string `json:"name"`
	Display string `json:"display_name"`
	Type    string `json:"data_type"`
	Align   string `json:"horizontal_align,omitempty"`
	Width   string `json:"width,omitempty"`
}

// Cards cuts text into cards for Feishu and Lark, in order. Each Body takes at most FeishuLimit less
// FeishuEnvelope bytes on the wire and has at most MaxCardTables tables. Tables are table components,
// code keeps its language, an image is a link. Blank text gives no card.
func Cards(text string) []Card {
	var out []Card
	d := &deck{}
	d.pile = pile{room: feishuRoom - len("[]"), done: func(items json.RawMessage, plain string) {
		out = append(out, Card{Body: items, Plain: plain})
		d.tables = 0
	}}
	for _, p := range layOut(text, &cardForm).parts {
		switch {
		case p.rule:
			d.place(element{Tag: "hr"}, textRule)
		case p.table != nil:
			d.table(p.table)
		default:
			d.text(p.flow)
		}
	}
	d.turn()
	return out
}

// deck is cards in the making.
type deck struct {
	pile
	tables int // on this card
}

func (d *deck) place(e element, plain string) {
	if len(d.items) >= MaxCardElements || (e.Tag == "table" && d.tables == MaxCardTables) {
		d.turn()
	}
	d.add(asJSON(e), plain)
	if e.Tag == "table" {
		d.tables++
	}
}

func (d *deck) text(f *flow) {
	if len(d.items) >= MaxCardElements {
		d.turn()
	}
	d.pour(f, func(from, to int) json.RawMessage {
		content := f.markdown(from, to, &lark)
		if content == "" {
			return nil
		}
		return asJSON(element{Tag: "markdown", Content: content})
	})
}

// table puts a table on cards: as components, or as aligned text if it is too wide or a row too long.
func (d *deck) table(t *table) {
	if len(t.align) > maxColumns || len(t.rows) < 2 {
		d.text(t.drawn(&cardForm))
		return
	}
	for first := 1; first < len(t.rows); {
		last := min(len(t.rows), first+maxRows)
		e := t.component(first, last)
		for ; wireSize(asJSON(e)) >= d.room && last > first+1; e = t.component(first, last) {
			last = first + (last-first)/2
		}
		if wireSize(asJSON(e)) >= d.room {
			d.text(t.slice(first, len(t.rows)).drawn(&cardForm))
			return
		}
		d.place(e, string(t.slice(first, last).drawn(&plainForm).runes))
		first = last
	}
	w := &walker{form: &cardForm, flow: &flow{}}
	w.links(t.urls[:t.head]) // a column's name is plain text
	d.text(w.flow)
}

// slice is the table with its head and some of its rows.
func (t *table) slice(from, to int) *table {
	s := &table{align: t.align, rows: append([][]string{t.rows[0]}, t.rows[from:to]...)}
	shown := strings.Join(flat(s.rows), "\n")
	for _, l := range t.urls {
		if strings.Contains(shown, l.label) {
			s.urls = append(s.urls, l)
		}
	}
	return s
}

func flat(rows [][]string) []string {
	var all []string
	for _, row := range rows {
		all = append(all, row...)
	}
	return all
}

// component is the table as Feishu shows it. The head of a column is plain text there.
func (t *table) component(from, to int) element {
	e := element{Tag: "table", Page: min(pageSize, to-from), Height: "auto"}
	for i, a := range t.align {
		c := column{Name: columnName(i), Type: "markdown", Align: alignName(a), Width: "auto"}
		if i < len(t.rows[0]) {
			c.Display = t.rows[0][i]
		}
		e.Columns = append(e.Columns, c)
	}
	for _, row := range t.rich[from:to] {
		cells := map[string]string{}
		for i, cell := range row[:min(len(row), len(t.align))] {
			cells[columnName(i)] = cell.markdown(0, len(cell.runes), &lark)
		}
		e.Rows = append(e.Rows, cells)
	}
	return e
}

func columnName(i int) string { return "c" + string(rune('0'+i/10)) + string(rune('0'+i%10)) }

func alignName(a extast.Alignment) string {
	switch a {
	case extast.AlignRight:
		return "right"
	case extast.AlignCenter:
		return "center"
	}
	return "left"
}
