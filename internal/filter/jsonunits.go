package filter

import (
	"fmt"
	"strings"
)

// units makes passages of a value: what is small is one, what is large is opened.
func (w *walker) units(root node) { w.unit(root, "", "", -1) }

func (w *walker) unit(n node, path, lead string, row int) {
	if n.to-n.from <= unitFits || n.kind == 0 || n.kind == '"' {
		w.small(n, path, lead, row)
		return
	}
	if n.kind == '{' {
		if name := w.identity(n); name != "" {
			lead, path = last(joinLead(lead, path, name), maxLead), ""
		}
	}
	isList := w.list != nil && n.from == w.list.from && n.to == w.list.to
	var few []node // neighbours that are small enough for one unit
	size := 0
	for i, k := range n.kids {
		if isList {
			row = i
		}
		alone := k.to-k.from > unitFits || k.kind == '{' && (isList || n.kind == '[')
		if alone || size+k.to-k.from > unitFits {
			w.packed(few, path, lead, row)
			few, size = nil, 0
		}
		if alone {
			w.unit(k, join(path, nameOf(n, k, i)), lead, row)
			continue
		}
		few = append(few, k)
		size += k.to - k.from + len(k.key)
	}
	w.packed(few, path, lead, row)
}

// nameOf names a value in an object by its key, in a list by its place.
func nameOf(parent, kid node, i int) string {
	if parent.kind == '[' {
		return fmt.Sprintf("[%d]", i)
	}
	return kid.key
}

// identity names an object by its first short values.
func (w *walker) identity(n node) string {
	var out []string
	for _, k := range n.kids {
		if k.kind == '{' || k.kind == '[' || k.to-k.from > 80 || len(out) == 3 || w.d.plain[k.from:k.to] == "null" {
			continue
		}
		out = append(out, k.key+": "+w.scalar(k))
	}
	return strings.Join(out, ", ")
}

// small adds a value whole, or a long text in pieces.
func (w *walker) small(n node, path, lead string, row int) {
	if n.kind != '"' || n.to-n.from <= unitMost {
		text := w.compact(n)
		if path != "" {
			text = path + ": " + text
		}
		w.d.add(unit{from: n.from, to: n.to, lead: lead, text: text, row: row})
		return
	}
	at := last(joinLead(lead, path), maxLead)
	for rest := unquote(w.d.plain[n.from:n.to]); rest != ""; {
		cut := pieceEnd(rest)
		if s := strings.TrimSpace(rest[:cut]); s != "" {
			w.d.add(unit{from: n.from, to: n.to, lead: at, text: s, row: row})
		}
		rest = rest[cut:]
	}
}

// pieceEnd returns where a long text is cut: at the end of a line, else of a sentence or a word.
func pieceEnd(s string) int {
	if len(s) <= unitMost {
		return len(s)
	}
	if at := strings.LastIndexByte(s[:unitFits], '\n'); at > unitFits/3 {
		return at + 1
	}
	if at := strings.LastIndexAny(s[:unitFits], ".; "); at > unitFits/2 {
		return at + 1
	}
	return runeStart(s, unitFits)
}

// packed adds neighbours as one unit.
func (w *walker) packed(nodes []node, path, lead string, row int) {
	if len(nodes) == 0 {
		return
	}
	var out []string
	for _, n := range nodes {
		text := w.compact(n)
		if n.key != "" {
			text = join(path, n.key) + ": " + text
		}
		out = append(out, text)
	}
	text := strings.Join(out, ", ")
	if nodes[0].key == "" && path != "" {
		text = path + ": " + text
	}
	w.d.add(unit{from: nodes[0].from, to: nodes[len(nodes)-1].to, lead: lead, text: text, row: row})
}

// compact writes a value without line breaks and quotes.
func (w *walker) compact(n node) string {
	switch n.kind {
	case '"', 0:
		return strings.ReplaceAll(strings.TrimSpace(w.scalar(n)), "\n", " ")
	}
	var out []string
	for _, k := range n.kids {
		text := w.compact(k)
		if k.key != "" {
			text = k.key + ": " + text
		}
		out = append(out, text)
	}
	if n.kind == '[' {
		return "[" + strings.Join(out, ", ") + "]"
	}
	return "{" + strings.Join(out, ", ") + "}"
}
