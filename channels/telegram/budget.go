package telegram

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

// Telegram's limits (Bot FAQ, "My bot is hitting limits"): about 30 messages a second for a bot, one
// a second in a chat with short bursts, 20 a minute in a group. Edits count like messages.
const (
	defaultRate = 25.0 // messages a second; with botBurst at most 30 in any second
	botBurst    = 5.0
	chatRate    = 1.0 // messages a second
	chatBurst   = 2.0 // a placeholder and the answer that quickly takes its place
	groupLimit  = 20  // messages in groupWindow
	groupWindow = time.Minute

	// Progress leaves so much free that the answer need not wait for it.
	progressRoom    = 1.0 // of the bot's and the chat's burst
	groupForAnswers = 5   // of a group's messages

	strikeWindow = 5 * time.Second
	strikeLimit  = 3 // chats that are refused in strikeWindow until the bot as a whole pauses
)

// budget is the rule of what may be sent when. It is pure: time is passed in.
type budget struct {
	rate    float64 // messages a second; not above 0: no limit
	bot     bucket
	paused  time.Time // nothing at all before
	chats   map[int64]*room
	strikes []strike
}

// room is what one chat has left.
type room struct {
	bucket bucket
	recent []time.Time // what was sent to a group in the last minute
	paused time.Time
}

// strike is one refusal for sending too much.
type strike struct {
	chat int64
	at   time.Time
}

// bucket is a token bucket that was full once.
type bucket struct {
	tokens float64
	at     time.Time
}

func newBudget(rate float64) budget { return budget{rate: rate, chats: map[int64]*room{}} }

// take takes room for one message, or says when to ask again.
func (b *budget) take(now time.Time, chat int64, c class) (wait time.Duration, ok bool) {
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
	wait = max(b.bot.wait(need, b.rate), r.bucket.wait(need, chatRate), r.groupWait(now, chat, c))
	if wait > 0 {
		return wait, false
	}
	b.bot.tokens--
	r.bucket.tokens--
	if chat < 0 {
		r.recent = append(r.recent, now)
	}
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

// refused notes that the API refused a message to a chat: the chat is left alone for exactly that
// long. Three chats within five seconds mean that it is the bot that sends too much.
func (b *budget) refused(now time.Time, chat int64, pause time.Duration) {
	r := b.room(now, chat)
	r.paused = later(r.paused, now.Add(pause))
	kept := b.strikes[:0]
	chats := map[int64]bool{chat: true}
	for _, s := range b.strikes {
		if now.Sub(s.at) < strikeWindow {
			kept = append(kept, s)
			chats[s.chat] = true
		}
	}
	b.strikes = append(kept, strike{chat, now})
	if len(chats) >= strikeLimit {
		b.paused = later(b.paused, now.Add(pause))
	}
}

// pausedFor says how long a chat is still to be left alone.
func (b *budget) pausedFor(now time.Time, chat int64) time.Duration {
	wait := b.paused.Sub(now)
	if r := b.chats[chat]; r != nil {
		wait = max(wait, r.paused.Sub(now))
	}
	return max(wait, 0)
}

// maxRooms is how many chats are remembered before those that have everything left are forgotten.
const maxRooms = 1024

func (b *budget) room(now time.Time, chat int64) *room {
	if r := b.chats[chat]; r != nil {
		return r
	}
	if len(b.chats) >= maxRooms {
		for id, r := range b.chats {
			if now.After(r.paused) && now.Sub(r.bucket.at) > groupWindow {
				delete(b.chats, id)
			}
		}
	}
	r := &room{}
	b.chats[chat] = r
	return r
}

// groupWait says how long it is until a group may get one more message. Groups have negative ids.
func (r *room) groupWait(now time.Time, chat int64, c class) time.Duration {
	if chat >= 0 {
		return 0
	}
	for len(r.recent) > 0 && now.Sub(r.recent[0]) >= groupWindow {
		r.recent = r.recent[1:]
	}
	limit := groupLimit
	if c == classProgress {
		limit -= groupForAnswers
	}
	if len(r.recent) < limit {
		return 0
	}
	return r.recent[len(r.recent)-limit].Add(groupWindow).Sub(now)
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
