package telegram

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

func TestBudgetRules(t *testing.T) {
	const person, group = int64(7), int64(-7)
	for _, tt := range []struct {
		name  string
		rate  float64
		chat  int64
		class class
		prior int           // messages of class answer just before, to the same chat
		want  time.Duration // until one more may go
	}{
		{"a chat's burst", defaultRate, person, classAnswer, 1, 0},
		{"a chat's second", defaultRate, person, classAnswer, 2, time.Second},
		{"progress leaves room", defaultRate, person, classProgress, 1, time.Second},
		{"progress at rest", defaultRate, person, classProgress, 0, 0},
		{"a slow bot", 0.5, person, classAnswer, 2, time.Second},
		{"no budget", -1, person, classAnswer, 500, 0},
		{"no budget, in a group", -1, group, classAnswer, 500, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBudget(tt.rate)
			for range tt.prior {
				b.take(start, tt.chat, classAnswer)
			}
			if got, ok := b.take(start, tt.chat, tt.class); got != tt.want || ok != (tt.want == 0) {
				t.Errorf("take = %v, %v, want %v", got, ok, tt.want)
			}
		})
	}
}

func TestBudgetOfAGroup(t *testing.T) {
	b := newBudget(defaultRate)
	now := start
	for i := range groupLimit {
		if i == groupLimit-groupForAnswers {
			if wait, ok := b.take(now, -7, classProgress); ok || wait <= 0 {
				t.Errorf("progress took what is kept for answers")
			}
		}
		if wait, ok := b.take(now, -7, classAnswer); !ok {
			t.Fatalf("message %d has to wait %v", i, wait)
		}
		now = now.Add(time.Second)
	}
	if wait, ok := b.take(now, -7, classAnswer); ok || !now.Add(wait).Equal(start.Add(time.Minute)) {
		t.Errorf("message 21 goes at %v, want a minute after the first", now.Add(wait).Sub(start))
	}
	if _, ok := b.take(now, -8, classAnswer); !ok {
		t.Error("another group has to wait too")
	}
}

func TestRefusalsPauseTheChatAndThenTheBot(t *testing.T) {
	b := newBudget(-1) // refusals count without a budget too
	b.refused(start, 1, 7*time.Second)
	if wait, ok := b.take(start.Add(time.Second), 1, classAnswer); ok || wait != 6*time.Second {
		t.Errorf("chat 1 waits %v, want 6s", wait)
	}
	if _, ok := b.take(start.Add(7*time.Second), 1, classAnswer); !ok {
		t.Error("chat 1 waits longer than it was asked to")
	}
	b.refused(start, 1, time.Second)
	b.refused(start.Add(4*time.Second), 2, time.Second)
	if _, ok := b.take(start.Add(4*time.Second), 9, classAnswer); !ok {
		t.Error("two chats are enough to pause the bot")
	}
	b.refused(start.Add(6*time.Second), 3, time.Second)
	if _, ok := b.take(start.Add(6*time.Second), 9, classAnswer); !ok {
		t.Error("refusals that are more than 5 s apart pause the bot")
	}
	b.refused(start.Add(8*time.Second), 4, 3*time.Second)
	if wait, ok := b.take(start.Add(8*time.Second), 9, classAnswer); ok || wait != 3*time.Second {
		t.Errorf("the bot waits %v, want 3s", wait)
	}
}

// Whatever is asked for, the limits that Telegram sets hold in every window.
func TestBudgetKeepsTelegramsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, now := newBudget(defaultRate), start
		var sent []strike
		for range rapid.IntRange(1, 300).Draw(t, "asks") {
			now = now.Add(time.Duration(rapid.IntRange(0, 200).Draw(t, "ms")) * time.Millisecond)
			chat := int64(rapid.SampledFrom([]int{-2, -1, 1, 2, 3, 4, 5, 6}).Draw(t, "chat"))
			if _, ok := b.take(now, chat, class(rapid.IntRange(0, 3).Draw(t, "class"))); ok {
				sent = append(sent, strike{chat, now})
			}
		}
		for i, s := range sent {
			bot, chat, group := 0, 0, 0
			for _, o := range sent[i:] {
				age := o.at.Sub(s.at)
				if age < time.Second {
					bot++
				}
				if age < time.Second && o.chat == s.chat {
					chat++
				}
				if age < time.Minute && o.chat == s.chat {
					group++
				}
			}
			if bot > 30 || chat > 3 || (s.chat < 0 && group > 20) {
				t.Fatalf("from %v: bot %d in 1 s, chat %d in 1 s, group %d in 1 min", s.at.Sub(start), bot, chat, group)
			}
		}
	})
}

