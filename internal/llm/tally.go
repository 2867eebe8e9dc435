package llm

import (
	"sync"

	"github.com/akitad/akitad"
)

// Tally is what became of the requests to one endpoint since the process began. Each try is a call.
type Tally struct {
	Failed int
	akitad.Usage
}

// tally counts for many goroutines.
type tally struct {
	mu  sync.Mutex
	sum Tally
}

// count keeps one call in mind, with what it cost.
func (e *endpoint) count(r Reply, err error) {
	r.Usage.Cost = e.Price.Cost(r.Usage)
	e.tally.add(r.Usage, err)
}

// add counts one call.
func (t *tally) add(u akitad.Usage, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	u.Calls = 1
	if err != nil {
		t.sum.Failed++
	}
	t.sum.Usage = t.sum.Usage.Add(u)
}

func (t *tally) now() Tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum
}
