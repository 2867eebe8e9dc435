package bus

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	firstPause = 10 * time.Millisecond
	maxPause   = time.Second
)

// pauses are waits that double from 10 ms to 1 s, each shortened at random by up to a half (jitter), so that
// many waiters do not move in step. The zero value begins with the shortest.
type pauses struct{ next time.Duration }

// wait sleeps once. It returns ctx's error if ctx ends first.
func (p *pauses) wait(ctx context.Context) error {
	p.next = min(max(2*p.next, firstPause), maxPause)
	t := time.NewTimer(p.next/2 + rand.N(p.next/2))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
