package telegram_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

var (
	_ channels.Hooked  = (*telegram.Telegram)(nil)
	_ channels.Asker   = (*telegram.Telegram)(nil)
	_ channels.Fetcher = (*telegram.Telegram)(nil)
)

const secret = "s3cret_-"

// hooked gives a bot in webhook mode, and the address at which its hook is served.
func hooked(t *testing.T, opts telegram.Options) (r *rig, address string) {
	t.Helper()
	var tg atomic.Pointer[rig]
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { tg.Load().Hook().ServeHTTP(w, q) }))
	t.Cleanup(web.Close)
	api := telegramtest.Start(t, telegramtest.Options{})
	opts.Mode, opts.WebhookURL, opts.WebhookSecret = telegram.ModeWebhook, web.URL+"/hooks/telegram", secret
	r = connect(t, api, opts)
	tg.Store(r)
	return r, opts.WebhookURL
}

// listening waits until the webhook is set.
func (r *rig) listening(t *testing.T) *rig {
	t.Helper()
	if err := r.api.Wait(soon(t), func() bool { return r.api.Webhook() != "" }); err != nil {
		t.Fatal("the webhook is not set", err)
	}
	return r
}

// healthy waits until nothing is wrong.
func (r *rig) healthy(t *testing.T) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := soon(t); r.Health() != nil; {
		select {
		case <-tick.C:
		case <-deadline.Done():
			t.Fatalf("Health = %v", r.Health())
		}
	}
}

func TestWebhookBringsMessages(t *testing.T) {
	r, address := hooked(t, telegram.Options{})
	failures := make(chan string, 3)
	r.run(t, func(_ context.Context, m akitad.Message) error {
		if len(failures) < 2 {
			failures <- m.ID
			return errors.New("the disk is full")
		}
		r.got <- m
		return nil
	})
	r.api.Say(7, 0, "one", telegramtest.Said{UpdateID: 100})
	r.api.Say(7, 0, "two", telegramtest.Said{})
	for _, want := range []string{"one", "two"} {
		if m := next(t, r); m.Text != want {
			t.Errorf("message %q, want %q: in order, and again after a failure", m.Text, want)
		}
	}
	if a, b := <-failures, <-failures; a != "tg:100" || b != "tg:100" {
		t.Errorf("handed over as %q and %q", a, b)
	}
	if err := r.api.Wait(soon(t), func() bool { return r.api.Confirmed() == 101 }); err != nil {
		t.Errorf("confirmed %d", r.api.Confirmed())
	}
	set := r.api.Calls("setWebhook")[0].Params
	r.healthy(t)
	if set["url"] != address || set["secret_token"] != secret || set["allowed_updates"] != `["message","edited_message","callback_query"]` {
		t.Errorf("set %v", set)
	}
	if polls := r.api.Calls("getUpdates"); len(polls) != 0 {
		t.Error("it polls too")
	}
}

func TestWebhookIsSetAgainAfterFailures(t *testing.T) {
	r, _ := hooked(t, telegram.Options{})
	r.api.Fail(telegramtest.Fault{Method: "setWebhook", Code: 502, Body: "<html>"})
	r.api.Fail(telegramtest.Fault{Method: "getMe", Code: 429, RetryAfter: 1, Description: "Too Many Requests: retry after 1"})
	r.run(t, nil).listening(t)
	r.api.Say(7, 0, "hi", telegramtest.Said{})
	next(t, r)
	r.healthy(t)
	if n := len(r.api.Calls("setWebhook")); n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
}

func TestWebhookOfAWrongTokenEndsRun(t *testing.T) {
	r, _ := hooked(t, telegram.Options{})
	r.api.Fail(telegramtest.Fault{Method: "getMe", Code: 401, Description: "Unauthorized", Times: -1})
	if err := r.Run(soon(t), nil); akitad.KindOf(err) != akitad.Auth || akitad.KindOf(r.Health()) != akitad.Auth {
		t.Errorf("Run = %v, Health = %v", err, r.Health())
	}
}

// call makes one request to the hook and gives the status.
func (r *rig) call(method, token, body string) int {
	q := httptest.NewRequest(method, "/hooks/telegram", strings.NewReader(body))
	if token != "" {
		q.Header.Set("X-Telegram-Bot-Api-Secret-Token", token)
	}
	w := httptest.NewRecorder()
	r.Hook().ServeHTTP(w, q)
	return w.Code
}

const hookedHi = `{"update_id":1,"message":{"message_id":5,"date":1,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"hi"}}`