func TestBudgetForgetsQuietChats(t *testing.T) {
	b, now := newBudget(defaultRate), start
	for i := range 5 * maxRooms {
		now = now.Add(time.Second)
		b.take(now, int64(i+1), classAnswer)
	}
	if len(b.chats) > maxRooms {
		t.Errorf("%d chats are remembered, want at most %d", len(b.chats), maxRooms)
	}
}

func TestGateLetsAnswersGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		for g.try(99, classAnswer) || g.try(98, classAnswer) || g.try(97, classAnswer) {
		}
		order := make(chan string, 6)
		for i, c := range []class{classNotice, classQuestion, classAnswer, classNotice, classAnswer} {
			go func() {
				if err := g.wait(t.Context(), int64(i+1), c); err != nil {
					t.Error(err)
				}
				order <- fmt.Sprint(c, i)
			}()
			synctest.Wait() // they arrive in this order
		}
		var got []string
		for range 5 {
			got = append(got, <-order)
		}
		if want := []string{"0 2", "0 4", "1 1", "2 0", "2 3"}; !slices.Equal(got, want) {
			t.Errorf("order %q, want %q", got, want)
		}
	})
}

func TestGateKeepsTheOrderOfAChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, order := newGate(defaultRate), make(chan int, 9)
		begin := time.Now()
		for i := range 6 {
			go func() {
				_ = g.wait(t.Context(), 7, classAnswer)
				order <- i
			}()
			synctest.Wait()
		}
		for want := range 6 {
			if got := <-order; got != want {
				t.Fatalf("message %d went as number %d", got, want)
			}
		}
		if took := time.Since(begin); took.Round(time.Millisecond) != 4*time.Second {
			t.Errorf("six messages took %v, want 4s: two at once, then one a second", took)
		}
	})
}

func TestGateWaitsExactlyAsLongAsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(-1)
		begin := time.Now()
		g.refused(7, 37*time.Second)
		if err := g.wait(t.Context(), 7, classAnswer); err != nil || time.Since(begin) != 37*time.Second {
			t.Errorf("waited %v (%v), want 37s", time.Since(begin), err)
		}
	})
}

func TestGateGivesUpWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, stop := newGate(-1), errors.New("stop")
		g.refused(7, time.Hour)
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			time.Sleep(time.Second)
			cancel(stop)
		}()
		if err := g.wait(ctx, 7, classAnswer); !errors.Is(err, stop) {
			t.Errorf("wait = %v, want the cause", err)
		}
		if len(g.queue) != 0 {
			t.Error("who gave up still stands in the queue")
		}
	})
}

func TestGateManyChats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, done := newGate(defaultRate), make(chan struct{}, 200)
		begin := time.Now()
		for i := range 200 {
			go func() {
				_ = g.wait(t.Context(), int64(i+1), classAnswer)
				done <- struct{}{}
			}()
		}
		for range 200 {
			<-done
		}
		if took := time.Since(begin); took < 7*time.Second || took > 8*time.Second {
			t.Errorf("200 messages took %v, want about 7.8 s (25 a second)", took)
		}
	})
}

func TestProgressDoesNotOvertake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(defaultRate)
		g.try(7, classAnswer)
		g.try(7, classAnswer)
		done := make(chan struct{})
		go func() {
			_ = g.wait(t.Context(), 7, classAnswer)
			close(done)
		}()
		synctest.Wait()
		if g.try(7, classProgress) {
			t.Error("progress went before an answer that waits")
		}
		<-done
	})
}
