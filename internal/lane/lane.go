// Package lane runs work in order per key and in parallel across keys, within a bound. It knows
// nothing of what the work is.
package lane

import (
	"context"
	"sync"
)

// Lanes runs functions: those of one key one after another, in the order of Go's calls.
type Lanes struct {
	slots chan struct{}

	mu    sync.Mutex
	queue map[string][]func()
	wg    sync.WaitGroup
}

// New returns lanes that hold at most pending functions, waiting ones included.
func New(pending int) *Lanes {
	return &Lanes{slots: make(chan struct{}, pending), queue: make(map[string][]func())}
}

// Go hands work to the key's lane. It blocks while the lanes are full and returns ctx's error, the
// work not taken, if ctx ends first.
func (l *Lanes) Go(ctx context.Context, key string, work func()) error {
	select {
	case l.slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	waiting, busy := l.queue[key]
	l.queue[key] = append(waiting, work)
	if !busy {
		l.wg.Go(func() { l.run(key) })
	}
	return nil
}

// Wait returns when every function that was handed over has run.
func (l *Lanes) Wait() { l.wg.Wait() }

func (l *Lanes) run(key string) {
	for {
		work := l.next(key)
		if work == nil {
			return
		}
		work()
		<-l.slots
	}
}

func (l *Lanes) next(key string) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.queue[key]
	if len(q) == 0 {
		delete(l.queue, key)
		return nil
	}
	l.queue[key] = q[1:]
	return q[0]
}
