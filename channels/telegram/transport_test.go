package telegram_test

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// flaky is a network that cannot be reached at first.
type flaky struct {
	mu   sync.Mutex
	fail int
}

func (f *flaky) RoundTrip(r *http.Request) (*http.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail--; f.fail >= 0 {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestNewRefuses(t *testing.T) {
	ok := telegram.Options{}
	for _, tt := range []struct {
		name, token string
		opts        telegram.Options
	}{
		{"no token", "", ok},
		{"a token of two lines", "1:a\nb", ok},
		{"a token with a slash", "1:a/../b", ok},
		{"no URL", "1:a", telegram.Options{URL: "api.telegram.org"}},
		{"a file", "1:a", telegram.Options{URL: "file:///etc/passwd"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := telegram.New(tt.token, tt.opts)
			e, isOurs := errors.AsType[*akitad.Error](err)
			if !isOurs || e.Kind != akitad.InvalidRequest || e.Hint == "" {
				t.Fatalf("New = %v, want invalid_request with a hint", err)
			}
			if tt.token != "" && strings.Contains(e.Error()+e.Hint, tt.token) {
				t.Errorf("%q shows the token", err)
			}
		})
	}
	if _, err := telegram.New("1:a", telegram.Options{}); err != nil {
		t.Errorf("New = %v", err)
	}
}

func TestWrongTokenEndsRun(t *testing.T) {
	api := telegramtest.Start(t, telegramtest.Options{})
	tg, err := telegram.New("1:wrong", telegram.Options{URL: api.URL})
	if err != nil {
		t.Fatal(err)
	}
	err = tg.Run(soon(t), nil)
	e, ok := errors.AsType[*akitad.Error](err)
	if !ok || e.Kind != akitad.Auth || !strings.Contains(e.Hint, "TELEGRAM_BOT_TOKEN") {
		t.Errorf("Run = %v", err)
	}
	if tg.Health() == nil {
		t.Error("Health says that it receives")
	}
}

func TestPollGoesOnAfterTrouble(t *testing.T) {
	for _, tt := range []struct {
		name    string
		fault   telegramtest.Fault
		atLeast time.Duration
		log     string
	}{
		{"another poller, once", telegramtest.Fault{Code: 409, Description: "Conflict: terminated by other getUpdates request"}, 0, "another program polls with this token"},
		{"too many requests", telegramtest.Fault{Code: 429, Description: "Too Many Requests: retry after 1", RetryAfter: 1}, time.Second, "telegram poll failed"},
		{"a gateway", telegramtest.Fault{Code: 502, Body: "<html>"}, 0, "telegram poll failed"},
		{"a page in place of an answer", telegramtest.Fault{Code: 200, Body: "<html>login</html>"}, 0, "telegram poll failed"},
		{"a page of a proxy that knows no such path", telegramtest.Fault{Code: 404, Body: "<html>not found</html>"}, 0, "telegram poll failed"},
		{"a proxy that wants to know who asks", telegramtest.Fault{Code: 401, Body: `{"error":"unauthorized"}`}, 0, "telegram poll failed"},
		{"a wait below nothing", telegramtest.Fault{Code: 429, Body: `{"ok":false,"error_code":429,"parameters":{"retry_after":-5}}`}, time.Second, "telegram poll failed"},
		{"a wait of part of a second", telegramtest.Fault{Code: 429, Body: `{"ok":false,"error_code":429,"parameters":{"retry_after":1.5}}`}, 1500 * time.Millisecond, "telegram poll failed"},
		{"a wait that is no number", telegramtest.Fault{Code: 429, Body: `{"ok":false,"error_code":429,"parameters":{"retry_after":{}}}`}, time.Second, "telegram poll failed"},
		{"a broken connection", telegramtest.Fault{Drop: true}, 0, "telegram poll failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{})
			tt.fault.Method = "getUpdates"
			r.api.Fail(tt.fault)
			r.api.Say(7, 0, "hi", telegramtest.Said{})
			begin := time.Now()
			r.run(t, nil)
			if m := next(t, r); m.Text != "hi" {
				t.Errorf("message = %+v", m)
			}
			if took := time.Since(begin); took < tt.atLeast {
				t.Errorf("went on after %v, want %v", took, tt.atLeast)
			}
			found := false
			for _, e := range r.logs.All() {
				found = found || strings.Contains(e.Message, tt.log)
			}
			if !found || r.Health() != nil {
				t.Errorf("logged %v, health %v", found, r.Health())
			}
		})
	}
}

func TestTwoPollersOneToken(t *testing.T) {
	api := telegramtest.Start(t, telegramtest.Options{})
	api.Fail(telegramtest.Fault{Method: "getUpdates", Code: 409, Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running", Times: -1})
	r := connect(t, api, telegram.Options{}).run(t, nil)
	err := api.Wait(soon(t), func() bool {
		return len(api.Calls("getUpdates")) >= 3
	})
	if err != nil {
		t.Fatal(err)
	}
	e, ok := errors.AsType[*akitad.Error](r.Health())
	if !ok || e.Kind != akitad.Unavailable || !strings.Contains(e.Hint, "same token") {
		t.Errorf("Health = %v", r.Health())
	}
	calls := api.Calls("getUpdates")
	if gap := calls[2].At.Sub(calls[0].At); gap < 300*time.Millisecond {
		t.Errorf("three polls in %v: it spins", gap)
	}
	api.Heal()
	api.Say(7, 0, "back", telegramtest.Said{})
	if m := next(t, r); m.Text != "back" {
		t.Errorf("message = %+v", m)
	}
}

func TestStartsBeforeTheNetworkDoes(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{Privacy: true}), telegram.Options{Groups: true, HTTP: &http.Client{Transport: &flaky{fail: 2}}})
	if r.Health() == nil {
		t.Error("healthy before the first poll")
	}
	r.run(t, nil)
	r.api.Say(7, 0, "hi", telegramtest.Said{})
	if m := next(t, r); m.Text != "hi" {
		t.Errorf("message = %+v", m)
	}
	warned := false
	for _, e := range r.logs.All() {
		warned = warned || strings.Contains(e.Message, "/setprivacy")
	}
	if !warned {
		t.Error("no word about privacy mode")
	}
}

// The token stands in every URL; nothing that goes wrong may show it.
func TestTokenNeverShows(t *testing.T) {
	api := telegramtest.Start(t, telegramtest.Options{})
	r := connect(t, api, telegram.Options{})
	api.Say(7, 0, "hi", telegramtest.Said{})
	to := akitad.Origin{Chat: "7", Message: "1"}
	var seen []string
	note := func(err error) {
		for ; err != nil; err = errors.Unwrap(err) {
			seen = append(seen, err.Error())
		}
	}
	for _, f := range []telegramtest.Fault{
		{Drop: true}, {Code: 502, Body: "<html>" + api.Token}, {Code: 400, Description: "Bad Request: x"}, {Code: 302, Body: "moved"},
	} {
		api.Fail(f)
		_, err := r.Final(soon(t), answer(to, "", "x"))
		note(err)
	}
	dead, err := telegram.New(api.Token, telegram.Options{URL: "http://127.0.0.1:1", Rate: -1, HTTP: &http.Client{Transport: &refusing{}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = dead.Placeholder(soon(t), to, "x", "")
	note(err)
	note(dead.Typing(soon(t), to))
	for _, e := range r.logs.All() {
		seen = append(seen, e.Message)
		for _, v := range e.ContextMap() {
			if s, ok := v.(string); ok {
				seen = append(seen, s)
			}
		}
	}
	if len(seen) < 10 {
		t.Fatalf("only %d texts to look at: %q", len(seen), seen)
	}
	for _, s := range seen {
		if strings.Contains(s, "test-token") {
			t.Errorf("%q shows the token", s)
		}
	}
}

// refusing fails with the URL in its error, as some proxies' clients do.
type refusing struct{}

func (*refusing) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, errors.New("cannot reach " + r.URL.String())
}
