package data

import (
	"bytes"
	"context"
	"os"
	"runtime/metrics"
	"strconv"
	"time"
)

// lookEvery is how often the memory is looked at while SQL runs. SQLite fills some 10 MB meanwhile.
const lookEvery = 10 * time.Millisecond

// within ends the context once the process holds so many bytes more outside of Go's heap than it does
// now. SQLite has no bound for one connection, and one for all is compiled out; what several calls take
// at a time counts for each of them.
func within(ctx context.Context, limit int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	before, ok := outside()
	if !ok {
		return ctx, func() { cancel(nil) }
	}
	go func() {
		look := time.NewTicker(lookEvery)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
			if now, ok := outside(); ok && now-before > limit {
				cancel(bad("the statement needs more than %d MB of memory to sort and to hold what it makes on the way", limit>>20).
					WithHint("ask for less: narrow the WHERE, select fewer columns, or do it in several calls"))
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// outside returns the resident bytes that are not Go's: SQLite's, and what does not change. False where
// the system does not tell.
func outside() (int64, bool) {
	text, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0, false
	}
	own := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(own)
	return pages*int64(os.Getpagesize()) - int64(own[0].Value.Uint64()-own[1].Value.Uint64()), true
}
