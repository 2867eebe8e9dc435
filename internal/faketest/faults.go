package faketest

import (
	"slices"
	"sync"
)

// Faults is trouble ordered by a test, each for so many requests. The zero Faults is none; its methods may be
// called by many goroutines at once.
type Faults[F any] struct {
	mu  sync.Mutex
	all []*ordered[F]
}

// ordered is one fault, and how many requests it still meets.
type ordered[F any] struct {
	fault F
	times int
}

// Order adds a fault for so many requests: 0 is one, -1 all. Several are met in the order in which they came.
func (f *Faults[F]) Order(fault F, times int) {
	if times == 0 {
		times = 1
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, &ordered[F]{fault, times})
}

// Heal takes back all faults.
func (f *Faults[F]) Heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = nil
}

// Meet gives the first fault that meets a request, or the zero F and false.
func (f *Faults[F]) Meet(meets func(F) bool) (F, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := slices.IndexFunc(f.all, func(o *ordered[F]) bool { return meets(o.fault) })
	if at < 0 {
		var none F
		return none, false
	}
	o := f.all[at]
	if o.times--; o.times == 0 {
		f.all = slices.Delete(f.all, at, at+1)
	}
	return o.fault, true
}
