package telegramtest

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// stamp remembers one message sent, for the rates.
type stamp struct {
	chat int64
	at   time.Time
}

// bucket is what a chat has left of its burst.
type bucket struct {
	left float64
	at   time.Time
}

// target finds the chat of a request and holds the rates.
func (s *Server) target(p params) (*chat, *apiError) {
	id := p.int("chat_id")
	if to := s.moved[id]; to != 0 {
		return nil, &apiError{code: 400, description: "Bad Request: group chat was upgraded to a supergroup chat", migrateTo: to}
	}
	c := s.chats[id]
	if c == nil {
		return nil, refuse(400, "Bad Request: chat not found")
	}
	now := time.Now()
	if wait := s.over(c.id, now); wait > 0 {
		return nil, &apiError{code: 429, description: "Too Many Requests: retry after " + strconv.Itoa(wait), retryAfter: wait}
	}
	s.count(c)
	return c, nil
}

// count notes one message of a chat for the rates.
func (s *Server) count(c *chat) {
	now := time.Now()
	s.sent = append(s.sent, stamp{c.id, now})
	if s.opts.Rates.ChatBurst > 0 {
		b := s.bucket(c.id, now)
		s.buckets[c.id] = bucket{b.left - 1, now}
	}
}

func (s *Server) bucket(chat int64, now time.Time) bucket {
	r := s.opts.Rates
	b, known := s.buckets[chat]
	if !known {
		return bucket{float64(r.ChatBurst), now}
	}
	return bucket{min(float64(r.ChatBurst), b.left+now.Sub(b.at).Seconds()*float64(r.ChatPerSecond)), now}
}

// over returns the seconds to wait if one more message would break a rate; 0 is none.
func (s *Server) over(chat int64, now time.Time) int {
	s.sent = slices.DeleteFunc(s.sent, func(st stamp) bool { return now.Sub(st.at) >= time.Minute })
	second, minute, bot := 0, 0, 0
	var first time.Time // of the chat in the last minute
	for _, st := range s.sent {
		recent := now.Sub(st.at) < time.Second
		if recent {
			bot++
		}
		if st.chat != chat {
			continue
		}
		if minute++; minute == 1 {
			first = st.at
		}
		if recent {
			second++
		}
	}
	r := s.opts.Rates
	const rounding = 1e-6
	switch {
	case r.GroupPerMinute > 0 && chat < 0 && minute >= r.GroupPerMinute:
		return int(math.Ceil((time.Minute - now.Sub(first)).Seconds()))
	case r.BotPerSecond > 0 && bot >= r.BotPerSecond:
		return 1
	case r.ChatBurst > 0 && s.bucket(chat, now).left < 1-rounding:
		return 1
	case r.ChatBurst == 0 && r.ChatPerSecond > 0 && second >= r.ChatPerSecond:
		return 1
	}
	return 0
}