func TestHookAnswers(t *testing.T) {
	r, _ := hooked(t, telegram.Options{})
	if code := r.call("POST", secret, hookedHi); code != 503 {
		t.Errorf("before Run: %d, want 503", code)
	}
	r.run(t, func(_ context.Context, m akitad.Message) error {
		switch m.Text {
		case "full":
			return errors.New("the disk is full")
		case "bad":
			return akitad.Errorf(akitad.InvalidRequest, "too long")
		}
		r.got <- m
		return nil
	}).listening(t)
	text := func(id, text string) string {
		return strings.Replace(strings.Replace(hookedHi, `"update_id":1`, `"update_id":`+id, 1), `"hi"`, `"`+text+`"`, 1)
	}
	for _, tt := range []struct {
		name, method, token, body string
		code, taken               int
	}{
		{"no secret", "POST", "", hookedHi, 401, 0},
		{"a wrong secret", "POST", "s3cret", hookedHi, 401, 0},
		{"a longer secret", "POST", secret + "x", hookedHi, 401, 0},
		{"no secret, and too large", "POST", "", strings.Repeat("x", 2<<20), 401, 0},
		{"a visit", "GET", secret, "", 405, 0},
		{"a message", "POST", secret, hookedHi, 200, 1},
		{"the same message", "POST", secret, hookedHi, 200, 0},
		{"one that cannot be taken", "POST", secret, text("2", "full"), 503, 0},
		{"the same, which can be taken now", "POST", secret, text("2", "empty again"), 200, 1},
		{"one that is refused for good", "POST", secret, text("3", "bad"), 200, 0},
		{"too large", "POST", secret, text("4", strings.Repeat("x", 1<<20)), 413, 0},
		{"almost too large", "POST", secret, text("5", strings.Repeat("x", 1<<20-300)), 200, 1},
		{"no JSON", "POST", secret, "<html>", 200, 0},
		{"nothing", "POST", secret, "", 200, 0},
		{"null", "POST", secret, "null", 200, 0},
		{"an array", "POST", secret, "[1]", 200, 0},
		{"a member", "POST", secret, `{"update_id":6,"my_chat_member":{}}`, 200, 0},
		{"an edit", "POST", secret, `{"update_id":7,"edited_message":{"message_id":5,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"fixed"}}`, 200, 0},
		{"a channel's post", "POST", secret, `{"update_id":8,"channel_post":{"message_id":5,"chat":{"id":-7,"type":"channel"},"text":"news"}}`, 200, 0},
		{"nil pieces", "POST", secret, `{"update_id":9,"message":{"message_id":5,"from":null,"chat":null,"text":null,"photo":null}}`, 200, 0},
		{"fields from the future", "POST", secret, `{"update_id":10,"telepathy":{"x":[1]},"message":{"message_id":5,"mood":{},"from":{"id":7,"soul":1},"chat":{"id":7,"type":"private"},"text":"hi","forward_origin":{"type":"dream"}}}`, 200, 1},
		{"no update id", "POST", secret, strings.Replace(hookedHi, `"update_id":1,`, "", 1), 200, 0},
		{"a press of nothing", "POST", secret, `{"update_id":11,"callback_query":{"id":"1","from":{"id":7}}}`, 200, 0},
	} {
		if code := r.call(tt.method, tt.token, tt.body); code != tt.code || len(r.got) != tt.taken {
			t.Errorf("%s: %d with %d messages, want %d with %d", tt.name, code, len(r.got), tt.code, tt.taken)
		}
		for len(r.got) > 0 {
			<-r.got
		}
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if code := r.call("POST", secret, text("12", "late")); code != 503 {
		t.Errorf("after Run: %d, want 503", code)
	}
}

// Telegram delivers an update by two calls at once where the webhook is set again meanwhile.
func TestHookTakesAnUpdateOnce(t *testing.T) {
	r, _ := hooked(t, telegram.Options{})
	inside, fail := make(chan struct{}), make(chan error)
	r.run(t, func(context.Context, akitad.Message) error {
		inside <- struct{}{}
		return <-fail
	}).listening(t)
	codes := make(chan int, 1)
	call := func() { codes <- r.call("POST", secret, hookedHi) }
	for _, tt := range []struct {
		err  error
		code int
	}{{errors.New("the disk is full"), 503}, {nil, 200}} {
		go call()
		<-inside
		if code := r.call("POST", secret, hookedHi); code != 503 {
			t.Errorf("while the first call is at work: %d, want 503", code)
		}
		fail <- tt.err
		if code := <-codes; code != tt.code {
			t.Errorf("the first call: %d, want %d", code, tt.code)
		}
	}
	if code := r.call("POST", secret, hookedHi); code != 200 {
		t.Errorf("once it was taken: %d, want 200", code)
	}
}

func TestHookOfABotThatPollsIsClosed(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{WebhookSecret: secret}).run(t, nil)
	if code := r.call("POST", secret, hookedHi); code != 401 {
		t.Errorf("%d, want 401", code)
	}
}

