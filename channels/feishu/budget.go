package feishu

import (
	"math"
	"time"
)

// class says who goes first when not everybody can.
type class int

const (
	classAnswer class = iota
	classQuestion
	classNotice
	classProgress
)

// The service's limits (open.feishu.cn, send and edit messages): 1000 a minute and 50 a second for an
// app, 5 a second in a chat, of which all bots of a group have a share, and 5 edits a second of a message.
const (
	defaultRate = 16.0 // messages a second; with botBurst at most 990 in any minute
	botBurst    = 30.0
	chatRate    = 2.5 // messages a second; with chatBurst at most 5 in any second
	chatBurst   = 2.5

	// Progress leaves so much free that the answer need not wait for it.
	progressRoom = 1.0 // of the bot's and the chat's burst
)

// budget is the rule of what may be sent when. It is pure: time is passed in.
type budget struct {
	rate   float64 // messages a second; not above 0: no limit
	bot    bucket
	paused time.Time // nothing at all before
	chats  map[string]*room
}

// room is what one chat has left.
type room struct {
	bucket bucket
	paused time.Time
}

// bucket is a token bucket that was full once.
type bucket struct {
	tokens float64
	at     time.Time
}

func newBudget(rate float64) budget { return budget{rate: rate, chats: map[string]*room{}} }

// take takes room for one message, or says when to ask again.
func (b *budget) take(now time.Time, chat string, c class) (wait time.Duration, ok bool) {
	r := b.room(now, chat)
	if wait := max(b.paused.Sub(now), r.paused.Sub(now)); wait > 0 {
		return wait, false
	}
	if b.rate <= 0 {
		return 0, true
	}
	need := 1.0
	if c == classProgress {
		need += progressRoom
	}
	b.bot.refill(now, b.rate, botBurst)
	r.bucket.refill(now, chatRate, chatBurst)
	if wait = max(b.bot.wait(need, b.rate), r.bucket.wait(need, chatRate)); wait > 0 {
		return wait, false
	}
	b.bot.tokens--
	r.bucket.tokens--
	return 0, true
}

// full says how long the bot as a whole can send nothing; 0 if it can.
func (b *budget) full(now time.Time) time.Duration {
	if wait := b.paused.Sub(now); wait > 0 {
		return wait
	}
	if b.rate <= 0 {
		return 0
	}
	b.bot.refill(now, b.rate, botBurst)
	return b.bot.wait(1, b.rate)
}

// share is how long the bot takes for n messages.
func (b *budget) share(n int) time.Duration {
	if b.rate <= 0 {
		return 0
	}
	return time.Duration(float64(n) / b.rate * float64(time.Second))
}

// refused notes that the service refused a message for sending too much: that chat, or all of the bot, is
// left alone for exactly that long.
func (b *budget) refused(now time.Time, chat string, pause time.Duration, all bool) {
	if all {
		b.paused = later(b.paused, now.Add(pause))
		return
	}
	r := b.room(now, chat)
	r.paused = later(r.paused, now.Add(pause))
}

// pausedFor says how long a chat is still to be left alone.
func (b *budget) pausedFor(now time.Time, chat string) time.Duration {
	wait := b.paused.Sub(now)
	if r := b.chats[chat]; r != nil {
		wait = max(wait, r.paused.Sub(now))
	}
	return max(wait, 0)
}

// maxRooms is how many chats are remembered before those that have everything left are forgotten.
const maxRooms = 1024

func (b *budget) room(now time.Time, chat string) *room {
	if r := b.chats[chat]; r != nil {
		return r
	}
	if len(b.chats) >= maxRooms {
		for id, r := range b.chats {
			if now.After(r.paused) && now.Sub(r.bucket.at) > time.Minute {
				delete(b.chats, id)
			}
		}
	}
	r := &room{}
	b.chats[chat] = r
	return r
}

func (b *bucket) refill(now time.Time, rate, burst float64) {
	if b.at.IsZero() {
		b.tokens = burst
	} else {
		b.tokens = min(burst, b.tokens+rate*now.Sub(b.at).Seconds())
	}
	b.at = now
}

func (b *bucket) wait(need, rate float64) time.Duration {
	const rounding = 1e-6 // of a token, lost to arithmetic
	if b.tokens >= need-rounding {
		return 0
	}
	return time.Duration(math.Ceil((need - b.tokens) / rate * float64(time.Second)))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
