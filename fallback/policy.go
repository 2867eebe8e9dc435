// Package fallback has the rules for what follows a failure: a retry, the next endpoint, the next agent, the
// next strategy, and the health of endpoints and agents. The rules are pure functions that take the time as a
// value; only Ledger reads and writes, through a Store. Nothing here makes a call or waits.
package fallback

import (
	"time"

	"github.com/akitad/akitad"
)

// MaxRetryAfter is the longest wait that a server may ask for by Retry-After. A server that asks for more is
// not asked again, because an earlier request would only add load.
const MaxRetryAfter = 5 * time.Minute

// Policy says how often and with which pauses one endpoint is tried. Zero fields mean the default.
type Policy struct {
	Tries int           // attempts at one endpoint, including the first; default 3
	Base  time.Duration // upper bound of the first pause; default 1 s
	Cap   time.Duration // upper bound of any pause that the server did not ask for; default 30 s
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

// Backoff returns the pause after a failed attempt (1 is the first): exponential with full jitter. rnd, in
// [0, 1), selects a point between zero and min(Cap, Base * 2^(attempt-1)). A positive retryAfter, for which
// the server has asked, is a lower bound, also above Cap, up to MaxRetryAfter.
func (p Policy) Backoff(attempt int, retryAfter time.Duration, rnd float64) time.Duration {
	p = p.withDefaults()
	ceiling := p.Cap
	if shift := max(attempt, 1) - 1; shift < 30 && p.Base<<shift < p.Cap && p.Base<<shift > 0 {
		ceiling = p.Base << shift
	}
	wait := time.Duration(rnd * float64(ceiling))
	return max(wait, min(retryAfter, MaxRetryAfter))
}

// TooLong reports whether a server asks for a longer pause than Cap. Then another endpoint, if there is one,
// is asked first.
func (p Policy) TooLong(retryAfter time.Duration) bool { return retryAfter > p.withDefaults().Cap }

// Verdict says what follows a failure.
type Verdict string

// The verdicts.
const (
	Retry        Verdict = "retry"         // the same endpoint, after Backoff
	NextEndpoint Verdict = "next_endpoint" // the same request elsewhere
	NextAgent    Verdict = "next_agent"    // the task by the next profile
	NextStrategy Verdict = "next_strategy" // the task by weaker means, such as memory
	Shrink       Verdict = "shrink"        // once more with a smaller context
	FeedBack     Verdict = "feed_back"     // tell the model, which may try another way
	End          Verdict = "end"           // no more attempts
)

// Failure has the facts for a verdict.
type Failure struct {
	Kind       akitad.Kind
	Attempt    int           // number of attempts at this endpoint, including this one
	RetryAfter time.Duration // the pause for which the server asked; 0 if it did not
	Again      bool          // a failure with the same Signature has been handled before, by FeedBack or Shrink
}

// rule has the first verdict for a kind, and the one when that did not help.
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

// Decide returns the verdict on a failure. Temporary kinds are retried until Tries are used up, or the server
// asks for a longer pause than MaxRetryAfter. A context overflow leads to Shrink once. An unknown failure
// leads to FeedBack, once per signature and while there are Tries. All other kinds lead on at once. A kind
// that is not in the table counts as unknown.
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
