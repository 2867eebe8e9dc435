package app

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Work leaves memory behind that the runtime would give back only over minutes.
const (
	restLook  = 5 * time.Second
	restLooks = 3        // quiet looks in a row: the broker drops what it has cached after 10 s
	restBelow = 4 << 20  // bytes allocated in restLook, below which the house is at rest
	restAfter = 48 << 20 // bytes allocated since the last time, above which it is worth it
)

// giveBack returns memory back to the system once after work, when the house has come to rest.
func giveBack(ctx context.Context) error {
	tick := time.NewTicker(restLook)
	defer tick.Stop()
	var r rest
	for {
		select {
		case <-tick.C:
			if r.due(allocated()) {
				runtime.GC() // what pools hold outlives one collection
				debug.FreeOSMemory()
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// allocated is how many bytes have been allocated since the start, freed ones included.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// rest is the rule of when to give memory back.
type rest struct {
	last, given uint64
	quiet       int // looks in a row
}

// due takes what has been allocated so far, and is asked every restLook.
func (r *rest) due(all uint64) bool {
	r.quiet++
	if all-r.last >= restBelow {
		r.quiet = 0
	}
	r.last = all
	if r.quiet < restLooks || all-r.given <= restAfter {
		return false
	}
	r.given = all
	return true
}
