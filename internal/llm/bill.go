package llm

import (
	"errors"

	"github.com/akitad/akitad"
)

// bills says which endpoint was asked how often, and what that used: of calls that failed, what their servers
// have told. answered is nil if none was.
func (w *route) bills(answered *stop, used akitad.Usage) akitad.Bills {
	var out akitad.Bills
	for _, s := range w.tried {
		if s.tries > 0 {
			lost := s.lost
			lost.Calls = s.tries
			out = out.Add(w.bill(s, lost))
		}
	}
	if answered != nil {
		used = used.Add(answered.lost)
		used.Calls = answered.tries
		out = out.Add(w.bill(answered, used))
	}
	return out
}

// Billed gives what the calls used that an error of Generate stands for, one bill for each endpoint.
func Billed(err error) akitad.Bills {
	if all, ok := errors.AsType[*AllFailed](err); ok {
		return all.Bills
	}
	return nil
}

func (w *route) bill(s *stop, used akitad.Usage) akitad.Bill {
	return akitad.Bill{Endpoint: s.Name, Role: string(w.req.Role), Usage: used}
}
