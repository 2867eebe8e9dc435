package fallback

import (
	"cmp"
	"slices"
	"time"

	"github.com/akitad/akitad"
)

// When something counts as degraded, unless Rules say otherwise.
const (
	Window = 300 * time.Second // failures older than this are forgotten
	Limit  = 3                 // failures within Window that degrade
	Rest   = 60 * time.Second  // how long one that timed out is asked after others
)

// Rules say when something counts as degraded, and how long until it is probed. Zero means the default.
type Rules struct {
	Failures int           // within Within, that degrade; default Limit
	Within   time.Duration // failures older than this are forgotten; default Window
	Probe    time.Duration // before the first probe; twice that before the second, ten times before every later one; default 30 s
}

func (r Rules) filled() Rules {
	return Rules{Failures: cmp.Or(r.Failures, Limit), Within: cmp.Or(r.Within, Window), Probe: cmp.Or(r.Probe, 30*time.Second)}
}

// wait is how long one is left alone that was probed n times.
func (r Rules) wait(n int) time.Duration { return r.Probe * []time.Duration{1, 2, 10}[min(n, 2)] }

// Health is the record of one endpoint or profile. It is a value: every method gives a new one. The
// zero Health is healthy. Its JSON is what a Store keeps.
type Health struct {
	Failures []time.Time `json:"failures,omitempty"`       // those that count, oldest first
	Since    time.Time   `json:"degraded_since,omitzero"`  // zero while healthy
	Probes   int         `json:"probes,omitempty"`         // probes begun since then
	Next     time.Time   `json:"next_probe,omitzero"`      // when one more attempt may go first again
	Kind     akitad.Kind `json:"last_failure,omitempty"`   // of the newest failure
	Reason   string      `json:"failure_reason,omitempty"` // its text, redacted by who records it
}

// Failed gives the health after a failure at now, by the default rules. The third within Window degrades;
// while degraded, a failure puts the next probe off.
func (h Health) Failed(now time.Time, kind akitad.Kind, reason string) Health {
	return h.failed(Rules{}.filled(), now, kind, reason)
}

func (h Health) failed(r Rules, now time.Time, kind akitad.Kind, reason string) Health {
	h = h.by(now)
	kept := slices.DeleteFunc(slices.Clone(h.Failures), func(t time.Time) bool { return now.Sub(t) >= r.Within })
	kept = append(kept, now)
	h.Failures = kept[max(0, len(kept)-r.Failures):]
	h.Kind, h.Reason = kind, reason
	switch {
	case h.Degraded():
		h.Next = later(h.Next, now.Add(r.wait(h.Probes)))
	case len(h.Failures) >= r.Failures:
		h.Since, h.Probes, h.Next = now, 0, now.Add(r.wait(0))
	}
	return h
}

// by gives the health as a clock that says now knows it. One that was set back has failures ahead of it, and
// would put off probes until it has caught up: those failures no longer count, and a probe is due.
func (h Health) by(now time.Time) Health {
	if n := len(h.Failures); n > 0 && h.Failures[n-1].Sub(now) > Rest {
		h.Failures, h.Next = slices.DeleteFunc(slices.Clone(h.Failures), now.Before), time.Time{}
	}
	return h
}

// Succeeded gives the health after a success: healthy, with nothing remembered.
func (h Health) Succeeded() Health { return Health{} }

// Clean reports whether there is nothing to heal: a success would change nothing.
func (h Health) Clean() bool { return len(h.Failures) == 0 && !h.Degraded() }

// Degraded reports whether this one is not to be tried first.
func (h Health) Degraded() bool { return !h.Since.IsZero() }

// Resting reports whether this one, though not degraded, has timed out so lately that others are asked
// first: each more attempt would cost the whole wait again.
func (h Health) Resting(now time.Time) bool {
	h = h.by(now)
	return h.Kind == akitad.Timeout && !h.Degraded() && len(h.Failures) > 0 && now.Sub(h.Failures[len(h.Failures)-1]) < Rest
}

// ProbeDue reports whether a degraded one may be tried first again, once.
func (h Health) ProbeDue(now time.Time) bool { return h.Degraded() && !now.Before(h.by(now).Next) }

// Probing gives the health once somebody has taken the probe that is due, so that nobody else does
// until the next one is, by the default rules.
func (h Health) Probing(now time.Time) Health { return h.probing(Rules{}.filled(), now) }

func (h Health) probing(r Rules, now time.Time) Health {
	h = h.by(now)
	h.Probes++
	h.Next = now.Add(r.wait(h.Probes))
	return h
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
