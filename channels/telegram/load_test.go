package telegram_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// Two hundred people ask at once, at the limits that Telegram holds: nobody is refused, nothing is lost,
// and no answer waits for progress.
func TestTwoHundredChats(t *testing.T) { synctest.Test(t, twoHundredChats) }

func twoHundredChats(t *testing.T) {
	const people, rounds = 200, 6
	r := virtual(t, telegramtest.Real(), telegram.Options{Rate: 25})
	begin := time.Now()
	var all sync.WaitGroup
	for i := range people {
		to := r.hear(int64(1000 + i))
		all.Go(func() {
			id := must[string](t)(r.Placeholder(t.Context(), to, "…", ""))
			for round := range rounds {
				time.Sleep(500 * time.Millisecond)
				if err := r.Progress(t.Context(), to, id, fmt.Sprint("round ", round)); err != nil {
					t.Error(err)
				}
			}
			must[[]string](t)(r.Final(t.Context(), answer(to, id, "done")))
		})
	}
	all.Wait()
	took := time.Since(begin)
	for i := range people {
		if got := r.api.FromBot(int64(1000 + i)); len(got) != 1 || got[0].Text != "done" {
			t.Errorf("chat %d: %q", 1000+i, texts(got))
		}
	}
	answers, progress := 0, 0
	for _, c := range r.api.Calls("") {
		switch {
		case c.Code != 200:
			t.Errorf("%s was answered with %d", c.Method, c.Code)
		case c.Method == "editMessageText" && c.Params["text"] == "done":
			answers++
		case c.Method == "editMessageText":
			progress++
		}
	}
	t.Logf("%d answers and %d rewrites of progress in %v", answers, progress, took)
	// 400 messages that must go, at 25 a second, and the three seconds that the last one works.
	if answers != people || took > 22*time.Second {
		t.Errorf("%d answers in %v", answers, took)
	}
}

// Answers go before progress: while the bot has no room, all answers that wait are sent first.
func TestAnswersBeforeProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := virtual(t, telegramtest.Real(), telegram.Options{Rate: 25})
		var all sync.WaitGroup
		ids := map[int]string{}
		for i := range 60 {
			ids[i] = must[string](t)(r.Placeholder(t.Context(), r.hear(int64(1000+i)), "…", ""))
		}
		for i := range 30 {
			to := akitad.Origin{Chat: strconv.Itoa(1000 + i)}
			all.Go(func() { must[[]string](t)(r.Final(t.Context(), answer(to, ids[i], "done"))) })
		}
		synctest.Wait() // they wait
		for i := 30; i < 60; i++ {
			if err := r.Progress(t.Context(), akitad.Origin{Chat: strconv.Itoa(1000 + i)}, ids[i], "later"); err != nil {
				t.Error(err)
			}
		}
		all.Wait()
		if n := len(r.api.Calls("editMessageText")); n != 30 {
			t.Errorf("%d edits, want the 30 answers: progress is dropped", n)
		}
	})
}

// One chat that is refused slows itself only; three within five seconds pause the bot.
func TestWhomARefusalSlows(t *testing.T) {
	for _, tt := range []struct {
		refused []int64
		apart   time.Duration
		waits   bool // everybody else too
	}{
		{[]int64{1, 1, 1, 1}, 0, false}, {[]int64{1, 2}, 0, false}, {[]int64{1, 2, 3}, time.Second, true}, {[]int64{1, 2, 3}, 3 * time.Second, false},
	} {
		t.Run(fmt.Sprint(tt.refused, tt.apart), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := virtual(t, telegramtest.Rates{}, telegram.Options{Rate: 25})
				var all sync.WaitGroup
				for _, id := range tt.refused {
					to := r.hear(id)
					r.api.Fail(telegramtest.Fault{Method: "sendMessage", Chat: id, Code: 429, RetryAfter: 20, Description: "Too Many Requests: retry after 20"})
					all.Go(func() { must[[]string](t)(r.Final(t.Context(), answer(to, "", "x"))) })
					time.Sleep(tt.apart)
				}
				begin := time.Now()
				must[[]string](t)(r.Final(t.Context(), answer(r.hear(9), "", "y")))
				if waited := time.Since(begin) > 10*time.Second; waited != tt.waits {
					t.Errorf("another chat waited %v", time.Since(begin))
				}
				all.Wait()
				if got := len(r.api.FromBot(tt.refused[0])); got < 1 {
					t.Error("the refused answer is lost")
				}
			})
		})
	}
}

// A group gets no more than 20 messages a minute, and all of them in the end.
func TestAGroupsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := virtual(t, telegramtest.Real(), telegram.Options{Rate: 25})
		r.api.Say(7, -40, "@akita_bot hi", telegramtest.Said{})
		begin := time.Now()
		for i := range 50 {
			must[[]string](t)(r.Final(t.Context(), answer(akitad.Origin{Chat: "-40"}, "", fmt.Sprint(i))))
		}
		refused := slices.ContainsFunc(r.api.Calls("sendMessage"), func(c telegramtest.Call) bool { return c.Code != 200 })
		if n := len(r.api.FromBot(-40)); n != 50 || refused || time.Since(begin) < 2*time.Minute {
			t.Errorf("%d messages in %v, refused %v", n, time.Since(begin), refused)
		}
	})
}

// BenchmarkIncoming is one message from the service to the receiver, over loopback, acknowledged.
func BenchmarkIncoming(b *testing.B) {
	api := telegramtest.Start(b, telegramtest.Options{})
	tg, err := telegram.New(api.Token, telegram.Options{URL: api.URL, Rate: -1, Poll: 5 * time.Second})
	if err != nil {
		b.Fatal(err)
	}
	got := make(chan akitad.Message, 1)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- tg.Run(ctx, func(_ context.Context, m akitad.Message) error { got <- m; return nil }) }()
	for b.Loop() {
		api.Say(7, 0, "what is 2 + 3?", telegramtest.Said{})
		<-got
	}
	cancel()
	if err := <-ended; err != nil {
		b.Error(err)
	}
}
