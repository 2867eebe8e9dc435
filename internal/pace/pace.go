// Package pace limits the rate of messages to a chat service: senders wait, answers go first, and messages of one
// chat go in their order. It sends nothing itself.
package pace

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/akitad/akitad"
)

// Class is the priority of a message when the rate is limited; the zero Class goes first.
type Class int

// The classes, highest priority first.
const (
	Answer Class = iota
	Question
	Notice
	Progress // leaves enough room for an answer to go at once
)

// ClassOf returns the class of a delivery.
func ClassOf(k akitad.DeliveryKind) Class {
	switch k {
	case akitad.DeliverQuestion:
		return Question
	case akitad.DeliverNotice:
		return Notice
	}
	return Answer
}

// Gate is the rate limiter of one service. Its methods are safe for concurrent use.
type Gate struct {
	mu    sync.Mutex
	rules budget
	queue []*waiter
}

type waiter struct {
	chat  string
	class Class
	ready chan struct{} // closed when the message may be sent
}

// New returns a gate with the limits.
func New(opts Options) *Gate { return &Gate{rules: newBudget(opts)} }

// Wait returns nil when one message may be sent to the chat, or ctx's cause when ctx ends.
func (g *Gate) Wait(ctx context.Context, chat string, c Class) error {
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

// Try reports whether one message may be sent now. It does not overtake waiting messages: Progress needs
// more room than would let one of them go.
func (g *Gate) Try(chat string, c Class) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rules.take(time.Now(), chat, c) <= 0
}

// Refused records that the service has refused a message because of its rate limit, and pauses the chat for the
// given time. If that happens in three chats within five seconds, the limit is that of the bot, and all chats
// pause.
func (g *Gate) Refused(chat string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules.refused(time.Now(), chat, d)
}

// Pause pauses a chat, or all chats if chat is empty. It never shortens a pause.
func (g *Gate) Pause(chat string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules.pause(time.Now(), chat, d)
}

// Quiet reports whether a chat is paused now.
func (g *Gate) Quiet(chat string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rules.paused(time.Now(), chat) > 0
}

func (g *Gate) enter(chat string, c Class) *waiter {
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

func (g *Gate) leave(w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.queue = slices.DeleteFunc(g.queue, func(o *waiter) bool { return o == w })
}

// admit releases all waiters whose messages may go, and returns how long w has to wait if it is not among them.
func (g *Gate) admit(w *waiter) (wait time.Duration, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	kept := g.queue[:0]
	for i, o := range g.queue {
		if full := g.rules.all.wait(now, 1); full > 0 {
			// No later waiter can go either; each of them calls admit again.
			wait = max(wait, full+g.rules.all.share(max(0, slices.Index(g.queue[i:], w))))
			kept = append(kept, g.queue[i:]...)
			break
		}
		left := g.rules.take(now, o.chat, o.class)
		if left <= 0 {
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
