// Package pace makes senders wait so that no more goes to a chat service than it takes: answers
// first, and each chat in the order of arrival. It sends nothing itself.
package pace

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Class says who goes first when not everybody can; the zero Class is the first.
type Class int

// The classes, in the order in which they go.
const (
	Answer Class = iota
	Question
	Notice
)

// Options are the limits of a Gate. The zero Options limit nothing; pauses are kept all the same.
type Options struct {
	Rate      float64 // messages a second in all; not above 0 is no limit
	Burst     int     // messages that may go at once after a rest, default 1
	ChatRate  float64 // messages a second in one chat; not above 0 is no limit
	ChatBurst int     // default 1
}

// Gate lets messages go. Its methods may be called by many goroutines at once.
type Gate struct {
	opts Options

	mu      sync.Mutex
	all     bucket
	chats   map[string]*bucket
	queue   []*waiter
	strikes []strike
}

// strike is one refusal for sending too much.
type strike struct {
	chat string
	at   time.Time
}

const (
	strikeWindow = 5 * time.Second
	strikeLimit  = 3 // chats that are refused in strikeWindow until all pause
)

type waiter struct {
	chat  string
	class Class
	ready chan struct{} // closed when it may go
}

// New gives a gate.
func New(opts Options) *Gate {
	return &Gate{
		opts: opts, chats: map[string]*bucket{},
		all: bucket{rate: opts.Rate, burst: float64(max(opts.Burst, 1))},
	}
}

// Wait returns when one message may be sent to a chat, or with ctx's cause.
func (g *Gate) Wait(ctx context.Context, chat string, c Class) error {
	w := g.enter(chat, c)
	for {
		wait := g.admit(w)
		if wait <= 0 {
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

// Refused notes that the service refused a message to a chat for sending too much, and leaves the chat alone
// for a time. Three chats within five seconds mean that it is all of them that sent too much: then all are
// left alone.
func (g *Gate) Refused(chat string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pause(chat, d)
	now := time.Now()
	g.strikes = slices.DeleteFunc(g.strikes, func(s strike) bool { return s.chat == chat || now.Sub(s.at) >= strikeWindow })
	if g.strikes = append(g.strikes, strike{chat, now}); len(g.strikes) >= strikeLimit {
		g.pause("", d)
	}
}

// Pause leaves a chat alone for a time, or all of them if chat is empty. A pause never gets shorter.
func (g *Gate) Pause(chat string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pause(chat, d)
}

func (g *Gate) pause(chat string, d time.Duration) {
	b := &g.all
	if chat != "" {
		b = g.chat(time.Now(), chat)
	}
	if until := time.Now().Add(d); until.After(b.paused) {
		b.paused = until
	}
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

// admit lets all go who may, and says how long w has to wait; 0 if it is among them.
func (g *Gate) admit(w *waiter) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	now, left := time.Now(), time.Duration(0)
	g.queue = slices.DeleteFunc(g.queue, func(o *waiter) bool {
		chat := g.chat(now, o.chat)
		wait := max(g.all.wait(now), chat.wait(now))
		if wait <= 0 {
			g.all.take()
			chat.take()
			close(o.ready)
			return true
		}
		if o == w {
			left = wait
		}
		return false
	})
	return left
}

// maxChats is how many chats are remembered before those that have everything left are forgotten.
const maxChats = 1024

func (g *Gate) chat(now time.Time, id string) *bucket {
	if b := g.chats[id]; b != nil {
		return b
	}
	if len(g.chats) >= maxChats {
		for id, b := range g.chats {
			if b.rested(now) {
				delete(g.chats, id)
			}
		}
	}
	b := &bucket{rate: g.opts.ChatRate, burst: float64(max(g.opts.ChatBurst, 1))}
	g.chats[id] = b
	return b
}
