package pool

import (
	"context"
	"sync"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/controls"
)

// gate knows which profiles are paused. It keeps their tasks from being claimed, and stops running ones
// before their next round.
type gate struct {
	mu      sync.Mutex
	state   controls.State
	stopped bool
	changed chan struct{}            // closed and replaced when the state changes
	ends    map[string]chan struct{} // closed when no new round of the profile may begin
}

func newGate() *gate {
	return &gate{changed: make(chan struct{}), ends: map[string]chan struct{}{}}
}

// set adopts a new state of the controls.
func (g *gate) set(s controls.State) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.state = s
	for profile, end := range g.ends {
		if s.IsPaused(profile) && !closed(end) {
			close(end)
		}
	}
	close(g.changed)
	g.changed = make(chan struct{})
}

// stop lets no further round begin, because the process drains.
func (g *gate) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopped = true
	for _, end := range g.ends {
		if !closed(end) {
			close(end)
		}
	}
}

// end returns a channel that is closed when no new round of the profile may begin.
func (g *gate) end(profile string) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	end, ok := g.ends[profile]
	if !ok || closed(end) && !g.stopped && !g.state.IsPaused(profile) {
		end = make(chan struct{})
		g.ends[profile] = end
	}
	if (g.stopped || g.state.IsPaused(profile)) && !closed(end) {
		close(end)
	}
	return end
}

// paused reports whether the profile is paused, and returns a channel that is closed when that may change.
func (g *gate) paused(profile string) (bool, <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state.IsPaused(profile), g.changed
}

// waitOpen returns once the profile is not paused, or ctx ends.
func (g *gate) waitOpen(ctx context.Context, profile string) {
	for {
		paused, changed := g.paused(profile)
		if !paused {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// mayTake reads the controls again before a claim, so that a pause holds from the moment at which it was
// confirmed to the person.
func (w *Worker) mayTake(ctx context.Context, profile string) bool {
	if w.Controls == nil {
		return true
	}
	s, err := w.Controls.State(ctx)
	if err != nil {
		w.Log.Warn("controls cannot be read, they stay as they were", zap.Error(err))
		paused, _ := w.gate.paused(profile)
		return !paused
	}
	return !s.IsPaused(profile)
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
