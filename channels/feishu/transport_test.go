package feishu_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

// A token that is refused, with whatever status, is fetched anew, and the request is made once more.
func TestTokenIsRefused(t *testing.T) {
	for _, status := range []int{200, 400, 401} {
		bubble(t, feishutest.Options{}, func(r *rig) {
			r.run()
			to := r.meet()
			r.ExpireTokens(status)
			ids := r.final(reply(to, "", "the answer"))
			if len(ids) != 1 || len(r.Calls("token")) != 2 || len(r.Calls("reply")) != 2 {
				t.Errorf("HTTP %d: %d messages, %d tokens, %d requests", status, len(ids), len(r.Calls("token")), len(r.Calls("reply")))
			}
			for _, code := range []int{99991661, 99991664, 99991668} {
				before := len(r.Calls("token"))
				r.Fail(feishutest.Fault{Method: "reply", Code: code, Status: status})
				r.final(reply(to, "", fmt.Sprint("again ", code)))
				if n := len(r.Calls("token")) - before; n != 1 {
					t.Errorf("after %d %d tokens were fetched", code, n)
				}
			}
		})
	}
}

// One that is refused each time is not asked for again and again.
func TestTokenIsRefusedForGood(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		to := r.meet()
		r.Fail(feishutest.Fault{Method: "reply", Code: 99991663, Times: -1})
		_, err := r.f.Final(r.t.Context(), reply(to, "", "x"))
		if n := len(r.Calls("token")); akitad.KindOf(err) != akitad.Auth || n != 2 {
			t.Errorf("%v (%s) after %d tokens", err, akitad.KindOf(err), n)
		}
	})
}

// Many who need a token at once fetch one, and a new one shortly before the old one ends.
func TestOneToken(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		to := r.meet()
		r.ExpireTokens(400)
		r.Fail(feishutest.Fault{Method: "token", Delay: time.Second})
		ready := make(chan struct{})
		for range 20 {
			go func() {
				if err := r.f.Receipt(r.t.Context(), to); err != nil {
					t.Error(err)
				}
				ready <- struct{}{}
			}()
		}
		for range 20 {
			<-ready
		}
		if n := len(r.Calls("token")); n != 2 {
			t.Errorf("%d tokens were fetched, want the first and one more", n)
		}
		time.Sleep(7200*time.Second - 6*time.Minute)
		r.final(reply(to, "", "within its time"))
		if n := len(r.Calls("token")); n != 2 {
			t.Errorf("%d tokens were fetched within the time of the second", n)
		}
		time.Sleep(2 * time.Minute)
		r.final(reply(to, "", "shortly before its end"))
		if n := len(r.Calls("token")); n != 3 {
			t.Errorf("%d tokens were fetched shortly before the end of the second", n)
		}
	})
}

// Fragments are joined, whatever their size; what is missing comes again.
func TestFragments(t *testing.T) {
	for _, size := range []int{1 << 20, 999, 64, 8} {
		bubble(t, feishutest.Options{Fragment: size}, func(r *rig) {
			r.run()
			text := strings.Repeat("一二三 ", 200)
			r.Say(feishutest.Said{From: anna, Text: text})
			if size < 64 { // over 256 fragments: no event of the service has so many
				r.none(time.Hour)
				return
			}
			if m := r.next(); m.Text != text {
				t.Errorf("in frames of %d bytes came %d bytes", size, len(m.Text))
			}
			time.Sleep(time.Minute)
			if a := r.Acks(); len(a) != 1 || a[0].Code != http.StatusOK {
				t.Errorf("answers: %+v", a)
			}
		})
	}
}

