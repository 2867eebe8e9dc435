package filter

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// The constants of BM25, and how much a word in a unit's lead and a word of the same meaning count, and a
// word more that follows the one before it as it does in the question.
const (
	saturation = 1.2
	lengthPart = 0.6
	leadPart   = 0.6
	kinPart    = 0.8
	besidePart = 0.7
)

// hit is a unit that has words of the query.
type hit struct {
	unit   int
	score  float64
	weight []float64 // of each term in it, before the idf
	length int
}

// ranking is what a search found, best first.
type ranking struct {
	hits  []hit
	terms []found
	idf   []float64
}

// found says in how many units a term stands.
type found struct {
	word  string
	units int
}

// rank finds the units that have words of the query. Its time is linear in the text.
func (d *document) rank(q query) ranking {
	df := make([]int, len(q.terms))
	var hits []hit
	sum := 0
	for i := range d.units {
		h := d.match(q, i)
		sum += h.length
		if h.weight == nil {
			continue
		}
		for t, w := range h.weight {
			if w > 0 {
				df[t]++
			}
		}
		hits = append(hits, h)
	}
	r := ranking{hits: hits}
	for t, n := range df {
		r.terms = append(r.terms, found{q.terms[t].word, n})
		r.idf = append(r.idf, math.Log(1+(float64(len(d.units)-n)+0.5)/(float64(n)+0.5)))
	}
	mean := float64(sum) / float64(max(1, len(d.units)))
	exact := d.exactRows(q)
	for i := range hits {
		hits[i].score = r.score(&hits[i], mean)
		if row := d.units[hits[i].unit].row; row >= 0 && exact[row] {
			hits[i].raise()
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return r
}

func (r *ranking) score(h *hit, mean float64) float64 {
	norm := 1 - lengthPart + lengthPart*float64(h.length)/max(1, mean)
	total := 0.0
	for t, w := range h.weight {
		h.weight[t] = r.idf[t] * w * (saturation + 1) / (w + saturation*norm)
		total += h.weight[t]
	}
	return total
}

// exactPart is how much more a hit counts in a row that the query names.
const exactPart = 1.6

func (h *hit) raise() {
	h.score *= exactPart
	for t := range h.weight {
		h.weight[t] *= exactPart
	}
}

// maxExact is how many rows may have a value that a query names, if that is to tell them from others.
const maxExact = 10

// exactRows finds the rows of which one value, or the last part of a path, is nothing but words of the query.
func (d *document) exactRows(q query) map[int]bool {
	out := map[int]bool{}
	for _, t := range d.tables {
		for _, c := range t.columns {
			if c.counts == nil || c.isNum {
				continue
			}
			var in []int
			for i, v := range c.values {
				if len(in) <= maxExact && q.covers(v[strings.LastIndexByte(v, '/')+1:]) {
					in = append(in, int(c.rows[i]))
				}
			}
			if len(in) <= maxExact {
				for _, row := range in {
					out[row] = true
				}
			}
		}
	}
	return out
}

// match counts the words of the query in a unit.
func (d *document) match(q query, i int) (h hit) {
	h.unit = i
	part, before := 1.0, -1 // before is the term of the word just read, if it is one
	take := func(w []byte) {
		h.length++
		m, ok := q.byWord[string(w)]
		if !ok {
			before = -1
			return
		}
		if h.weight == nil {
			h.weight = make([]float64, len(q.terms))
		}
		if m.kin {
			h.weight[m.at] = max(h.weight[m.at], part*kinPart)
			before = -1
			return
		}
		h.weight[m.at] += part
		if before >= 0 && m.at == before+1 {
			h.weight[m.at] += part * besidePart
		}
		before = m.at
	}
	eachWord(d.textOf(d.units[i]), take)
	n := h.length
	part = leadPart
	eachWord(d.units[i].lead, take)
	h.length = n
	return h
}

// maxLooked is how many of the best hits are looked at for the reply.
const maxLooked = 80

// choose takes hits for the reply: each time the one that adds most, which is less where its words were
// shown before, and nothing for one that says the same as another.
func (d *document) choose(q query, r ranking, n int, worth float64) (chosen []hit, alike map[int]int) {
	pool := slices.Clone(r.hits[:min(len(r.hits), maxLooked)])
	alike = map[int]int{}
	shown := make([]float64, len(r.idf))
	shapes := map[string]int{}
	for len(chosen) < n && len(pool) > 0 {
		best, at := 0.0, 0
		for i, h := range pool {
			if v := gain(h, shown); v > best {
				best, at = v, i
			}
		}
		h := pool[at]
		pool = slices.Delete(pool, at, at+1)
		if len(chosen) > 0 && h.score < chosen[0].score*worth {
			continue
		}
		shape := shapeOf(q, d.units[h.unit].lead+"\n"+d.textOf(d.units[h.unit]))
		if first, ok := shapes[shape]; ok {
			alike[first]++
			continue
		}
		shapes[shape] = h.unit
		chosen = append(chosen, h)
		for t, w := range h.weight {
			shown[t] = max(shown[t], w)
		}
	}
	return chosen, alike
}

// seenAgain is how much a word counts that was shown before.
const seenAgain = 0.6

func gain(h hit, shown []float64) float64 {
	total := 0.0
	for t, w := range h.weight {
		if shown[t] > 0 {
			w *= seenAgain
		}
		total += w
	}
	return total
}

// shapeOf gives the words of a text without numbers, but for those that are asked for: two that differ
// only there are alike.
func shapeOf(q query, text string) string {
	out := make([]byte, 0, len(text))
	eachWord(text, func(w []byte) {
		if hasDigit(w) && !q.plain[string(w)] {
			return
		}
		out = append(append(out, w...), ' ')
	})
	return string(out)
}

func hasDigit(w []byte) bool {
	for _, c := range w {
		if class(c) == digit {
			return true
		}
	}
	return false
}
