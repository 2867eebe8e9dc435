package filter

import "strings"

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

// beside returns the short values that stand in the objects around the list, such as a total.
func (w *walker) beside(n node) (out []string) {
	if n.kind != '{' || n.from >= w.list.from && n.to <= w.list.to {
		return nil
	}
	var short []string
	for _, k := range n.kids {
		switch {
		case k.kind == '{' && k.from <= w.list.from && k.to >= w.list.to:
			out = w.beside(k)
		case k.kind != '{' && k.kind != '[' && k.to-k.from <= 60 && len(short) < maxBeside:
			short = append(short, k.key+": "+w.scalar(k))
		}
	}
	if len(short) == 0 {
		return out
	}
	return append([]string{strings.Join(short, ", ")}, out...)
}

// maxBeside is how many values around a list are shown of one object.
const maxBeside = 8

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
	return last(path+"."+key, maxPath)
}

// maxPath and maxLead are how much is kept of the names of what a value stands in, in bytes: the nearest.
const (
	maxPath = 240
	maxLead = 480
)

// last returns at most n bytes from the end of s, whole characters only, with a sign if it is cut.
func last(s string, n int) string {
	if len(s) <= n {
		return s
	}
	from := len(s) - n + len(more)
	for from < len(s) && runeStart(s, from) != from {
		from++
	}
	return more + s[from:]
}
