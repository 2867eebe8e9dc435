package llm

import "github.com/akitad/akitad"

// bills says which endpoint was asked how often, and what the one that answered used.
func (w *route) bills(answered *stop, used akitad.Usage) akitad.Bills {
	var out akitad.Bills
	for _, s := range w.tried {
		if s.tries > 0 {
			out = out.Add(w.bill(s, akitad.Usage{Calls: s.tries}))
		}
	}
	used.Calls = answered.tries
	return out.Add(w.bill(answered, used))
}

func (w *route) bill(s *stop, used akitad.Usage) akitad.Bill {
	return akitad.Bill{Endpoint: s.Name, Role: string(w.req.Role), Usage: used}
}
