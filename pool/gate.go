package pool

import (
	"context"
	"sync"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/controls"
)

// gate tells which profiles take no work, and ends what runs of one that is paused at its next round
// boundary.
type gate struct {
	mu      sync.Mutex
	state   controls.State
	stopped bool
	changed chan struct{}            // closed and replaced when the state is another
	ends    map[string]chan struct{} // closed when no new round of the profile may begin
}

func newGate() *gate {
	return &gate{changed: make(chan struct{}), ends: map[string]chan struct{}{}}
}

// set takes over how everything is switched.
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

// stop ends all rounds for good: the process drains.
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

// end gives what is closed when no new round of the profile may begin.
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

// paused reports whether the profile takes no work, and what is closed when that may have changed.
func (g *gate) paused(profile string) (bool, <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state.IsPaused(profile), g.changed
}

// waitOpen returns once the profile takes work, or ctx ends.
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

// mayTake looks anew before a claim: a pause holds from the moment on in which it was answered.
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
