package filter

import (
	"strings"
)

// branch is a line with everything that is indented below it: lines from at up to end.
type branch struct {
	at, end, indent int
	kids            []int // indexes of branches
}

// asTree reads text that is nested by indentation, such as YAML and the trees of pages.
func (d *document) asTree() bool {
	depths, inner, full := map[int]bool{}, 0, 0
	for i := range d.lines {
		if d.blank(i) {
			continue
		}
		full++
		n := indentOf(d.lineText(i))
		depths[n] = true
		if n > 0 {
			inner++
		}
	}
	if len(depths) < 3 || inner*10 < full*4 || len(depths) > 100 {
		return false
	}
	d.kind = "tree"
	all, roots := d.branches()
	for _, r := range roots {
		d.addBranch(all, r, nil)
	}
	return true
}

func (d *document) branches() (all []branch, roots []int) {
	var open []int
	shut := func(indent, at int) {
		for len(open) > 0 && all[open[len(open)-1]].indent >= indent {
			all[open[len(open)-1]].end = at
			open = open[:len(open)-1]
		}
	}
	for i := range d.lines {
		if d.blank(i) {
			continue
		}
		n := indentOf(d.lineText(i))
		shut(n, i)
		all = append(all, branch{at: i, indent: n})
		me := len(all) - 1
		if len(open) == 0 {
			roots = append(roots, me)
		} else {
			up := open[len(open)-1]
			all[up].kids = append(all[up].kids, me)
		}
		open = append(open, me)
	}
	shut(-1, len(d.lines))
	return all, roots
}

// addBranch adds a branch whole if it is small, else its parts; lead names what it stands in.
func (d *document) addBranch(all []branch, at int, lead []string) {
	b := all[at]
	if d.lines[b.end-1].to-d.lines[b.at].from <= unitMost || len(b.kids) == 0 {
		d.addLines(b.at, b.end, leadOf(lead))
		return
	}
	lead = append(lead[:len(lead):len(lead)], clip(strings.TrimSpace(d.lineText(b.at)), 70))
	if len(lead) > 12 {
		lead = lead[len(lead)-12:]
	}
	from := -1
	flush := func(to int) {
		if from >= 0 {
			d.addLines(from, to, leadOf(lead))
		}
		from = -1
	}
	for _, k := range b.kids {
		kid := all[k]
		if len(kid.kids) > 0 {
			flush(kid.at)
			d.addBranch(all, k, lead)
			continue
		}
		if from < 0 {
			from = kid.at
		}
	}
	flush(b.end)
}

// leadOf names the parents, the nearest ones whole.
func leadOf(lead []string) string {
	if len(lead) > 4 {
		lead = append([]string{lead[0], more}, lead[len(lead)-3:]...)
	}
	return strings.Join(lead, " > ")
}
