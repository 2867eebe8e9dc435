package telegram_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

const conflict = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"

// Somebody else polls with the token for an hour: no more than a poll in 15 s or so, and no end of it.
func TestAnotherPollerForAnHour(t *testing.T) { synctest.Test(t, anotherPoller) }

func anotherPoller(t *testing.T) {
	r := virtual(t, telegramtest.Rates{}, telegram.Options{})
	r.api.Fail(telegramtest.Fault{Method: "getUpdates", Code: 409, Description: conflict, Times: -1})
	r.run(t, nil)
	time.Sleep(time.Hour)
	calls := r.api.Calls("getUpdates")
	if len(calls) < 100 || len(calls) > 300 {
		t.Errorf("%d polls in an hour, want about 120", len(calls))
	}
	gaps := map[time.Duration]bool{}
	for i := 1; i < len(calls); i++ {
		gap := calls[i].At.Sub(calls[i-1].At)
		gaps[gap] = true
		if gap > 45*time.Second+time.Millisecond {
			t.Errorf("a gap of %v", gap)
		}
	}
	if len(gaps) < len(calls)/2 {
		t.Errorf("%d different gaps in %d polls: no jitter", len(gaps), len(calls))
	}
	e, ok := errors.AsType[*akitad.Error](r.Health())
	if !ok || e.Kind != akitad.Unavailable || !strings.Contains(e.Hint, "same token") {
		t.Errorf("Health = %v", r.Health())
	}
	to := r.hear(7)
	must[[]string](t)(r.Final(t.Context(), answer(to, "", "it can still write")))
	r.api.Heal()
	if m := <-r.got; m.Text != "hi" {
		t.Errorf("message = %+v", m)
	}
	synctest.Wait()
	if r.Health() != nil {
		t.Errorf("Health = %v", r.Health())
	}
}

// A token that is taken back in the midst of things ends the polls, not the answers.
func TestTokenThatIsRevoked(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{})
	ended := make(chan error, 1)
	go func() {
		ended <- r.Run(soon(t), func(_ context.Context, m akitad.Message) error { r.got <- m; return nil })
	}()
	r.api.Say(7, 0, "hi", telegramtest.Said{})
	m := next(t, r)
	r.api.Fail(telegramtest.Fault{Method: "getUpdates", Code: 401, Description: "Unauthorized"})
	r.api.Say(7, 0, "wake up", telegramtest.Said{}) // ends the poll that waits
	if err := <-ended; akitad.KindOf(err) != akitad.Auth || akitad.KindOf(r.Health()) != akitad.Auth {
		t.Errorf("Run = %v, Health = %v", err, r.Health())
	}
	must[[]string](t)(r.Final(soon(t), answer(m.Origin, "", "delivered")))
	if got := texts(r.api.FromBot(7)); !slices.Equal(got, []string{"delivered"}) {
		t.Errorf("chat %q", got)
	}
}

// An answer that never comes, or never ends, is given up 10 s after the poll should have ended.
func TestSilentConnections(t *testing.T) {
	for name, fault := range map[string]telegramtest.Fault{
		"no answer": {Method: "getUpdates", Hang: true}, "half an answer": {Method: "getUpdates", Half: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := virtual(t, telegramtest.Rates{}, telegram.Options{Poll: 50 * time.Second})
				r.run(t, nil)
				time.Sleep(time.Second) // the first poll is a short one, and the second is on its way
				r.hear(7)
				<-r.got
				synctest.Wait() // the third is on its way
				r.api.Fail(fault)
				begin := time.Now()
				time.Sleep(51 * time.Second) // that poll has ended, and the next one meets the fault
				r.hear(7)
				<-r.got
				if took := time.Since(begin); took < 110*time.Second || took > 112*time.Second {
					t.Errorf("the poll after it came after %v, want 50 s, 60 s and a moment", took)
				}
			})
		})
	}
}

// The same over real sockets, where a connection is kept and must not be used again.
func TestHalfOpenSocket(t *testing.T) {
	t.Parallel() // it waits eleven seconds
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{Poll: time.Second})
	r.api.Fail(telegramtest.Fault{Method: "getUpdates", Half: true})
	r.hear(7)
	r.run(t, nil)
	if m := next(t, r); m.Text != "hi" {
		t.Errorf("message = %+v", m)
	}
}

