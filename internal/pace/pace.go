// Package pace makes senders wait so that no more goes to a chat service than it takes: answers
// first, and each chat in the order of arrival. It sends nothing itself.
package pace

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/akitad/akitad"
)

// Class says who goes first when not everybody can; the zero Class is the first.
type Class int

// The classes, in the order in which they go.
const (
	Answer Class = iota
	Question
	Notice
	Progress // leaves so much free that an answer need not wait for it
)

// ClassOf gives the class of a delivery.
func ClassOf(k akitad.DeliveryKind) Class {
	switch k {
	case akitad.DeliverQuestion:
		return Question
	case akitad.DeliverNotice:
		return Notice
	}
	return Answer
}

// Gate lets messages go. Its methods may be called by many goroutines at once.
type Gate struct {
	mu    sync.Mutex
	rules budget
	queue []*waiter
}

type waiter struct {
	chat  string
	class Class
	ready chan struct{} // closed when it may go
}

// New gives a gate.
func New(opts Options) *Gate { return &Gate{rules: newBudget(opts)} }

// Wait returns when one message may be sent to a chat, or with ctx's cause.
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

// Try takes room for one message if there is some now. It does not overtake those who wait: Progress
// wants more room than would let one of them go.
func (g *Gate) Try(chat string, c Class) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rules.take(time.Now(), chat, c) <= 0
}

// Refused notes that the service refused a message to a chat for sending too much, and leaves the chat alone
// for exactly that long. Three chats within five seconds mean that it is all of them that sent too much: then
// all are left alone.
func (g *Gate) Refused(chat string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules.refused(time.Now(), chat, d)
}

// Pause leaves a chat alone for a time, or all of them if chat is empty. A pause never gets shorter.
func (g *Gate) Pause(chat string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules.pause(time.Now(), chat, d)
}

// Quiet reports whether a chat is to be left alone at present.
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

// admit lets all go who may, and says how long w has to wait if it is not among them.
func (g *Gate) admit(w *waiter) (wait time.Duration, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	kept := g.queue[:0]
	for i, o := range g.queue {
		if full := g.rules.all.wait(now, 1); full > 0 {
			// Nobody behind can go either; each comes back when its turn may have come.
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
