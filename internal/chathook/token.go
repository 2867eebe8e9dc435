package chathook

import (
	"context"
	"sync"
	"time"
)

// Token keeps one access token. Whoever finds none fetches one, and the others wait for that, also for its
// failure: who waited does not ask again.
type Token struct {
	fetch func(context.Context) (string, time.Duration, error)
	turn  chan struct{} // held by who fetches

	mu    sync.Mutex
	value string
	until time.Time
	why   error // of the last failure
	at    time.Time
}

// NewToken returns the token that fetch gets, with how long it is good.
func NewToken(fetch func(context.Context) (string, time.Duration, error)) *Token {
	return &Token{fetch: fetch, turn: make(chan struct{}, 1)}
}

// early is how long before its end a token is not used any more, as a request takes a while; at most
// half of its life.
const early = 5 * time.Minute

// Get returns the token.
func (t *Token) Get(ctx context.Context) (string, error) {
	if value := t.good(); value != "" {
		return value, nil
	}
	began := time.Now()
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	defer func() { <-t.turn }()
	if value := t.good(); value != "" {
		return value, nil
	}
	if err := t.failed(began); err != nil {
		return "", err
	}
	value, life, err := t.fetch(ctx)
	if err != nil {
		t.fail(ctx, err)
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.value, t.until = value, time.Now().Add(max(life-early, life/2))
	return value, nil
}

func (t *Token) good() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !time.Now().Before(t.until) {
		return ""
	}
	return t.value
}

// failed returns the failure of a fetch that ended after that time.
func (t *Token) failed(began time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.at.After(began) {
		return t.why
	}
	return nil
}

// fail keeps a failure, unless it was the caller who gave up.
func (t *Token) fail(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.why, t.at = err, time.Now()
}

// Drop forgets a token that was refused, unless another one has come meanwhile.
func (t *Token) Drop(value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value == value {
		t.until = time.Time{}
	}
}

// TokenError says that no access token could be had, so that nothing was asked for.
type TokenError struct{ Err error }

// Error says why.
func (e *TokenError) Error() string { return "no access token: " + e.Err.Error() }

// Unwrap returns why.
func (e *TokenError) Unwrap() error { return e.Err }

// Do does what needs the token; if stale says of the error that it was refused, once more with a new one.
// Without a token it is a *TokenError.
func (t *Token) Do(ctx context.Context, stale func(error) bool, do func(token string) error) error {
	for last := false; ; last = true {
		token, err := t.Get(ctx)
		if err != nil {
			return &TokenError{err}
		}
		if err = do(token); last || !stale(err) {
			return err
		}
		t.Drop(token)
	}
}

// Last returns the token that was fetched last, whether it is good or not; "" if there was none.
func (t *Token) Last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.value
}