func TestWrongOrderAndRepetitions(t *testing.T) { synctest.Test(t, wrongOrder) }

func wrongOrder(t *testing.T) {
	r := virtual(t, telegramtest.Rates{}, telegram.Options{})
	for _, text := range []string{"a", "b", "c"} {
		r.api.Say(7, 0, text, telegramtest.Said{})
	}
	r.api.Fail(telegramtest.Fault{Method: "getUpdates", Reverse: true})
	r.api.Fail(telegramtest.Fault{Method: "getUpdates", Reverse: true, Repeat: true})
	r.run(t, nil)
	synctest.Wait() // the second poll waits
	r.api.Say(7, 0, "d", telegramtest.Said{})
	synctest.Wait()
	var got []string
	for len(r.got) > 0 {
		got = append(got, (<-r.got).Text)
	}
	if want := []string{"a", "b", "c", "d"}; !slices.Equal(got, want) {
		t.Errorf("handed over %q, want %q", got, want)
	}
	if r.api.Confirmed() != 103 {
		t.Errorf("confirmed %d, want 103", r.api.Confirmed())
	}
}

// Updates that cannot be confirmed, or that the server gives again and again, do not make the poller spin.
func TestUpdatesThatMoveNothingOn(t *testing.T) {
	for name, fault := range map[string]telegramtest.Fault{
		"without a number":      {Code: 200, Body: `{"ok":true,"result":[{"update_id":"x","message":{}}]}`},
		"confirmed ones, again": {Code: 200, Body: `{"ok":true,"result":[{"update_id":100,"message":{"message_id":1,"text":"a"}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := virtual(t, telegramtest.Rates{}, telegram.Options{})
				r.api.Say(7, 0, "a", telegramtest.Said{})
				r.run(t, nil)
				next(t, r)
				synctest.Wait()
				fault.Method, fault.Times = "getUpdates", 1000
				r.api.Fail(fault)
				began := time.Now()
				r.api.Say(7, 0, "b", telegramtest.Said{}) // ends the poll that waits
				time.Sleep(time.Minute)
				if polls := len(r.api.Calls("getUpdates")); polls > int(time.Since(began)/time.Second)+5 {
					t.Errorf("%d polls in %v", polls, time.Since(began))
				}
			})
		})
	}
}

// An edit that times out is made again, and never becomes a second message.
func TestEditThatTimesOut(t *testing.T) { synctest.Test(t, editTimesOut) }

func editTimesOut(t *testing.T) {
	r := virtual(t, telegramtest.Rates{}, telegram.Options{})
	to := r.hear(7)
	id := must[string](t)(r.Placeholder(t.Context(), to, "…", ""))
	r.api.Fail(telegramtest.Fault{Method: "editMessageText", Hang: true, Apply: true})
	must[[]string](t)(r.Final(t.Context(), answer(to, id, "done")))
	if got := r.api.FromBot(7); len(got) != 1 || got[0].Text != "done" || len(r.api.Calls("sendMessage")) != 1 {
		t.Errorf("chat %q", texts(got))
	}
	r.api.Fail(telegramtest.Fault{Method: "editMessageText", Hang: true, Times: -1})
	_, err := r.Final(t.Context(), answer(to, id, "more"))
	if kind := akitad.KindOf(err); kind != akitad.Timeout || len(r.api.FromBot(7)) != 1 {
		t.Errorf("after all tries: %v, chat %q", err, texts(r.api.FromBot(7)))
	}
}

// A correction of what was said comes as one, and is no message.
func TestCorrectionsComeAsSuch(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	id := r.api.Say(7, 0, "helo", telegramtest.Said{})
	next(t, r)
	r.api.Correct(7, id, "hello")
	if m := next(t, r); !m.Edited || m.Text != "hello" || m.ID != "tg:edit:7:"+strconv.Itoa(id) {
		t.Errorf("the correction = %+v", m)
	}
	r.api.Say(7, 0, "next", telegramtest.Said{})
	if m := next(t, r); m.Edited || m.Text != "next" || m.ID != "tg:102" {
		t.Errorf("message = %+v", m)
	}
}

func TestMenuOfCommands(t *testing.T) {
	commands := []telegram.Command{
		{Name: "help", En: "what I can do", Zh: "我能做什么"},
		{Name: "status", En: "what is running"},
		{Name: "No-Such", En: "would be refused"},
		{Name: "empty"},
	}
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{Commands: commands})
	r.api.Fail(telegramtest.Fault{Method: "setMyCommands", Code: 502, Body: "<html>"})
	r.run(t, nil)
	if err := r.api.Wait(soon(t), func() bool { return len(r.api.Commands("zh")) > 0 }); err != nil {
		t.Fatal(err)
	}
	en, zh := r.api.Commands(""), r.api.Commands("zh")
	if !slices.Equal(en, []telegramtest.Command{{Command: "help", Description: "what I can do"}, {Command: "status", Description: "what is running"}}) {
		t.Errorf("menu = %+v", en)
	}
	if !slices.Equal(zh, []telegramtest.Command{{Command: "help", Description: "我能做什么"}, {Command: "status", Description: "what is running"}}) {
		t.Errorf("Chinese menu = %+v", zh)
	}
}

func TestMenuThatIsRefused(t *testing.T) { synctest.Test(t, menuRefused) }

func menuRefused(t *testing.T) {
	r := virtual(t, telegramtest.Rates{}, telegram.Options{Commands: []telegram.Command{{Name: "help", En: "help"}}})
	r.api.Fail(telegramtest.Fault{Method: "setMyCommands", Code: 500, Description: "Internal Server Error", Times: -1})
	r.run(t, nil)
	r.hear(7)
	<-r.got
	time.Sleep(time.Hour)
	if n := len(r.api.Calls("setMyCommands")); n != 5 || r.Health() != nil {
		t.Errorf("%d tries, health %v", n, r.Health())
	}
	warnings := r.logs.Filter(func(e observer.LoggedEntry) bool { return e.Level > zap.InfoLevel }).Len()
	if lines := r.logs.FilterMessageSnippet("menu of commands").Len(); lines != 1 || warnings != 0 {
		t.Errorf("%d lines in the log, %d warnings", lines, warnings)
	}
}

// A server that stands in for Telegram's need not know what is only nice to have.
func TestServerWithTheLeastOfMethods(t *testing.T) {
	missing := []string{"deleteWebhook", "getWebhookInfo", "setMyCommands", "sendChatAction", "setMessageReaction", "sendPhoto"}
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{Open: openText, Commands: []telegram.Command{{Name: "help", En: "help"}}})
	for _, method := range missing {
		r.api.Fail(telegramtest.Fault{Method: method, Code: 404, Description: "Not Found", Times: -1})
	}
	r.run(t, nil)
	r.api.Say(7, 0, "hi", telegramtest.Said{})
	m := next(t, r)
	d := answer(m.Origin, must[string](t)(r.Placeholder(soon(t), m.Origin, "…", "")), "here")
	d.Reply.Files = []akitad.File{{Name: "a.png"}}
	must[[]string](t)(r.Final(soon(t), d))
	if got := r.api.FromBot(7); len(got) != 2 || got[1].Kind != "document" || r.Health() != nil {
		t.Errorf("chat %q, health %v", texts(got), r.Health())
	}
}

// Progress is only a try, but what it learns of a group's new id holds for what follows.
func TestProgressLearnsANewId(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{})
	r.api.Say(7, -40, "@akita_bot hi", telegramtest.Said{})
	to := akitad.Origin{Chat: "-40"}
	id := must[string](t)(r.Placeholder(soon(t), to, "…", ""))
	r.api.Migrate(-40, -1001557000001)
	if err := r.Progress(soon(t), to, id, "step 1"); err != nil {
		t.Errorf("Progress = %v", err)
	}
	must[[]string](t)(r.Final(soon(t), answer(to, id, "done")))
	if got := texts(r.api.FromBot(-1001557000001)); !slices.Equal(got, []string{"done"}) {
		t.Errorf("chat %q", got)
	}
	if n := len(r.api.Calls("editMessageText")); n != 2 || r.api.Calls("editMessageText")[1].Params["chat_id"] != "-1001557000001" {
		t.Errorf("%d edits", n)
	}
}

// A bot that nobody writes to is known to receive at once, not when its first poll is over.
func TestHealthOfABotThatNobodyWritesTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := virtual(t, telegramtest.Rates{}, telegram.Options{Poll: 50 * time.Second}).run(t, nil)
		time.Sleep(time.Second)
		if err := r.Health(); err != nil {
			t.Errorf("after a second: %v", err)
		}
	})
}
