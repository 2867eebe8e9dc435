package filter

import "slices"

// maxLooked is how many of the best hits are considered for the reply.
const maxLooked = 80

// choose selects at most n hits for the reply, one by one: always the one that adds most to what is chosen already. A
// word that was shown before counts less, and a hit that says the same as a chosen one is dropped. alike has, by unit
// chosen, how many such hits were dropped. Hits below worth times the best score are left out.
func (d *document) choose(q query, r ranking, n int, worth float64) (chosen []hit, alike map[int]int) {
	c := chooser{d: d, q: q, shown: make([]float64, len(r.idf)), shapes: map[string]int{}, under: map[string]int{}, alike: map[int]int{}}
	pool := slices.Clone(r.hits[:min(len(r.hits), maxLooked)])
	for len(chosen) < n && len(pool) > 0 {
		best, at := 0.0, 0
		for i, h := range pool {
			if v := gain(h, c.shown); v > best {
				best, at = v, i
			}
		}
		h := pool[at]
		pool = slices.Delete(pool, at, at+1)
		if (len(chosen) == 0 || h.score >= chosen[0].score*worth) && c.adds(h) {
			chosen = append(chosen, h)
		}
	}
	return chosen, c.alike
}

// chooser remembers what was chosen.
type chooser struct {
	d      *document
	q      query
	shown  []float64      // by term: the greatest weight in a chosen unit
	shapes map[string]int // shape -> the chosen unit of that shape, see shapeOf
	under  map[string]int // lead -> how many units with that lead are chosen
	alike  map[int]int    // chosen unit -> how many were dropped as alike
}

// maxUnder is how many units of one lead may be chosen if they have words of the query in the lead alone.
const maxUnder = 2

// adds reports whether a hit says something that was not shown yet, and then takes it as shown.
func (c *chooser) adds(h hit) bool {
	u := c.d.units[h.unit]
	if !h.own && c.under[u.lead] >= maxUnder {
		return false
	}
	shape := shapeOf(c.q, u.lead+"\n"+c.d.textOf(u))
	if first, ok := c.shapes[shape]; ok {
		c.alike[first]++
		return false
	}
	c.shapes[shape] = h.unit
	c.under[u.lead]++
	for t, w := range h.weight {
		c.shown[t] = max(c.shown[t], w)
	}
	return true
}

// seenAgain is the factor for the weight of a word that was shown before.
const seenAgain = 0.6

// gain is the score of a hit when the words that were shown before count less.
func gain(h hit, shown []float64) float64 {
	total := h.literal
	for t, w := range h.weight {
		if shown[t] > 0 {
			w *= seenAgain
		}
		total += w
	}
	return total
}

// shapeOf returns the words of a text without those that have digits, unless the query asks for them. Two texts of the
// same shape differ in numbers only.
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
