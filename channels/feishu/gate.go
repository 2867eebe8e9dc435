package feishu

import (
	"context"
	"slices"
	"sync"
	"time"
)

// gate makes senders wait for the budget, in the order of their class and then of their arrival.
type gate struct {
	mu    sync.Mutex
	rules budget
	queue []*waiter
}

type waiter struct {
	chat  string
	class class
	ready chan struct{} // closed when it may go
}

func newGate(rate float64) *gate { return &gate{rules: newBudget(rate)} }

// wait returns when one message may be sent to a chat, or with ctx's cause.
func (g *gate) wait(ctx context.Context, chat string, c class) error {
	w := g.enter(chat, c)
	for {
		wait, ok := g.admit(w)
		if ok {
			return nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-w.ready:
			timer.Stop()
			return nil
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			g.leave(w)
			return context.Cause(ctx)
		}
	}
}

// try takes room for one message if there is some now. It does not overtake those who wait: for
// progress, the rules want more room than would let one of them go.
func (g *gate) try(chat string, c class) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.rules.take(time.Now(), chat, c)
	return ok
}

// refused notes a refusal for sending too much.
func (g *gate) refused(chat string, pause time.Duration, all bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules.refused(time.Now(), chat, pause, all)
}

// quiet reports whether a chat is to be left alone at present.
func (g *gate) quiet(chat string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rules.pausedFor(time.Now(), chat) > 0
}

func (g *gate) enter(chat string, c class) *waiter {
	g.mu.Lock()
	defer g.mu.Unlock()
	w := &waiter{chat: chat, class: c, ready: make(chan struct{})}
	at := len(g.queue)
	for at > 0 && g.queue[at-1].class > c {
		at--
	}
	g.queue = slices.Insert(g.queue, at, w)
	return w
}

func (g *gate) leave(w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.queue = slices.DeleteFunc(g.queue, func(o *waiter) bool { return o == w })
}

// admit lets all go who may, and says how long w has to wait if it is not among them.
func (g *gate) admit(w *waiter) (wait time.Duration, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	kept := g.queue[:0]
	for i, o := range g.queue {
		if full := g.rules.full(now); full > 0 {
			// Nobody behind can go either; each comes back when its turn may have come.
			wait = max(wait, full+g.rules.share(max(0, slices.Index(g.queue[i:], w))))
			kept = append(kept, g.queue[i:]...)
			break
		}
		left, may := g.rules.take(now, o.chat, o.class)
		if may {
			close(o.ready)
			continue
		}
		kept = append(kept, o)
		if o == w {
			wait = left
		}
	}
	clear(g.queue[len(kept):])
	g.queue = kept
	select {
	case <-w.ready:
		return 0, true
	default:
		return wait, false
	}
}
