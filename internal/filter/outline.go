package filter

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/akitad/akitad/internal/sorting"
)

// listRows is how many rows of a list are shown if no intent says which.
const listRows = 5

// outline shows an output without an intent, or one that has nothing of the intent, which notes then say: a list by its
// first rows and the total, a text by its beginning and end, and after notes also by its rare words.
func (r *reply) outline(q query, notes []string) string {
	w := newPage(r)
	w.line(r.title())
	for _, n := range notes {
		w.line(n)
	}
	if len(notes) == 0 && len(r.doc.tables) > 0 && r.doc.tables[0].size() > listRows {
		r.list(w, q)
		return w.String()
	}
	r.facts(w, q, w.left()/4)
	rare := ""
	if len(notes) > 0 {
		rare = clip("rare words: "+strings.Join(r.doc.rare(40), " "), r.room/3)
	}
	room := w.left() - len(rare) - footRoom
	head := r.doc.start(room * 3 / 4)
	tail := r.doc.end(room / 4)
	from, to := len(head), len(r.doc.plain)-len(tail)
	if from >= to {
		head, tail, from, to = r.doc.plain, "", 0, 0
	}
	w.line(strings.TrimSuffix(head, "\n"))
	w.line(fmt.Sprintf("[left out here: %s, %d bytes]", plural(strings.Count(r.doc.plain[from:to], "\n"), "line"), to-from))
	w.line(strings.TrimSuffix(tail, "\n"))
	w.line(rare)
	w.line("[" + r.rest(len(head)+len(tail)) + "]")
	return w.String()
}

// list shows the first rows of a list, what its columns hold, and the total.
func (r *reply) list(w *page, q query) {
	t := r.doc.tables[0]
	if !q.empty() {
		r.facts(w, q, w.left()*2/3)
	}
	w.line(clip(r.doc.header, 300))
	shown, last := 0, -1
	for _, u := range r.doc.units {
		if u.row < 0 || u.row >= listRows || u.row == last {
			continue
		}
		last = u.row
		text := strings.TrimSpace(r.doc.textOf(u))
		w.line(fmt.Sprintf("-- row %d @%d", u.row+1, r.doc.rawAt(u.from)))
		w.line(clip(text, max(0, min(unitMost, w.left()/3))))
		shown += u.to - u.from
	}
	w.line(fmt.Sprintf("[%d of %s shown]", min(listRows, t.size()), plural(t.size(), "row")))
	if q.empty() {
		r.facts(w, q, w.left()-footRoom)
	}
	w.line("[" + r.rest(shown) + "]")
}

// start returns at most n bytes from the start, up to the end of a line if one is near.
func (d *document) start(n int) string {
	s := d.plain[:runeStart(d.plain, max(0, min(n, len(d.plain))))]
	if at := strings.LastIndexByte(s, '\n'); at >= len(s)/2 {
		return s[:at+1]
	}
	return s
}

// end returns at most n bytes from the end, from the start of a line if one is near.
func (d *document) end(n int) string {
	from := max(0, len(d.plain)-max(0, n))
	for from < len(d.plain) && runeStart(d.plain, from) != from {
		from++
	}
	s := d.plain[from:]
	if at := strings.IndexByte(s, '\n'); at >= 0 && at < len(s)/2 {
		return s[at+1:]
	}
	return s
}

// maxCounted bounds how many different words are counted to find the rare ones.
const maxCounted = 50_000

// rare returns at most n words that stand in the text once or twice, the rarest and then the longest first. They are
// hints at what to search for next.
func (d *document) rare(n int) []string {
	counts := map[string]int{}
	eachWord(d.plain, func(w []byte) {
		if _, ok := counts[string(w)]; ok || len(counts) < maxCounted {
			counts[string(w)]++
		}
	})
	var out []string
	for w, k := range counts {
		if k <= 2 && len(w) >= 4 && !hasDigit([]byte(w)) && !idleWords[w] {
			out = append(out, w)
		}
	}
	sorting.By(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[a], counts[b]), cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return out[:min(n, len(out))]
}