// The stop ends what is under way, and it comes again after the next start.
func TestStopWhileAHookWaits(t *testing.T) {
	r, _ := hooked(t, telegram.Options{})
	under := make(chan struct{}, 1)
	r.run(t, func(ctx context.Context, _ akitad.Message) error {
		under <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}).listening(t)
	code := make(chan int, 1)
	go func() { code <- r.call("POST", secret, hookedHi) }()
	<-under
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	if got := <-code; got != 503 {
		t.Errorf("%d, want 503", got)
	}
}

func TestPollingTakesAWebhookAwayAndKeepsWhatWaits(t *testing.T) {
	api := telegramtest.Start(t, telegramtest.Options{})
	setHook := func() {
		resp, err := http.PostForm(api.URL+"/bot"+api.Token+"/setWebhook", map[string][]string{"url": {"https://127.0.0.1:1/gone"}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	setHook()
	api.Say(7, 0, "waited", telegramtest.Said{})
	r := connect(t, api, telegram.Options{}).run(t, nil)
	if m := next(t, r); m.Text != "waited" || api.Webhook() != "" {
		t.Errorf("message %+v, webhook %q", m, api.Webhook())
	}
	setHook() // another program does it, while a poll waits
	api.Say(7, 0, "again", telegramtest.Said{})
	if m := next(t, r); m.Text != "again" || api.Webhook() != "" {
		t.Errorf("message %+v, webhook %q", m, api.Webhook())
	}
	if drop := slices.ContainsFunc(api.Calls("deleteWebhook"), func(c telegramtest.Call) bool { return c.Params["drop_pending_updates"] == "true" }); drop {
		t.Error("pending updates were dropped")
	}
}

func TestNewRefusesHalfAWebhook(t *testing.T) {
	ok := telegram.Options{Mode: telegram.ModeWebhook, WebhookURL: "https://bot.example.com/hooks/telegram", WebhookSecret: secret}
	if _, err := telegram.New("1:a", ok); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*telegram.Options){
		"another mode":         func(o *telegram.Options) { o.Mode = "push" },
		"no address":           func(o *telegram.Options) { o.WebhookURL = "" },
		"no host":              func(o *telegram.Options) { o.WebhookURL = "bot.example.com/hooks" },
		"no secret":            func(o *telegram.Options) { o.WebhookSecret = "" },
		"a secret with spaces": func(o *telegram.Options) { o.WebhookSecret = "a b" },
		"a long secret":        func(o *telegram.Options) { o.WebhookSecret = strings.Repeat("x", 257) },
	} {
		opts := ok
		change(&opts)
		_, err := telegram.New("1:a", opts)
		if e, isOurs := errors.AsType[*akitad.Error](err); !isOurs || e.Kind != akitad.InvalidRequest || e.Hint == "" {
			t.Errorf("%s: %v, want invalid_request with a hint", name, err)
		}
	}
}

// Every five minutes the bot looks whether the webhook is still its own and works.
func TestWebhookIsKept(t *testing.T) { synctest.Test(t, webhookIsKept) }

func webhookIsKept(t *testing.T) {
	s := newService(t, telegram.ModeWebhook)
	tg := s.Channel(t, nil).(*telegram.Telegram)
	var full atomic.Bool
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- tg.Run(ctx, func(context.Context, akitad.Message) error {
			if full.Load() {
				return errors.New("the disk is full")
			}
			return nil
		})
	}()
	later := func() {
		time.Sleep(5*time.Minute + time.Second)
		synctest.Wait()
	}
	later()
	if s.Webhook() != hookURL || tg.Health() != nil {
		t.Errorf("webhook %q, health %v", s.Webhook(), tg.Health())
	}
	resp, err := s.client.PostForm(s.URL+"/bot"+s.Token+"/deleteWebhook", nil) // another program does
	if err != nil || resp.StatusCode != 200 {
		t.Fatal(resp, err)
	}
	later()
	if n := len(s.Calls("setWebhook")); s.Webhook() != hookURL || n != 2 {
		t.Errorf("webhook %q, set %d times", s.Webhook(), n)
	}
	full.Store(true)
	s.Server.Say(7, 0, "hi", telegramtest.Said{})
	later()
	if h := tg.Health(); h == nil || !strings.Contains(h.Error(), "cannot deliver") {
		t.Errorf("health %v", h)
	}
	full.Store(false)
	later()
	if s.Confirmed() != 100 || tg.Health() != nil || len(s.Calls("setWebhook")) != 2 {
		t.Errorf("confirmed %d, health %v, set %d times", s.Confirmed(), tg.Health(), len(s.Calls("setWebhook")))
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