// A connection that is half open, with no end that anybody is told of, is found within three pings.
func TestHalfOpen(t *testing.T) {
	bubble(t, feishutest.Options{Ping: 120}, func(r *rig) {
		r.run()
		r.meet()
		time.Sleep(10 * time.Minute)
		r.Freeze()
		frozen := time.Now()
		for r.f.Health() == nil && time.Since(frozen) < time.Hour {
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(frozen); took > 3*120*time.Second {
			t.Errorf("found after %v", took)
		}
		if err := r.f.Health(); err == nil || !strings.Contains(err.Error(), "ping") {
			t.Errorf("health = %v", err)
		}
		r.meet()
		if err := r.f.Health(); err != nil {
			t.Errorf("connected again, and health = %v", err)
		}
	})
}

// A quiet connection is kept by pings, at the interval that the service last said.
func TestPings(t *testing.T) {
	bubble(t, feishutest.Options{Ping: 100}, func(r *rig) {
		r.run()
		r.meet()
		time.Sleep(1050 * time.Second)
		if n := len(r.Calls("ping")); n < 10 || n > 12 {
			t.Errorf("%d pings in 1050 s at an interval of 100 s", n)
		}
		r.SetPing(10) // the next pong says so
		time.Sleep(105 * time.Second)
		before := len(r.Calls("ping"))
		time.Sleep(100 * time.Second)
		if n := len(r.Calls("ping")) - before; n < 9 || n > 11 {
			t.Errorf("%d pings in 100 s at an interval of 10 s", n)
		}
		if n := len(r.Calls("endpoint")); n != 1 {
			t.Errorf("%d connections", n)
		}
		r.Tell(map[string]string{"type": "pong"}, "{broken")
		r.Tell(map[string]string{"type": "ping"}, "")
		r.meet()
	})
}

// A lost connection is made again, after a wait that the service bounds; nothing is lost.
func TestReconnects(t *testing.T) {
	bubble(t, feishutest.Options{Nonce: 30}, func(r *rig) {
		r.run()
		r.meet()
		var longest time.Duration
		for range 8 {
			time.Sleep(10 * time.Minute)
			r.Drop()
			lost := time.Now()
			r.Say(feishutest.Said{From: anna, Text: "meanwhile"})
			if m := r.next(); m.Text != "meanwhile" {
				t.Errorf("got %q", m.Text)
			}
			took := time.Since(lost)
			longest = max(longest, took)
			if took > 40*time.Second {
				t.Errorf("connected again after %v", took)
			}
		}
		if longest < 3*time.Second { // one in a hundred million
			t.Errorf("the waits are not drawn from 30 s: the longest was %v", longest)
		}
	})
}

// A service that breaks every connection at once is not run over.
func TestReconnectsSlower(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.run()
		r.meet()
		until := time.Now().Add(time.Hour)
		for time.Now().Before(until) {
			r.Drop()
			time.Sleep(100 * time.Millisecond)
		}
		if n := len(r.Calls("endpoint")); n > 200 {
			t.Errorf("%d connections in an hour", n)
		}
	})
}

// What the service says instead of an address decides whether it is asked again.
func TestEndpointRefusals(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault feishutest.Fault
		want  akitad.Kind // with which Run gives up; "" if it does not
	}{
		{"busy", feishutest.Fault{Method: "endpoint", Code: 1, Status: 200}, ""},
		{"internal", feishutest.Fault{Method: "endpoint", Code: 1000040343, Status: 200}, ""},
		{"a page", feishutest.Fault{Method: "endpoint", Status: 502, Body: "<html>"}, ""},
		{"a network that wants a login", feishutest.Fault{Method: "endpoint", Status: 302, Body: "<html>"}, ""},
		{"a proxy that wants a login", feishutest.Fault{Method: "endpoint", Status: 401, Body: "<html>"}, ""},
		{"an address that is none", feishutest.Fault{Method: "endpoint", Status: 200, Body: `{"code":0,"data":{"URL":"ftp://x"}}`}, ""},
		{"forbidden", feishutest.Fault{Method: "endpoint", Code: 403, Status: 200}, akitad.Auth},
		{"credentials", feishutest.Fault{Method: "endpoint", Code: 514, Status: 200}, akitad.Auth},
		{"too many connections for a moment", feishutest.Fault{Method: "endpoint", Code: 1000040350, Status: 200, Times: 3}, ""},
		{"too many connections", feishutest.Fault{Method: "endpoint", Code: 1000040350, Status: 200, Times: -1}, akitad.Unavailable},
		{"handshake: credentials", feishutest.Fault{Method: "connect", Status: 514}, akitad.Auth},
		{"handshake: too many", feishutest.Fault{Method: "connect", Status: 514, Code: 1000040350, Times: -1}, akitad.Unavailable},
		{"handshake: other", feishutest.Fault{Method: "connect", Status: 500}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, feishutest.Options{}, func(r *rig) {
				r.Fail(tt.fault)
				r.run()
				if tt.want == "" {
					r.meet()
					return
				}
				err := <-r.ran
				r.stop = nil
				if akitad.KindOf(err) != tt.want || akitad.KindOf(r.f.Health()) != tt.want {
					t.Errorf("Run = %v (%s), health = %v, want %s", err, akitad.KindOf(err), r.f.Health(), tt.want)
				}
			})
		})
	}
}

