package pace

import (
	"math"
	"time"
)

// bucket is a token bucket that begins full, with a time before which it gives no token.
type bucket struct {
	rate, burst float64
	tokens      float64
	at          time.Time // of tokens; zero: full
	paused      time.Time
}

// rounding is the tolerance for rounding errors, in tokens.
const rounding = 1e-6

// wait returns the time until the bucket has the given number of tokens, or is full.
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

// share returns the time in which n tokens are added.
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

// take takes a token, which the caller has waited for.
func (b *bucket) take() {
	if b.rate > 0 {
		b.tokens--
	}
}

// rested reports whether the bucket is full and unpaused, so that it can be forgotten.
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
