package filter

import "slices"

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
	total := h.literal
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
