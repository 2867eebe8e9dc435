package filter

import (
	"encoding/json"
	"strings"
)

// maxDepth is how deep values may stand in each other; deeper text is read as lines.
const maxDepth = 200

// maxKey is how much of a name is kept, in bytes.
const maxKey = 120

// node is a value of JSON where it stands in the text.
type node struct {
	kind     byte // { [ " or 0 for numbers and words
	key      string
	from, to int
	kids     []node
}

// parser reads JSON that may end before it is complete, as output that was cut does.
type parser struct {
	s   string
	i   int
	bad bool
	cut bool // the text ended inside a value
}

func (p *parser) space() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\n' || p.s[p.i] == '\t' || p.s[p.i] == '\r') {
		p.i++
	}
}

func (p *parser) value(depth int) (n node) {
	p.space()
	n.from = p.i
	if p.i >= len(p.s) || depth > maxDepth {
		p.cut, p.bad = p.i >= len(p.s), p.bad || depth > maxDepth
		n.to = p.i
		return n
	}
	switch c := p.s[p.i]; {
	case c == '{' || c == '[':
		n.kind = c
		n.kids = p.members(c+2, depth)
	case c == '"':
		n.kind = c
		p.str()
	default:
		p.word()
	}
	n.to = p.i
	return n
}

// members reads what stands in an object or a list up to its end.
func (p *parser) members(end byte, depth int) (kids []node) {
	p.i++
	for !p.bad && !p.cut {
		p.space()
		switch {
		case p.i >= len(p.s):
			p.cut = true
			return kids
		case p.s[p.i] == end:
			p.i++
			return kids
		case p.s[p.i] == ',' && len(kids) > 0:
			p.i++
			p.space()
		case len(kids) > 0:
			p.bad = true
			return kids
		}
		kids = append(kids, p.member(end, depth))
	}
	return kids
}

func (p *parser) member(end byte, depth int) node {
	if end == ']' {
		return p.value(depth + 1)
	}
	p.space()
	from := p.i
	if p.i >= len(p.s) || p.s[p.i] != '"' {
		p.cut, p.bad = p.i >= len(p.s), p.i < len(p.s)
		return node{from: from, to: p.i}
	}
	p.str()
	key := clip(unquote(p.s[from:p.i]), maxKey)
	p.space()
	if p.i >= len(p.s) || p.s[p.i] != ':' {
		p.cut, p.bad = p.i >= len(p.s), p.i < len(p.s)
		return node{from: from, to: p.i, key: key}
	}
	p.i++
	n := p.value(depth + 1)
	n.key = key
	return n
}

func (p *parser) str() {
	for p.i++; p.i < len(p.s); p.i++ {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case '"':
			p.i++
			return
		}
	}
	p.i, p.cut = len(p.s), true
}

func (p *parser) word() {
	from := p.i
	for p.i < len(p.s) && (class(p.s[p.i]) != 0 || p.s[p.i] == '.' || p.s[p.i] == '-' || p.s[p.i] == '+') {
		p.i++
	}
	p.bad = p.bad || p.i == from
	p.cut = p.cut || p.i == len(p.s)
}

func unquote(s string) string {
	if len(s) >= 2 && strings.IndexByte(s, '\\') < 0 && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	var out string
	if json.Unmarshal([]byte(s), &out) != nil {
		return strings.Trim(s, `"`)
	}
	return out
}

// asJSON reads JSON, or a JSON value a line, behind a few lines of other text.
func (d *document) asJSON() bool {
	root, end, ok := d.findJSON()
	if !ok {
		return false
	}
	d.kind = "JSON"
	w := walker{d: d}
	w.find(root)
	if w.list != nil && (w.list.to-w.list.from)*4 > len(d.plain) {
		d.tables = append(d.tables, w.table())
		d.facts = append(d.facts, w.beside(root)...)
	}
	w.units(root)
	d.addLines(d.lineAt(end)+1, len(d.lines), "")
	return true
}

// findJSON returns the value that makes up nearly all of the text. Values a line become one list.
func (d *document) findJSON() (root node, end int, ok bool) {
	for i := 0; i < len(d.lines) && i < 6; i++ {
		text := strings.TrimSpace(d.lineText(i))
		if text == "" || text[0] != '{' && text[0] != '[' {
			continue
		}
		p := parser{s: d.plain, i: d.lines[i].from}
		root = p.value(0)
		first := root.to - root.from
		list := node{kind: '[', from: root.from, kids: []node{root}}
		for !p.bad && !p.cut {
			p.space()
			if p.i >= len(p.s) || p.s[p.i] != '{' {
				break
			}
			list.kids = append(list.kids, p.value(0))
		}
		list.to = p.i
		if p.bad || (list.to-list.from)*10 < (len(d.plain)-list.from)*8 {
			continue
		}
		if len(list.kids) == 1 && first > 0 {
			return root, root.to, true
		}
		return list, list.to, true
	}
	return root, 0, false
}
