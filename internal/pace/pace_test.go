package pace_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/pace"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// times sends n messages to one chat and gives when each went.
func times(t *testing.T, g *pace.Gate, chat string, n int) (out []time.Duration) {
	begin := time.Now()
	for range n {
		if err := g.Wait(t.Context(), chat, pace.Answer); err != nil {
			t.Fatal(err)
		}
		out = append(out, time.Since(begin).Round(time.Millisecond))
	}
	return out
}

func TestWaitKeepsTheLimits(t *testing.T) {
	for _, tt := range []struct {
		name string
		opts pace.Options
		want []time.Duration
	}{
		{"no limits", pace.Options{}, []time.Duration{0, 0, 0, 0}},
		{"in all", pace.Options{Rate: 2, Burst: 2}, []time.Duration{0, 0, 500 * time.Millisecond, time.Second}},
		{"in a chat", pace.Options{ChatRate: 1}, []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second}},
		{"the stricter one", pace.Options{Rate: 10, ChatRate: 1, ChatBurst: 3}, []time.Duration{0, 100 * time.Millisecond, 200 * time.Millisecond, time.Second}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := times(t, pace.New(tt.opts), "a", 4); !slices.Equal(got, tt.want) {
					t.Errorf("went at %v, want %v", got, tt.want)
				}
			})
		})
	}
}

func TestAnswersGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := pace.New(pace.Options{Rate: 1})
		times(t, g, "z", 1)
		order := make(chan string, 9)
		for i, c := range []pace.Class{pace.Notice, pace.Question, pace.Answer, pace.Notice, pace.Answer} {
			go func() {
				if err := g.Wait(t.Context(), fmt.Sprint(i), c); err != nil {
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

func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := pace.New(pace.Options{})
		g.Pause("a", 7*time.Second)
		g.Pause("a", time.Second) // gets no shorter
		if got := times(t, g, "b", 1); got[0] != 0 {
			t.Errorf("another chat waits %v", got[0])
		}
		if got := times(t, g, "a", 1); got[0] != 7*time.Second {
			t.Errorf("the chat waits %v, want 7s", got[0])
		}
		g.Pause("", 3*time.Second)
		if got := times(t, g, "b", 1); got[0] != 3*time.Second {
			t.Errorf("after a pause of all a chat waits %v, want 3s", got[0])
		}
	})
}

// One chat that is refused, however often, is its own matter; three within five seconds are everybody's.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name    string
		refused []string
		apart   time.Duration
		want    time.Duration // that another chat waits
	}{
		{"one chat, often", []string{"a", "a", "a", "a"}, 0, 0},
		{"two chats", []string{"a", "b", "a", "b"}, time.Second, 0},
		{"three chats", []string{"a", "b", "c"}, time.Second, 7 * time.Second},
		{"three chats, not at once", []string{"a", "b", "c"}, 3 * time.Second, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := pace.New(pace.Options{})
				for i, chat := range tt.refused {
					if i > 0 {
						time.Sleep(tt.apart)
					}
					g.Refused(chat, 7*time.Second)
				}
				if got := times(t, g, "z", 1); got[0] != tt.want {
					t.Errorf("another chat waits %v, want %v", got[0], tt.want)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		g := pace.New(pace.Options{})
		g.Refused("a", 7*time.Second)
		if got := times(t, g, "a", 1); got[0] != 7*time.Second {
			t.Errorf("the chat waits %v, want 7s", got[0])
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, stop := pace.New(pace.Options{ChatRate: 1}), errors.New("stop")
		g.Pause("a", time.Hour)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(stop) })
		if err := g.Wait(ctx, "a", pace.Answer); !errors.Is(err, stop) {
			t.Errorf("Wait = %v, want the cause", err)
		}
		g.Pause("a", 2*time.Hour)
		if got := times(t, g, "a", 1); got[0] < time.Hour {
			t.Errorf("who gave up used what was left: next at %v", got[0])
		}
	})
}

// Whatever is asked for, the limits hold in every second.
func TestLimitsHoldInEveryWindow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rate, burst := rapid.IntRange(1, 20).Draw(rt, "rate"), rapid.IntRange(1, 5).Draw(rt, "burst")
		asks := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 60).Draw(rt, "chats")
		synctest.Test(t, func(t *testing.T) {
			g := pace.New(pace.Options{Rate: float64(rate), Burst: float64(burst), ChatRate: 1})
			begin, went := time.Now(), make(chan [2]time.Duration, len(asks))
			for _, chat := range asks {
				go func() {
					_ = g.Wait(context.Background(), fmt.Sprint(chat), pace.Notice)
					went <- [2]time.Duration{time.Since(begin), time.Duration(chat)}
				}()
			}
			var all [][2]time.Duration
			for range asks {
				all = append(all, <-went)
			}
			for _, from := range all {
				total, chat := 0, 0
				for _, o := range all {
					if age := o[0] - from[0]; age >= 0 && age < time.Second-time.Microsecond {
						total++
						if o[1] == from[1] {
							chat++
						}
					}
				}
				if total > rate+burst || chat > 1 {
					rt.Fatalf("%d in all and %d in chat %d within a second of %v", total, chat, from[1], from[0])
				}
			}
		})
	})
}

// Messages of one chat go in the order in which they came, many chats as fast as all may.
func TestManyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := pace.New(pace.Options{Rate: 25, Burst: 5, ChatRate: 1, ChatBurst: 2})
		begin, order := time.Now(), make(chan int, 9)
		for i := range 6 {
			go func() {
				_ = g.Wait(t.Context(), "7", pace.Answer)
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
		time.Sleep(time.Minute)
		begin = time.Now()
		for i := range 200 {
			go func() {
				_ = g.Wait(t.Context(), fmt.Sprint("of many ", i), pace.Answer)
				order <- i
			}()
		}
		for range 200 {
			<-order
		}
		if took := time.Since(begin); took < 7*time.Second || took > 8*time.Second {
			t.Errorf("200 messages took %v, want about 7.8 s (25 a second)", took)
		}
	})
}

func TestProgressDoesNotOvertake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := pace.New(pace.Options{Rate: 25, Burst: 5, ChatRate: 1, ChatBurst: 2})
		if !g.Try("7", pace.Answer) || !g.Try("7", pace.Answer) || g.Try("7", pace.Answer) {
			t.Error("a burst is not two")
		}
		done := make(chan error)
		go func() { done <- g.Wait(t.Context(), "7", pace.Answer) }()
		synctest.Wait()
		if g.Try("7", pace.Progress) {
			t.Error("progress went before an answer that waits")
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if g.Quiet("7") {
			t.Error("what waits is quiet")
		}
		g.Pause("", time.Second)
		if !g.Quiet("7") || !g.Quiet("8") {
			t.Error("a pause of all is not quiet")
		}
	})
}