// Wrong credentials end Run, with a word on what to do and without the secret.
func TestWrongSecret(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		f, err := feishu.New(r.AppID, "wrong-secret", feishu.Options{URL: r.URL, HTTP: r.http})
		if err != nil {
			t.Fatal(err)
		}
		err = f.Run(r.t.Context(), nil)
		if akitad.KindOf(err) != akitad.Auth || strings.Contains(fmt.Sprintf("%+v", err), "wrong-secret") || f.Health() == nil {
			t.Errorf("Run = %v (%s), health = %v", err, akitad.KindOf(err), f.Health())
		}
	})
}

// A bot that cannot find out who it is takes nothing, and tries again.
func TestUnknownBot(t *testing.T) {
	bubble(t, feishutest.Options{}, func(r *rig) {
		r.Fail(feishutest.Fault{Method: "info", Status: 502, Body: "<html>", Times: 3})
		r.run()
		time.Sleep(100 * time.Millisecond)
		if r.f.Health() == nil || r.Connected() != 0 {
			t.Error("it is connected and does not know who it is")
		}
		r.meet()
	})
}

// The end of Run while it tries to connect.
func TestEndsWhileConnecting(t *testing.T) {
	for _, method := range []string{"token", "info", "endpoint"} {
		bubble(t, feishutest.Options{}, func(r *rig) {
			r.Fail(feishutest.Fault{Method: method, Hang: true, Times: -1})
			r.run()
			time.Sleep(time.Minute)
			r.end()
		})
	}
}

func TestNewRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		id, secret string
		opts       feishu.Options
	}{
		"no id":                   {secret: "s"},
		"no secret":               {id: "cli_1"},
		"no URL":                  {"cli_1", "s", feishu.Options{URL: "open.feishu.cn"}},
		"another scheme":          {"cli_1", "s", feishu.Options{URL: "ftp://open.feishu.cn"}},
		"unknown mode":            {"cli_1", "s", feishu.Options{Mode: "poll"}},
		"webhook without a key":   {"cli_1", "s", feishu.Options{Mode: feishu.ModeWebhook, VerifyToken: "v"}},
		"webhook without a token": {"cli_1", "s", feishu.Options{Mode: feishu.ModeWebhook, EncryptKey: "k"}},
	} {
		if _, err := feishu.New(tt.id, tt.secret, tt.opts); akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f, err := feishu.New("cli_1", "s", feishu.Options{}); err != nil || f.Name() != "feishu" {
		t.Error(err)
	}
}

// At an https service the long connection is not made in the clear.
func TestSafeAddress(t *testing.T) {
	transport := answering(func(r *http.Request) string {
		if strings.HasSuffix(r.URL.Path, "/endpoint") {
			return `{"code":0,"data":{"URL":"ws://elsewhere.test/?ticket=t&service_id=1"}}`
		}
		return `{"code":0,"tenant_access_token":"t","expire":7200,"bot":{"open_id":"ou_bot"}}`
	})
	f, err := feishu.New("cli_1", "s", feishu.Options{URL: "https://feishu.test", HTTP: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx, nil) }()
	for !strings.Contains(fmt.Sprint(f.Health()), "as safe as") {
		if len(ended) > 0 {
			t.Fatal("Run has ended")
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// By TLS, too, at a server that would rather speak HTTP/2.
func TestTLS(t *testing.T) {
	s := feishutest.New(feishutest.Options{})
	web := httptest.NewUnstartedServer(s.Handler())
	web.EnableHTTP2 = true
	web.StartTLS()
	t.Cleanup(func() { s.Close(); web.Close() })
	f, err := feishu.New(s.AppID, s.Secret, feishu.Options{URL: web.URL, HTTP: web.Client()})
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan akitad.Message, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx, func(_ context.Context, m akitad.Message) error { got <- m; return nil }) }()
	s.Say(feishutest.Said{From: anna, Text: "in secret"})
	select {
	case m := <-got:
		if m.Text != "in secret" {
			t.Errorf("got %q", m.Text)
		}
	case <-time.After(2 * time.Minute):
		t.Errorf("nothing came: %v", f.Health())
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
