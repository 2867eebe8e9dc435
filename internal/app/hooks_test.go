package app_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A chat service calls through a proxy with a name of its own: at the HTTP API's address, or at one of its
// own where there is nothing else. Nobody else is let in, and the API stays closed.
func TestChatByWebhook(t *testing.T) {
	for _, apart := range []bool{false, true} {
		t.Run(fmt.Sprint("apart ", apart), func(t *testing.T) {
			var target atomic.Pointer[url.URL]
			front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target.Load())
				r.Out.Host = "bot.example.org"
			}})
			t.Cleanup(front.Close)
			target.Store(&url.URL{Scheme: "http", Host: "127.0.0.1:1"})
			srv := telegramtest.Start(t, telegramtest.Options{})
			script := llmtest.New(t).On(llmtest.Any, llmtest.Text("hello Anna"))
			h := startChat(t, t.TempDir(), srv, script, func(c *config.Config) {
				c.Channels.Telegram.Mode, c.Channels.Telegram.WebhookURL = "webhook", front.URL+"/hooks/telegram"
				c.Channels.Telegram.WebhookSecret = config.NewSecret("a-secret")
				if apart {
					c.Hooks.Listen = "127.0.0.1:0"
				}
			})
			at := h.Admin.URL()
			if apart {
				at = "http://" + h.HookAddr
			}
			to, err := url.Parse(at)
			if err != nil {
				t.Fatal(err)
			}
			target.Store(to)
			h.say(anna, "hello")
			h.sees(anna, "hello Anna")
			for path, want := range map[string]int{"/hooks/telegram": http.StatusUnauthorized, "/hooks/other": http.StatusNotFound, "/hooks/": http.StatusNotFound} {
				if got := postTo(t, at+path, `{}`); got != want {
					t.Errorf("%s answers %d, want %d", path, got, want)
				}
			}
			want := http.StatusForbidden // the API, under a name that is not its own
			if apart {
				want = http.StatusNotFound
			}
			if got := postTo(t, front.URL+"/v1/tasks", `{"text":"hi"}`); got != want {
				t.Errorf("the API answers %d, want %d", got, want)
			}
			if got := postTo(t, at+"/hooks/telegram", strings.Repeat("x", 5<<20)); got/100 != 4 {
				t.Errorf("five megabytes are answered with %d", got)
			}
		})
	}
}

func postTo(t *testing.T, to, body string) int {
	t.Helper()
	resp, err := http.Post(to, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}
