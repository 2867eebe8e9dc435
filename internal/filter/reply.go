package filter

import (
	"fmt"
	"slices"
	"strings"
)

// reply writes what is shown of a document.
type reply struct {
	doc  *document
	ref  string
	room int // bytes
	sizes
}

// factShare is the share of the room that facts may take.
const factShare = 0.4

// text writes the reply to a query, which may be empty.
func (r *reply) text(q query) string {
	if q.empty() {
		return r.outline(q, nil)
	}
	return r.answer(q)
}

// answer returns the passages that answer a query, after the counts that may answer it by themselves.
func (r *reply) answer(q query) string {
	found := r.doc.rank(q)
	if len(found.hits) == 0 {
		return r.outline(q, r.missing(q, found))
	}
	w := newPage(r)
	w.line(r.title())
	r.facts(w, q, int(float64(r.room)*factShare))
	if q.saysOneOf(ordering) {
		r.ends(w, q, found.hits)
	}
	chosen, alike := r.doc.choose(q, found, r.passages, r.worth)
	shown := 0
	for n, h := range chosen {
		if n == 0 {
			w.line(clip(r.doc.header, 300))
		}
		shown += r.passage(w, q, h.unit, alike[h.unit], n == 0)
	}
	w.line(fmt.Sprintf("[%d of %d passages that fit%s; %s]", len(chosen), len(found.hits), r.unfound(found), r.rest(shown)))
	return w.String()
}

// ordering are the words of questions for the first or the last of what fits.
var ordering = stems("first last latest newest oldest earliest recent recently 最新 最早 最后 最近")

// ends writes the first and the last of the passages that have the most words of the query.
func (r *reply) ends(w *page, q query, hits []hit) {
	most, first, last := 0, 0, 0
	for _, h := range hits {
		n := 0
		for t, weight := range h.weight {
			if weight > 0 && !extremes[q.terms[t].word] {
				n++
			}
		}
		if n > most {
			most, first, last = n, h.unit, h.unit
		}
		if n == most {
			first, last = min(first, h.unit), max(last, h.unit)
		}
	}
	if most == 0 || first == last {
		return
	}
	for _, e := range []struct {
		name string
		unit int
	}{{"first", first}, {"last", last}} {
		u := r.doc.units[e.unit]
		text := strings.Join(strings.Fields(r.doc.textOf(u)), " ")
		w.line(clip(fmt.Sprintf("%s that fits, line %d: %s", e.name, r.doc.lines[r.doc.lineAt(u.from)].number, text), min(endRoom, w.left()/4)))
	}
}

// endRoom is how much ends writes of each passage, in bytes.
const endRoom = 240

// title says what was read.
func (r *reply) title() string {
	s := r.doc.kind
	for _, t := range r.doc.tables {
		name := "row"
		s += ", " + plural(t.size(), name)
		if t.name != "" {
			s += " in " + t.name
		}
	}
	return fmt.Sprintf("[%s, %s, %d bytes]", s, plural(len(r.doc.lines), "line"), r.doc.size)
}

// facts writes what is known without reading: counts of rows, values and marks.
func (r *reply) facts(w *page, q query, room int) {
	lines := append(slices.Clone(r.doc.facts), r.doc.counted(q))
	for _, t := range r.doc.tables {
		lines = append(lines, want(r.doc, t, q).lines()...)
	}
	if r.doc.told {
		lines = append(append(lines, r.doc.marked()), r.doc.sums()...)
	}
	end := w.size() + room
	for _, l := range unique(lines) {
		if w.size()+len(l) < end {
			w.line(l)
		}
	}
}

// passage writes one unit where it stands, the best one with what follows it, and gives how many bytes of
// the output that shows.
func (r *reply) passage(w *page, q query, at, alike int, best bool) int {
	u := r.doc.units[at]
	i, j := r.doc.lineAt(u.from), r.doc.lineAt(max(u.from, u.to-1))
	text := strings.TrimSpace(r.doc.textOf(u))
	head := fmt.Sprintf("-- line %d @%d", r.doc.lines[i].number, r.doc.rawAt(u.from))
	if u.lead != "" {
		head += " in " + clip(strings.ReplaceAll(u.lead, "\n", " "), 240)
	}
	if alike > 0 {
		head += fmt.Sprintf(" (and %d like it)", alike)
	}
	room := w.left() - len(head) - footRoom
	if room < 80 {
		return 0
	}
	w.line(head)
	follows := ""
	if best {
		follows = r.following(at)
	}
	if u.text == "" && j == i && u.row < 0 {
		text = r.around(i, text, room, follows == "")
	}
	w.line(excerpt(text, q, min(room, unitMost+100)))
	w.line(clip(follows, max(0, min(followed, w.left()/3))))
	return min(u.to-u.from, unitMost)
}

// followed is how much is shown of what follows the best passage, in bytes.
const followed = 240

// around adds the line before a short one, and if wanted the one after it.
func (r *reply) around(i int, text string, room int, next bool) string {
	before, after := "", ""
	if i > 0 && !r.doc.blank(i-1) {
		before = clip(r.doc.lineText(i-1), 120) + "\n"
	}
	if next && i+1 < len(r.doc.lines) && !r.doc.blank(i+1) {
		after = "\n" + clip(r.doc.lineText(i+1), 120)
	}
	if len(text) > 200 || len(before)+len(text)+len(after) > room/2 {
		return text
	}
	return before + text + after
}

// following returns what comes after a passage where that belongs to it: the rest of its record, or what
// happened next.
func (r *reply) following(at int) string {
	units, out := r.doc.units, []string(nil)
	for next, size := at+1, 0; next < len(units) && size < followed && r.goesOn(units[at], units[next]); next++ {
		text := strings.TrimSpace(r.doc.textOf(units[next]))
		out = append(out, clip(text, followed))
		size += len(text)
	}
	return strings.Join(out, "\n")
}

func (r *reply) goesOn(u, next unit) bool {
	if u.row >= 0 {
		return u.row == next.row || slices.ContainsFunc(r.doc.tables[0].columns, isTime)
	}
	return u.lead == next.lead && (u.lead != "" || r.doc.told)
}

// unfound names the words that stand nowhere.
func (r *reply) unfound(found ranking) string {
	var none []string
	for _, t := range found.terms {
		if t.units == 0 && !extremes[t.word] {
			none = append(none, t.said)
		}
	}
	if len(none) == 0 {
		return ""
	}
	return ", none has " + clip(strings.Join(unique(none), ", "), 80)
}

// missing says that no passage has words of the query, unless they name columns: then counts answer it.
func (r *reply) missing(q query, found ranking) []string {
	for _, t := range r.doc.tables {
		if len(want(r.doc, t, q).named) > 0 {
			return nil
		}
	}
	var words []string
	for _, t := range found.terms {
		words = append(words, t.said)
	}
	return []string{"[nothing in it has: " + clip(strings.Join(unique(words), ", "), 200) + "]"}
}

// footRoom is kept for the last line.
const footRoom = 220

// rest says what is not shown and where it is.
func (r *reply) rest(shown int) string {
	return fmt.Sprintf("left out: about %d of %d bytes; the whole is artifact %s: read_artifact with find, or offset (@)", max(0, r.doc.size-shown), r.doc.size, r.ref)
}

// page is text that grows up to its room.
type page struct {
	strings.Builder
	room int
}

func newPage(r *reply) *page { return &page{room: r.room} }

func (p *page) size() int { return p.Len() }

func (p *page) left() int { return p.room - p.Len() }

func (p *page) line(s string) {
	if s != "" {
		p.WriteString(s)
		p.WriteByte('\n')
	}
}
