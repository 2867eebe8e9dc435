package fallback_test

import (
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"pgregory.net/rapid"
)

func TestDecide(t *testing.T) {
	const first, last = 1, 3
	for _, tt := range []struct {
		kind  akitad.Kind
		first fallback.Verdict // attempt 1, not seen before
		spent fallback.Verdict // attempt 3, seen before
	}{
		{akitad.Timeout, fallback.Retry, fallback.NextEndpoint},
		{akitad.RateLimited, fallback.Retry, fallback.NextEndpoint},
		{akitad.Overloaded, fallback.Retry, fallback.NextEndpoint},
		{akitad.Transport, fallback.Retry, fallback.NextEndpoint},
		{akitad.Auth, fallback.NextEndpoint, fallback.NextEndpoint},
		{akitad.Quota, fallback.NextEndpoint, fallback.NextEndpoint},
		{akitad.ContentFiltered, fallback.NextEndpoint, fallback.NextEndpoint},
		{akitad.NotFound, fallback.NextEndpoint, fallback.NextEndpoint},
		{akitad.Unavailable, fallback.NextEndpoint, fallback.NextEndpoint},
		{akitad.InvalidRequest, fallback.NextAgent, fallback.NextAgent},
		{akitad.ToolFailed, fallback.NextAgent, fallback.NextAgent},
		{akitad.Loop, fallback.NextAgent, fallback.NextAgent},
		{akitad.PermissionDenied, fallback.NextAgent, fallback.NextAgent},
		{akitad.AllFailed, fallback.NextStrategy, fallback.NextStrategy},
		{akitad.ContextOverflow, fallback.Shrink, fallback.NextAgent},
		{akitad.Unknown, fallback.FeedBack, fallback.NextAgent},
		{"something_new", fallback.FeedBack, fallback.NextAgent},
		{akitad.OverBudget, fallback.End, fallback.End},
		{akitad.Cancelled, fallback.End, fallback.End},
		{akitad.Expired, fallback.End, fallback.End},
	} {
		if got := (fallback.Policy{}).Decide(fallback.Failure{Kind: tt.kind, Attempt: first}); got != tt.first {
			t.Errorf("%s at first: %s, want %s", tt.kind, got, tt.first)
		}
		if got := (fallback.Policy{}).Decide(fallback.Failure{Kind: tt.kind, Attempt: last, Again: true}); got != tt.spent {
			t.Errorf("%s when spent: %s, want %s", tt.kind, got, tt.spent)
		}
	}
}

func TestDecideCoversEveryKind(t *testing.T) {
	for _, kind := range akitad.Kinds {
		got := (fallback.Policy{}).Decide(fallback.Failure{Kind: kind, Attempt: 1})
		if (got == fallback.Retry) != kind.Temporary() {
			t.Errorf("%s: verdict %s, temporary %v", kind, got, kind.Temporary())
		}
		if got == fallback.FeedBack && kind != akitad.Unknown {
			t.Errorf("%s has no rule of its own", kind)
		}
	}
}

func TestDecideCountsTries(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    fallback.Policy
		f    fallback.Failure
		want fallback.Verdict
	}{
		{"second of three", fallback.Policy{}, fallback.Failure{Kind: akitad.Overloaded, Attempt: 2}, fallback.Retry},
		{"third of three", fallback.Policy{}, fallback.Failure{Kind: akitad.Overloaded, Attempt: 3}, fallback.NextEndpoint},
		{"only try", fallback.Policy{Tries: 1}, fallback.Failure{Kind: akitad.Overloaded, Attempt: 1}, fallback.NextEndpoint},
		{"a retry is no repetition", fallback.Policy{}, fallback.Failure{Kind: akitad.Timeout, Attempt: 1, Again: true}, fallback.Retry},
		{"asked to wait", fallback.Policy{}, fallback.Failure{Kind: akitad.RateLimited, Attempt: 1, RetryAfter: 5 * time.Minute}, fallback.Retry},
		{"asked to wait too long", fallback.Policy{}, fallback.Failure{Kind: akitad.RateLimited, Attempt: 1, RetryAfter: 5*time.Minute + 1}, fallback.NextEndpoint},
	} {
		if got := tt.p.Decide(tt.f); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestBackoff(t *testing.T) {
	for _, tt := range []struct {
		name       string
		attempt    int
		retryAfter time.Duration
		rnd        float64
		want       time.Duration
	}{
		{"first, low", 1, 0, 0, 0},
		{"first, middle", 1, 0, 0.5, 500 * time.Millisecond},
		{"second", 2, 0, 0.5, time.Second},
		{"fifth", 5, 0, 0.5, 8 * time.Second},
		{"sixth reaches the cap", 6, 0, 0.5, 15 * time.Second},
		{"far", 1000, 0, 0.5, 15 * time.Second},
		{"nonsense attempt", -4, 0, 0.5, 500 * time.Millisecond},
		{"server asks", 1, 7 * time.Second, 0.5, 7 * time.Second},
		{"server asks for less", 5, time.Second, 0.5, 8 * time.Second},
		{"server asks above the cap", 1, 2 * time.Minute, 0.5, 2 * time.Minute},
		{"server asks for ever", 1, 24 * time.Hour, 0.5, 5 * time.Minute},
		{"server asks for the past", 1, -time.Hour, 0.5, 500 * time.Millisecond},
	} {
		if got := (fallback.Policy{}).Backoff(tt.attempt, tt.retryAfter, tt.rnd); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestBackoffStaysInBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := fallback.Policy{
			Base: time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "base")),
			Cap:  time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "cap")),
		}
		attempt := rapid.IntRange(1, 200).Draw(t, "attempt")
		rnd := rapid.Float64Range(0, 0.999999).Draw(t, "rnd")
		if got := p.Backoff(attempt, 0, rnd); got < 0 || got > p.Cap {
			t.Fatalf("attempt %d: %v is outside of [0, %v]", attempt, got, p.Cap)
		}
	})
}

func TestTooLong(t *testing.T) {
	for _, tt := range []struct {
		p     fallback.Policy
		after time.Duration
		want  bool
	}{
		{fallback.Policy{}, 0, false},
		{fallback.Policy{}, 30 * time.Second, false},
		{fallback.Policy{}, 31 * time.Second, true},
		{fallback.Policy{Cap: time.Minute}, 31 * time.Second, false},
	} {
		if got := tt.p.TooLong(tt.after); got != tt.want {
			t.Errorf("%+v, %s: %v, want %v", tt.p, tt.after, got, tt.want)
		}
	}
}
