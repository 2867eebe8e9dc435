package telegram

import "sync"

// remembered is how many updates a bot knows to have taken: more than what one poll can give again.
const remembered = 10 * batchSize

// recent knows the last updates that were taken, so that one which comes twice is handed over once.
// Its zero value is ready.
type recent struct {
	mu   sync.Mutex
	ids  map[int64]bool
	ring []int64
	next int
}

func (r *recent) has(id int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ids[id]
}

func (r *recent) add(id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ids == nil {
		r.ids, r.ring = map[int64]bool{}, make([]int64, remembered)
	}
	if id == 0 || r.ids[id] {
		return
	}
	delete(r.ids, r.ring[r.next])
	r.ids[id], r.ring[r.next] = true, id
	r.next = (r.next + 1) % remembered
}
