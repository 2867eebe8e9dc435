package filter

// matcher weighs the words of a query in units. Neighbours mostly have the same lead, which is weighed once for them.
type matcher struct {
	d     *document
	q     query
	lead  string    // of the unit before
	above []float64 // by term: its weight in that lead
}

// match weighs the words of the query in a unit and, times leadPart, in its lead.
func (m *matcher) match(i int) hit {
	u := m.d.units[i]
	h := hit{unit: i}
	h.weight, h.length = m.q.weigh(m.d.textOf(u))
	h.own = h.weight != nil
	if u.lead != m.lead {
		m.lead = u.lead
		m.above, _ = m.q.weigh(u.lead)
	}
	if m.above == nil {
		return h
	}
	if h.weight == nil {
		h.weight = make([]float64, len(m.q.terms))
	}
	for t, w := range m.above {
		h.weight[t] += w * leadPart
	}
	return h
}

// weigh returns the weight of each term in a text, nil if it has none of them, and the number of all words. A word
// counts once for each time that it stands there, and more behind the word that comes before it in the query.
func (q query) weigh(text string) (weight []float64, length int) {
	before := -1 // the term of the word just read, if it is one
	eachWord(text, func(w []byte) {
		length++
		m, ok := q.byWord[string(w)]
		if !ok {
			before = -1
			return
		}
		if weight == nil {
			weight = make([]float64, len(q.terms))
		}
		if m.kin {
			weight[m.at] = max(weight[m.at], kinPart)
			before = -1
			return
		}
		weight[m.at]++
		if before >= 0 && m.at == before+1 {
			weight[m.at] += besidePart
		}
		before = m.at
	})
	return weight, length
}
