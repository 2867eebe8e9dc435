package plan

import (
	"cmp"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
)

// MaxAttempts is how often a step is tried in all, whatever it asks for. A step with verify and
// without retry may use all of them for results that do not pass its check.
const MaxAttempts = 10

// Attempt is how one attempt of a step, or of one item of a for_each, has failed.
type Attempt struct {
	Nr         int // 1 is the first
	Failure    *akitad.Failure
	Common     akitad.Kind // of an all_failed: the kind with which all endpoints failed, "" if there were several
	Unverified bool        // it ended well, but its result did not pass the step's check
	Jitter     float64     // in [0, 1): where in its range the wait before the next attempt lies
}

// Again says whether a step is tried once more after an attempt that failed, and how long to wait
// before. Kinds that pass by themselves wait as after a failed model call; a result that did not pass
// its check, a failed tool and a loop are tried again at once, because the next attempt knows why;
// a failure that would only repeat itself is not tried again. Nor is a tool call whose effect is
// unknown: somebody must look first.
func Again(s akitad.Step, a Attempt) (wait time.Duration, again bool) {
	limit := min(1+s.Retry, MaxAttempts)
	if a.Unverified && s.Retry == 0 {
		limit = MaxAttempts
	}
	if a.Nr >= limit || a.Failure == nil {
		return 0, false
	}
	switch kind := cmp.Or(a.Common, a.Failure.Kind); {
	case a.Unverified, kind == akitad.ToolFailed, kind == akitad.Loop, kind == akitad.Unknown && s.Kind() != "tool":
		return 0, true
	case kind.Temporary(), kind == akitad.Unavailable, kind == akitad.AllFailed:
		return fallback.Policy{}.Backoff(a.Nr, 0, a.Jitter), true
	}
	return 0, false
}
