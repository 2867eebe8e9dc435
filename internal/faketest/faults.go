package faketest

import (
	"slices"
	"sync"
)

// Faults are the faults that a test has ordered for the next requests. The zero value has none. The methods are
// safe for concurrent use.
type Faults[F any] struct {
	mu  sync.Mutex
	all []*ordered[F]
}

// ordered is one fault and the number of requests that it still applies to.
type ordered[F any] struct {
	fault F
	times int
}

// Order adds a fault for a number of requests: 0 means one, -1 all. Faults apply in the order in which they were added.
func (f *Faults[F]) Order(fault F, times int) {
	if times == 0 {
		times = 1
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, &ordered[F]{fault, times})
}

// Heal removes all faults.
func (f *Faults[F]) Heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = nil
}

// Meet returns the first fault that applies to a request, or false if none does.
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
