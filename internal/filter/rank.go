package filter

import (
	"math"
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

	own     bool    // it has words of the query itself, not only over it
	literal float64 // what it counts since it has the very text
}

// ranking is what a search found, best first.
type ranking struct {
	hits  []hit
	terms []found
	idf   []float64
}

// found says in how many units a term stands.
type found struct {
	term
	units int
}

// rank finds the units that have words of the query. Its time is linear in the text.
func (d *document) rank(q query) ranking {
	m := matcher{d: d, q: q}
	df := make([]int, len(q.terms))
	var hits []hit
	sum := 0
	for i := range d.units {
		h := m.match(i)
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
	hits = d.joined(q, df, hits)
	if len(hits) == 0 {
		hits = d.literal(q)
	}
	if len(hits) == 0 {
		hits = d.wantedRows(q)
	}
	r := ranking{hits: hits}
	for t, n := range df {
		r.terms = append(r.terms, found{q.terms[t], n})
		r.idf = append(r.idf, math.Log(1+(float64(len(d.units)-n)+0.5)/(float64(n)+0.5)))
	}
	mean := float64(sum) / float64(max(1, len(d.units)))
	exact := d.exactRows(q)
	for i := range hits {
		hits[i].score = r.score(&hits[i], mean)
		if row := d.units[hits[i].unit].row; row >= 0 && exact[row] {
			hits[i].raise(exactPart)
		}
	}
	sortHits(hits)
	d.prefer(q, hits)
	return r
}

// wantedRows returns the rows with the values that a query means without saying them.
func (d *document) wantedRows(q query) (hits []hit) {
	for _, t := range d.tables[:min(len(d.tables), 1)] {
		in := want(d, t, q).rows()
		for i, u := range d.units {
			if len(hits) < maxLooked && in != nil && u.row >= 0 && in[u.row] {
				hits = append(hits, hit{unit: i, weight: make([]float64, len(q.terms)), literal: 1, own: true})
			}
		}
	}
	return hits
}

// literal finds the units that have the very text of a query, for what is no word or part of one.
func (d *document) literal(q query) (hits []hit) {
	text := strings.ToLower(q.text)
	if len(text) < 2 {
		return nil
	}
	for i, u := range d.units {
		if len(hits) < maxLooked && strings.Contains(strings.ToLower(d.textOf(u)), text) {
			hits = append(hits, hit{unit: i, weight: make([]float64, len(q.terms)), literal: 1, own: true})
		}
	}
	return hits
}

func (r *ranking) score(h *hit, mean float64) float64 {
	norm := 1 - lengthPart + lengthPart*float64(h.length)/max(1, mean)
	total := h.literal
	for t, w := range h.weight {
		h.weight[t] = r.idf[t] * w * (saturation + 1) / (w + saturation*norm)
		total += h.weight[t]
	}
	return total
}

// exactPart is how much more a hit counts in a row that the query names.
const exactPart = 1.6

func (h *hit) raise(by float64) {
	h.score *= by
	h.literal *= by
	for t := range h.weight {
		h.weight[t] *= by
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
