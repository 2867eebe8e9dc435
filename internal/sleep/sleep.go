// Package sleep waits without outliving a context. It repeats nothing.
package sleep

import (
	"context"
	"time"
)

// For waits; false means that ctx has ended before the time was over.
func For(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
