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

// wait says how long it is until there are so many tokens, or as many as there can be.
func (b *bucket) wait(now time.Time, need float64) time.Duration {
	wait := max(b.paused.Sub(now), 0)
	if b.rate <= 0 {
		return wait
	}
	b.refill(now)
	if need = min(need, b.burst); b.tokens >= need-rounding {
		return wait
	}
	return max(wait, time.Duration(math.Ceil((need-b.tokens)/b.rate*float64(time.Second))))
}

// share is how long n tokens take.
func (b *bucket) share(n int) time.Duration {
	if b.rate <= 0 {
		return 0
	}
	return time.Duration(float64(n) / b.rate * float64(time.Second))
}

func (b *bucket) refill(now time.Time) {
	if b.at.IsZero() {
		b.tokens = b.burst
	} else {
		b.tokens = min(b.burst, b.tokens+b.rate*now.Sub(b.at).Seconds())
	}
	b.at = now
}

// take takes a token that wait has found.
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
