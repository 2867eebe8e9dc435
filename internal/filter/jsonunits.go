package filter

import (
	"fmt"
	"strings"
)

// walker goes through a value of JSON.
type walker struct {
	d    *document
	list *node // the longest list of objects
}

// find looks for the longest list of objects.
func (w *walker) find(n node) {
	if isList(n) && (w.list == nil || n.to-n.from > w.list.to-w.list.from) {
		w.list = &n
		return
	}
	for _, k := range n.kids {
		if k.kind == '{' || k.kind == '[' {
			w.find(k)
		}
	}
}

// isList reports a list of objects, or an object of many objects, each under its name.
func isList(n node) bool {
	objects := 0
	for _, k := range n.kids {
		if k.kind == '{' {
			objects++
		}
	}
	return n.kind == '[' && len(n.kids) >= 3 && n.kids[0].kind == '{' || n.kind == '{' && objects >= 8 && objects*10 >= len(n.kids)*9
}

// table makes rows of the list, a column for each path in its objects.
func (w *walker) table() *table {
	t := newTable()
	t.name = w.list.key
	for _, k := range w.list.kids {
		row := t.startRow(k.from, k.to)
		t.set(row, "name", k.key)
		w.cells(t, row, k, "", 0)
	}
	return t
}

func (w *walker) cells(t *table, row int, n node, path string, depth int) {
	switch {
	case n.kind == '{' && depth < 3, n.kind == '[' && depth < 3 && len(n.kids) <= 20:
		for _, k := range n.kids {
			w.cells(t, row, k, join(path, k.key), depth+1)
		}
	case n.kind == '{' || n.kind == '[':
	case n.to-n.from <= maxCell:
		t.set(row, path, w.scalar(n))
	}
}

// maxCell is the longest value that counts as one of a column; longer ones are text.
const maxCell = 120

func (w *walker) scalar(n node) string {
	s := w.d.plain[n.from:n.to]
	if n.kind == '"' {
		return unquote(s)
	}
	return s
}

func join(path, key string) string {
	switch {
	case key == "":
		return path
	case path == "":
		return key
	}
	return path + "." + key
}

// units makes passages of a value: what is small is one, what is large is opened.
func (w *walker) units(root node) { w.unit(root, "", "", -1) }

func (w *walker) unit(n node, path, lead string, row int) {
	if n.to-n.from <= unitFits || n.kind == 0 || n.kind == '"' {
		w.small(n, path, lead, row)
		return
	}
	isList := w.list != nil && n.from == w.list.from && n.to == w.list.to
	if n.kind == '{' {
		if name := w.identity(n); name != "" {
			lead = joinLead(lead, path, name)
			path = ""
		}
	}
	var pack []node
	flush := func() {
		if len(pack) > 0 {
			w.packed(pack, path, lead, row)
			pack = nil
		}
	}
	size := 0
	for i, k := range n.kids {
		if isList {
			row = i
		}
		long := k.to-k.from > unitFits || (isList || n.kind == '[') && k.kind == '{'
		if long || size+k.to-k.from > unitFits {
			flush()
			size = 0
		}
		if !long {
			pack = append(pack, k)
			size += k.to - k.from + len(k.key)
			continue
		}
		key := k.key
		if n.kind == '[' {
			key = fmt.Sprintf("[%d]", i)
		}
		w.unit(k, join(path, key), lead, row)
	}
	flush()
}

func joinLead(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " > ")
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

func (w *walker) small(n node, path, lead string, row int) {
	if n.kind != '"' || n.to-n.from <= unitMost {
		text := w.compact(n)
		if path != "" {
			text = path + ": " + text
		}
		w.d.add(unit{from: n.from, to: n.to, lead: lead, text: text, row: row})
		return
	}
	at := joinLead(lead, path)
	text := unquote(w.d.plain[n.from:n.to])
	for rest := text; rest != ""; {
		cut := len(rest)
		if cut > unitMost {
			cut = unitFits
			if nl := strings.LastIndex(rest[:cut], "\n"); nl > unitFits/3 {
				cut = nl + 1
			} else if dot := strings.LastIndexAny(rest[:cut], ".;。 "); dot > unitFits/2 {
				cut = dot + 1
			}
			cut = runeStart(rest, cut)
		}
		if s := strings.TrimSpace(rest[:cut]); s != "" {
			w.d.add(unit{from: n.from, to: n.to, lead: at, text: s, row: row})
		}
		rest = rest[cut:]
	}
}

func (w *walker) packed(nodes []node, path, lead string, row int) {
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
