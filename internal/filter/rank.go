package filter

import (
	"math"
	"strings"
)

// Constants of the ranking, which is BM25 with weighted words.
const (
	saturation = 1.2 // BM25's k1: how soon further occurrences of a word stop to count
	lengthPart = 0.6 // BM25's b: how much a long unit counts less
	leadPart   = 0.6 // weight of a word in a unit's lead
	kinPart    = 0.8 // weight of a word that means the same as the one asked for
	besidePart = 0.7 // added for a word that follows the one before it as it does in the query
)

// hit is a unit that has words of the query.
type hit struct {
	unit   int // index in units
	score  float64
	weight []float64 // by term: how much it counts in this unit; score multiplies it by the idf
	length int       // words of the unit

	own     bool    // the unit's text has words of the query, not only its lead
	literal float64 // added to the score, if the unit has the very text of the query
}

// ranking is the result of a search.
type ranking struct {
	hits  []hit     // best first
	terms []found   // the terms of the query
	idf   []float64 // by term: its inverse document frequency, greater for rarer words
}

// found says in how many units a term stands.
type found struct {
	term
	units int
}

// rank finds the units that have words of the query; if there are none, those that have its very text; and if there
// are none either, the rows that it means. Its time is linear in the text.
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

// wantedRows returns the rows of the first table with the values that the query means without its words, such as 503
// for server errors.
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

// literal finds the units that contain the text of the query, in any case. It is for queries without words, such as
// signs.
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

// score computes the BM25 score of a hit; mean is the mean number of words of a unit.
func (r *ranking) score(h *hit, mean float64) float64 {
	norm := 1 - lengthPart + lengthPart*float64(h.length)/max(1, mean)
	total := h.literal
	for t, w := range h.weight {
		h.weight[t] = r.idf[t] * w * (saturation + 1) / (w + saturation*norm)
		total += h.weight[t]
	}
	return total
}

// exactPart is the factor for the score of a hit in a row that the query names.
const exactPart = 1.6

// raise multiplies the score of a hit.
func (h *hit) raise(by float64) {
	h.score *= by
	h.literal *= by
	for t := range h.weight {
		h.weight[t] *= by
	}
}

// maxExact is how many rows may have a value that the query names. If there are more, the value does not distinguish
// them.
const maxExact = 10

// exactRows finds the rows that the query names: those with a value, or the last part of a path, which consists of words
// of the query.
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
