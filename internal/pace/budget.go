package pace

import (
	"slices"
	"time"
)

// Options are the limits of a Gate. The zero value limits nothing, but pauses still hold.
type Options struct {
	Rate      float64 // messages per second in total; 0 or less means no limit
	Burst     float64 // messages that may be sent at once after a rest, at least 1
	ChatRate  float64 // messages per second in one chat; 0 or less means no limit
	ChatBurst float64 // at least 1
	Group     func(chat string) bool
	GroupRate int // messages per minute in a chat that is a Group; 0 or less means no limit
}

const (
	groupWindow     = time.Minute
	groupForAnswers = 5 // messages of GroupRate that Progress leaves free

	strikeWindow = 5 * time.Second
	strikeLimit  = 3 // number of refused chats within strikeWindow from which all chats pause

	maxRooms = 1024 // number of chats from which rested ones are forgotten
)

// budget decides what may be sent when. It is a pure rule: the time is passed in.
type budget struct {
	opts    Options
	all     bucket
	rooms   map[string]*room
	strikes []strike
}

// room is the state of one chat.
type room struct {
	bucket
	recent []time.Time // times of the messages to a group in the last minute
}

// strike is one refusal because of a rate limit.
type strike struct {
	chat string
	at   time.Time
}

func newBudget(opts Options) budget {
	return budget{opts: opts, rooms: map[string]*room{}, all: bucket{rate: opts.Rate, burst: max(opts.Burst, 1)}}
}

// take takes the room for one message, or returns the time to wait.
func (b *budget) take(now time.Time, chat string, c Class) time.Duration {
	r := b.room(now, chat)
	need := 1.0
	if c == Progress {
		need++
	}
	if wait := max(b.all.wait(now, need), r.wait(now, need), b.groupWait(now, chat, r, c)); wait > 0 {
		return wait
	}
	b.all.take()
	r.take()
	if b.grouped(chat) {
		r.recent = append(r.recent, now)
	}
	return 0
}

func (b *budget) grouped(chat string) bool {
	return b.opts.GroupRate > 0 && b.opts.Group != nil && b.opts.Group(chat)
}

// groupWait returns the time until a group may get another message.
func (b *budget) groupWait(now time.Time, chat string, r *room, c Class) time.Duration {
	if !b.grouped(chat) {
		return 0
	}
	for len(r.recent) > 0 && now.Sub(r.recent[0]) >= groupWindow {
		r.recent = r.recent[1:]
	}
	limit := b.opts.GroupRate
	if c == Progress {
		limit = max(limit-groupForAnswers, 1)
	}
	if len(r.recent) < limit {
		return 0
	}
	return r.recent[len(r.recent)-limit].Add(groupWindow).Sub(now)
}

func (b *budget) refused(now time.Time, chat string, d time.Duration) {
	b.pause(now, chat, d)
	b.strikes = slices.DeleteFunc(b.strikes, func(s strike) bool { return s.chat == chat || now.Sub(s.at) >= strikeWindow })
	if b.strikes = append(b.strikes, strike{chat, now}); len(b.strikes) >= strikeLimit {
		b.pause(now, "", d)
	}
}

func (b *budget) pause(now time.Time, chat string, d time.Duration) {
	to := &b.all
	if chat != "" {
		to = &b.room(now, chat).bucket
	}
	if until := now.Add(d); until.After(to.paused) {
		to.paused = until
	}
}

// paused returns the remaining pause of a chat.
func (b *budget) paused(now time.Time, chat string) time.Duration {
	wait := b.all.paused.Sub(now)
	if r := b.rooms[chat]; r != nil {
		wait = max(wait, r.paused.Sub(now))
	}
	return wait
}

func (b *budget) room(now time.Time, chat string) *room {
	if r := b.rooms[chat]; r != nil {
		return r
	}
	if len(b.rooms) >= maxRooms {
		for id, r := range b.rooms {
			if r.rested(now) && (len(r.recent) == 0 || now.Sub(r.recent[len(r.recent)-1]) >= groupWindow) {
				delete(b.rooms, id)
			}
		}
	}
	r := &room{bucket: bucket{rate: b.opts.ChatRate, burst: max(b.opts.ChatBurst, 1)}}
	b.rooms[chat] = r
	return r
}
