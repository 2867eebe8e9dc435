package pace

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// limits are like those of a service that has all kinds of them.
var limits = Options{
	Rate: 25, Burst: 5, ChatRate: 1, ChatBurst: 2, GroupRate: 20,
	Group: func(chat string) bool { return strings.HasPrefix(chat, "-") },
}

func TestTake(t *testing.T) {
	slow := limits
	slow.Rate = 0.5
	for _, tt := range []struct {
		name  string
		opts  Options
		prior []string // chats that got an answer just before
		chat  string
		class Class
		want  time.Duration // until one more may go
	}{
		{"a chat's burst", limits, []string{"7"}, "7", Answer, 0},
		{"a chat's second", limits, []string{"7", "7"}, "7", Answer, time.Second},
		{"another chat", limits, []string{"7", "7"}, "8", Answer, 0},
		{"progress leaves room", limits, []string{"7"}, "7", Progress, time.Second},
		{"progress at rest", limits, nil, "7", Progress, 0},
		{"progress without a burst", Options{Rate: 1, ChatRate: 1}, nil, "7", Progress, 0},
		{"a slow bot", slow, []string{"1", "2", "3", "4", "5"}, "7", Answer, 2 * time.Second},
		{"progress leaves the bot room", slow, []string{"1", "2", "3", "4"}, "7", Progress, 2 * time.Second},
		{"no limits", Options{}, slices.Repeat([]string{"7"}, 500), "7", Progress, 0},
		{"no limits, in a group", Options{Group: limits.Group}, slices.Repeat([]string{"-7"}, 500), "-7", Answer, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBudget(tt.opts)
			for _, chat := range tt.prior {
				if wait := b.take(start, chat, Answer); wait > 0 {
					t.Fatalf("chat %s waits %v", chat, wait)
				}
			}
			if got := b.take(start, tt.chat, tt.class); got != tt.want {
				t.Errorf("take = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestTakeInAGroup(t *testing.T) {
	b, now := newBudget(limits), start
	for i := range limits.GroupRate {
		if i >= limits.GroupRate-groupForAnswers && b.take(now, "-7", Progress) <= 0 {
			t.Errorf("progress took what is kept for answers")
		}
		if wait := b.take(now, "-7", Answer); wait > 0 {
			t.Fatalf("message %d has to wait %v", i, wait)
		}
		now = now.Add(time.Second)
	}
	if wait := b.take(now, "-7", Answer); !now.Add(wait).Equal(start.Add(time.Minute)) {
		t.Errorf("message 21 goes at %v, want a minute after the first", now.Add(wait).Sub(start))
	}
	if wait := b.take(now, "-8", Answer); wait > 0 {
		t.Errorf("another group waits %v too", wait)
	}
}

// A pause is exactly as long as it was asked for, also where nothing else is limited.
func TestRefusedIsExact(t *testing.T) {
	b := newBudget(Options{})
	b.refused(start, "1", 7*time.Second)
	if wait := b.take(start.Add(time.Second), "1", Answer); wait != 6*time.Second {
		t.Errorf("the chat waits %v, want 6s", wait)
	}
	if wait := b.take(start.Add(7*time.Second), "1", Answer); wait > 0 {
		t.Errorf("the chat waits %v longer than it was asked to", wait)
	}
}

func TestQuietChatsAreForgotten(t *testing.T) {
	for _, group := range []string{"", "-"} {
		b, now := newBudget(limits), start
		b.pause(now, "paused", 1000*time.Hour)
		for i := range 3 * maxRooms {
			now = now.Add(time.Second)
			b.take(now, group+strconv.Itoa(i), Answer)
		}
		if len(b.rooms) > maxRooms {
			t.Errorf("%d chats are remembered, want at most %d", len(b.rooms), maxRooms)
		}
		if b.paused(now, "paused") <= 0 {
			t.Error("a pause was forgotten")
		}
	}
}
