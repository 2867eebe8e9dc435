package feishu

import (
	"context"
	"sync"
	"time"
)

// tokens keeps one access token. Whoever finds none fetches one, and the others wait for that.
type tokens struct {
	turn chan struct{} // held by who fetches

	mu    sync.Mutex
	value string
	until time.Time
}

func newTokens() tokens { return tokens{turn: make(chan struct{}, 1)} }

// early is how long before its end a token is not used any more: a request takes a while.
const early = 5 * time.Minute

// get gives the token, fetched if there is none or if it ends shortly.
func (t *tokens) get(ctx context.Context, fetch func(context.Context) (string, time.Duration, error)) (string, error) {
	if value := t.fresh(); value != "" {
		return value, nil
	}
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	defer func() { <-t.turn }()
	if value := t.fresh(); value != "" {
		return value, nil
	}
	value, life, err := fetch(ctx)
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.value, t.until = value, time.Now().Add(max(life-early, life/2))
	return value, nil
}

func (t *tokens) fresh() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !time.Now().Before(t.until) {
		return ""
	}
	return t.value
}

// drop forgets a token that was refused, unless another has come meanwhile.
func (t *tokens) drop(value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value == value {
		t.until = time.Time{}
	}
}

// current gives the last token, whether it is good or not.
func (t *tokens) current() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.value
}
