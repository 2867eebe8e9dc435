// Package fallback is the rules for what comes after a failure: try again, the next endpoint, the
// next agent, the next strategy, and whose health suffers. The rules are pure, with time passed in;
// Ledger alone reads and writes, through a Store. Nothing here makes a call or waits.
package fallback

import (
	"time"

	"github.com/akitad/akitad"
)

// MaxRetryAfter is the longest wait that a server may ask for with Retry-After. One that asks for
// more is passed over, since coming earlier than asked only adds load.
const MaxRetryAfter = 5 * time.Minute

// Policy says how often and how patiently one endpoint is tried. Zero fields mean the default.
type Policy struct {
	Tries int           // attempts at one endpoint, the first included; default 3
	Base  time.Duration // upper bound of the first wait; default 1 s
	Cap   time.Duration // upper bound of any wait of our own; default 30 s
}

func (p Policy) withDefaults() Policy {
	if p.Tries <= 0 {
		p.Tries = 3
	}
	if p.Base <= 0 {
		p.Base = time.Second
	}
	if p.Cap <= 0 {
		p.Cap = 30 * time.Second
	}
	return p
}

// Backoff gives how long to wait after the attempt (1 is the first) has failed. It is exponential
// with full jitter: rnd, in [0, 1), picks a point between zero and min(Cap, Base * 2^(attempt-1)).
// A positive retryAfter, what the server asked for, is a lower bound, also above Cap, and counts up
// to MaxRetryAfter.
func (p Policy) Backoff(attempt int, retryAfter time.Duration, rnd float64) time.Duration {
	p = p.withDefaults()
	ceiling := p.Cap
	if shift := max(attempt, 1) - 1; shift < 30 && p.Base<<shift < p.Cap && p.Base<<shift > 0 {
		ceiling = p.Base << shift
	}
	wait := time.Duration(rnd * float64(ceiling))
	return max(wait, min(retryAfter, MaxRetryAfter))
}

// TooLong reports whether a server asks for more patience than the longest wait of our own: another
// endpoint, if there is one, is asked in the meantime.
func (p Policy) TooLong(retryAfter time.Duration) bool { return retryAfter > p.withDefaults().Cap }

// Verdict says what comes after a failure.
type Verdict string

// The verdicts.
const (
	Retry        Verdict = "retry"         // the same endpoint, after Backoff
	NextEndpoint Verdict = "next_endpoint" // the same request elsewhere
	NextAgent    Verdict = "next_agent"    // the task by the next profile
	NextStrategy Verdict = "next_strategy" // the task by weaker means
	Shrink       Verdict = "shrink"        // once more with a smaller context
	FeedBack     Verdict = "feed_back"     // tell the model, which may find another way
	End          Verdict = "end"           // no more attempts
)

// Failure is what a verdict is made from.
type Failure struct {
	Kind       akitad.Kind
	Attempt    int           // tries so far at this endpoint, this one included
	RetryAfter time.Duration // what the server asked for; 0 if it did not
	Again      bool          // the same Signature has been met before: fed back, or shrunk for
}

// A rule is a verdict for the first time and one for when the first did not help.
type rule struct{ first, then Verdict }

var rules = map[akitad.Kind]rule{
	akitad.Timeout:     {Retry, NextEndpoint},
	akitad.RateLimited: {Retry, NextEndpoint},
	akitad.Overloaded:  {Retry, NextEndpoint},
	akitad.Transport:   {Retry, NextEndpoint},

	akitad.Auth:            {NextEndpoint, NextEndpoint},
	akitad.Quota:           {NextEndpoint, NextEndpoint},
	akitad.ContentFiltered: {NextEndpoint, NextEndpoint},
	akitad.NotFound:        {NextEndpoint, NextEndpoint},
	akitad.Unavailable:     {NextEndpoint, NextEndpoint},

	akitad.InvalidRequest:   {NextAgent, NextAgent},
	akitad.ToolFailed:       {NextAgent, NextAgent},
	akitad.Loop:             {NextAgent, NextAgent},
	akitad.PermissionDenied: {NextAgent, NextAgent},
	akitad.AllFailed:        {NextStrategy, NextStrategy},

	akitad.ContextOverflow: {Shrink, NextAgent},
	akitad.Unknown:         {FeedBack, NextAgent},

	akitad.OverBudget: {End, End},
	akitad.Cancelled:  {End, End},
	akitad.Expired:    {End, End},
}

// Decide gives the verdict. Temporary kinds are tried again until Tries are used up or the server
// asks for more patience than MaxRetryAfter; an overflow is shrunk for once, an unknown failure fed
// back once, and others after it as long as there are Tries; everything else goes on at once. A kind that is not in the table counts as unknown.
func (p Policy) Decide(f Failure) Verdict {
	r, known := rules[f.Kind]
	if !known {
		r = rules[akitad.Unknown]
	}
	spent := f.Again
	switch r.first {
	case FeedBack:
		spent = spent || f.Attempt >= p.withDefaults().Tries
	case Retry:
		spent = f.Attempt >= p.withDefaults().Tries || f.RetryAfter > MaxRetryAfter
	}
	if spent {
		return r.then
	}
	return r.first
}
