package pace

import (
	"math"
	"time"
)

// bucket is a token bucket that was full once, and a time before which it gives nothing.
type bucket struct {
	rate, burst float64
	tokens      float64
	at          time.Time // of tokens; zero: full
	paused      time.Time
}

// rounding is what arithmetic loses of a token.
const rounding = 1e-6

// wait says how long it is until there is a token.
func (b *bucket) wait(now time.Time) time.Duration {
	wait := max(b.paused.Sub(now), 0)
	if b.rate <= 0 {
		return wait
	}
	b.refill(now)
	if b.tokens >= 1-rounding {
		return wait
	}
	return max(wait, time.Duration(math.Ceil((1-b.tokens)/b.rate*float64(time.Second))))
}

func (b *bucket) refill(now time.Time) {
	if b.at.IsZero() {
		b.tokens = b.burst
	} else {
		b.tokens = min(b.burst, b.tokens+b.rate*now.Sub(b.at).Seconds())
	}
	b.at = now
}

// take takes the token that wait has found.
func (b *bucket) take() {
	if b.rate > 0 {
		b.tokens--
	}
}

// rested reports that forgetting the bucket changes nothing.
func (b *bucket) rested(now time.Time) bool {
	if now.Before(b.paused) {
		return false
	}
	if b.rate <= 0 {
		return true
	}
	b.refill(now)
	return b.tokens >= b.burst-rounding
}
