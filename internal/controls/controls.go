// Package controls is what an owner has switched for all nodes at once: profiles that are paused and
// the strategy that is forced. It is kept on the bus, across restarts. What a switch means is the
// business of those who follow it.
package controls

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// key is the name of the one record.
const key = "controls"

// State is how everything is switched. The zero State is how a new house begins.
type State struct {
	Paused   map[string]time.Time `json:"paused,omitempty"`   // profiles that take no work, since when
	Strategy string               `json:"strategy,omitempty"` // forced; empty for none
}

// IsPaused reports whether a profile takes no work.
func (s State) IsPaused(profile string) bool {
	_, ok := s.Paused[profile]
	return ok
}

func (s State) equal(o State) bool {
	same := func(a, b time.Time) bool { return a.Equal(b) }
	return s.Strategy == o.Strategy && maps.EqualFunc(s.Paused, o.Paused, same)
}

// Options tune Controls. The zero value works.
type Options struct {
	Every time.Duration // how often Follow looks by itself; default 500 ms, and 30 s where the server is in this process and loses no nudge
	Log   *zap.Logger   // default silent
}

// Controls reads and changes the switches. It is safe for use by many goroutines and processes.
type Controls struct {
	bus  *bus.Bus
	kv   *bus.KV
	opts Options
}

// Open returns the switches that are kept on a bus.
func Open(ctx context.Context, b *bus.Bus, opts Options) (*Controls, error) {
	if b.Embedded() {
		opts.Every = cmp.Or(opts.Every, 30*time.Second)
	}
	opts.Every = cmp.Or(opts.Every, 500*time.Millisecond)
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	kv, err := b.KV(ctx, "akita")
	return &Controls{b, kv, opts}, err
}

// State returns how everything is switched now.
func (c *Controls) State(ctx context.Context) (State, error) {
	s, _, err := c.load(ctx)
	return s, err
}

func (c *Controls) load(ctx context.Context) (s State, rev uint64, err error) {
	body, rev, err := c.kv.Get(ctx, key)
	if err == nil && body != nil {
		err = json.Unmarshal(body, &s)
	}
	if err != nil {
		return State{}, rev, fmt.Errorf("read controls: %w", err)
	}
	return s, rev, nil
}

// change applies fn by compare-and-set until nobody else wrote in between.
func (c *Controls) change(ctx context.Context, fn func(*State)) error {
	for {
		s, rev, err := c.load(ctx)
		if err != nil {
			return err
		}
		before := State{maps.Clone(s.Paused), s.Strategy}
		if fn(&s); s.equal(before) {
			return nil
		}
		body, err := json.Marshal(s)
		if err != nil {
			return err
		}
		if _, err = c.kv.Update(ctx, key, body, rev); err == nil {
			return c.bus.Nudge(key)
		}
		if !errors.Is(err, bus.ErrConflict) {
			return err
		}
	}
}

// Pause makes a profile take no work on any node until Resume. One that is paused stays so.
func (c *Controls) Pause(ctx context.Context, profile string) error {
	if !akitad.ValidName(profile) {
		return akitad.Errorf(akitad.InvalidRequest, "%q cannot be the name of a profile", profile)
	}
	return c.change(ctx, func(s *State) {
		if s.Paused == nil {
			s.Paused = map[string]time.Time{}
		}
		if !s.IsPaused(profile) {
			s.Paused[profile] = time.Now().UTC()
		}
	})
}

// Resume lets a profile take work again.
func (c *Controls) Resume(ctx context.Context, profile string) error {
	return c.change(ctx, func(s *State) { delete(s.Paused, profile) })
}

// Force sets the strategy for all nodes; empty forces none.
func (c *Controls) Force(ctx context.Context, strategy string) error {
	return c.change(ctx, func(s *State) { s.Strategy = strategy })
}

// Follow calls fn with the present state and then with each one that differs from the last, at once as
// a rule and within Options.Every at the latest, until ctx ends. While the bus cannot be read the last
// state holds.
func (c *Controls) Follow(ctx context.Context, fn func(State)) error {
	nudged := make(chan struct{}, 1)
	stop, err := c.bus.OnNudge(key, func(uint64) {
		select {
		case nudged <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	tick := time.NewTicker(c.opts.Every)
	defer tick.Stop()
	var last *State
	for {
		switch s, err := c.State(ctx); {
		case err != nil && ctx.Err() == nil:
			c.opts.Log.Warn("controls cannot be read, they stay as they were", zap.Error(err))
		case err == nil && (last == nil || !last.equal(s)):
			last = &s
			fn(s)
		}
		select {
		case <-nudged:
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
