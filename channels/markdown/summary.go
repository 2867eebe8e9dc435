package markdown

import (
	"strings"
)

// Summary is what is shown of a text that is sent as a file: its beginning, up to the end of a
// paragraph if there is one in reach, and behind an ellipsis the outline of the headings that follow,
// as a list. It is Markdown that can stand alone, of at most limit UTF-16 units (0 means Limit, less
// than 64 counts as 64), and always the same for the same text. Text within the limit is given whole.
func Summary(text string, limit int) string {
	limit = max(orLimit(limit), 64)
	w := layOut(text, &markdownForm)
	f := w.flow
	if whole := f.markdown(0, len(f.runes), &common); Units(whole) <= limit {
		return whole
	}
	// The outline of all headings is the longest there can be: what it does not need is the beginning's.
	room := limit - min(Units(w.outline(0, limit*2/5)), limit*2/5)
	end, begin := f.fit(0, room-len("\n\n…\n\n"), unitsOf, func(from, to int) string { return f.markdown(from, to, &common) }, Units)
	if border := f.border(end); border > 0 {
		end, begin = border, f.markdown(0, border, &common)
	}
	if rest := w.outline(end, limit-Units(begin)-len("\n\n…\n\n")); rest != "" {
		return begin + "\n\n…\n\n" + rest
	}
	return begin + "\n\n…"
}

// border is where the last paragraph before a cut ends; 0 if that is not worth it.
func (f *flow) border(end int) int {
	for i := end; i > end/8; i-- {
		if f.rankAt(i) == atParagraph {
			return i
		}
	}
	return 0
}

// outline lists the headings from a place in the flow on, in at most limit UTF-16 units: with as
// many levels as fit, and if the first level alone is too long, as many headings as fit.
func (w *walker) outline(from, limit int) string {
	var rest []heading
	for _, h := range w.headings {
		if h.from >= from {
			rest = append(rest, h)
		}
	}
	for deepest := 6; deepest >= 1; deepest-- {
		s := w.listed(rest, deepest)
		if Units(s) <= limit {
			return s
		}
	}
	const more = "\n- …"
	top := w.listed(rest, 1)
	if top == "" {
		return ""
	}
	for Units(top)+len(more) > limit {
		n := strings.LastIndexByte(top, '\n')
		if n < 0 {
			return ""
		}
		top = top[:n]
	}
	return top + more
}

// listed writes headings down to a level as a list.
func (w *walker) listed(headings []heading, deepest int) string {
	var lines []string
	var above []int
	for _, h := range headings {
		for len(above) > 0 && above[len(above)-1] >= h.level {
			above = above[:len(above)-1]
		}
		if len(above) < deepest {
			lines = append(lines, strings.Repeat("    ", len(above))+"- "+strings.TrimPrefix(w.flow.markdown(h.from, h.to, &common), "> "))
		}
		above = append(above, h.level)
	}
	return strings.Join(lines, "\n")
}
