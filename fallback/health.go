package fallback

import (
	"cmp"
	"slices"
	"time"

	"github.com/akitad/akitad"
)

// The default rules for when an endpoint or profile counts as degraded.
const (
	Window = 300 * time.Second // failures older than this are forgotten
	Limit  = 3                 // number of failures within Window that degrade
	Rest   = 60 * time.Second  // how long an endpoint that has timed out is asked after others
)

// Rules say when an endpoint or profile counts as degraded, and when it is probed. Zero fields mean the
// default.
type Rules struct {
	Failures int           // number of failures within Within that degrade; default Limit
	Within   time.Duration // failures older than this are forgotten; default Window
	Probe    time.Duration // before the first probe; twice that before the second, ten times before every later one; default 30 s
}

func (r Rules) filled() Rules {
	return Rules{Failures: cmp.Or(r.Failures, Limit), Within: cmp.Or(r.Within, Window), Probe: cmp.Or(r.Probe, 30*time.Second)}
}

// wait returns the pause before the next probe after n probes.
func (r Rules) wait(n int) time.Duration { return r.Probe * []time.Duration{1, 2, 10}[min(n, 2)] }

// Health is the health of one endpoint or profile. It is a value: methods return a new one. The zero Health is
// healthy. A Store keeps its JSON.
type Health struct {
	Failures []time.Time `json:"failures,omitempty"`       // failures that count, oldest first
	Since    time.Time   `json:"degraded_since,omitzero"`  // zero while healthy
	Probes   int         `json:"probes,omitempty"`         // number of probes since then
	Next     time.Time   `json:"next_probe,omitzero"`      // from when on it may be probed
	Kind     akitad.Kind `json:"last_failure,omitempty"`   // kind of the newest failure
	Reason   string      `json:"failure_reason,omitempty"` // text of the newest failure, redacted by the caller
}

// failed returns the health after a failure at now. As many failures as the rules say, within their time,
// degrade; while degraded, a failure postpones the next probe.
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

// by corrects the health for a clock that was set back: failures in the future no longer count, and a probe is
// due. Otherwise the next probe would wait until the clock has caught up.
func (h Health) by(now time.Time) Health {
	if n := len(h.Failures); n > 0 && h.Failures[n-1].Sub(now) > Rest {
		h.Failures, h.Next = slices.DeleteFunc(slices.Clone(h.Failures), now.Before), time.Time{}
	}
	return h
}

// Succeeded returns the health after a success: healthy, without failures.
func (h Health) Succeeded() Health { return Health{} }

// Clean reports whether a success would change nothing.
func (h Health) Clean() bool { return len(h.Failures) == 0 && !h.Degraded() }

// Degraded reports whether others are to be tried first.
func (h Health) Degraded() bool { return !h.Since.IsZero() }

// Resting reports whether an endpoint that is not degraded has timed out within Rest. Others are then asked
// first, because another attempt would cost the whole timeout again.
func (h Health) Resting(now time.Time) bool {
	h = h.by(now)
	return h.Kind == akitad.Timeout && !h.Degraded() && len(h.Failures) > 0 && now.Sub(h.Failures[len(h.Failures)-1]) < Rest
}

// ProbeDue reports whether a degraded endpoint or profile may be probed: tried first, once.
func (h Health) ProbeDue(now time.Time) bool { return h.Degraded() && !now.Before(h.by(now).Next) }

// probing returns the health after a caller has taken the probe that is due. No other caller takes one until
// the next probe is due.
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
