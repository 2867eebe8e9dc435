package telegramtest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// site is where a webhook leads to.
type site struct {
	mu      sync.Mutex
	refuse  map[string]string // words that are refused until others have come
	got     []string
	secrets []string
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var u struct{ Message struct{ Text string } }
	_ = json.NewDecoder(r.Body).Decode(&u)
	s.secrets = append(s.secrets, r.Header.Get("X-Telegram-Bot-Api-Secret-Token"))
	if first := s.refuse[u.Message.Text]; first != "" && !slices.Contains(s.got, first) {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	s.got = append(s.got, u.Message.Text)
}

func TestWebhook(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	to := &site{refuse: map[string]string{"a1": "b1"}}
	web := httptest.NewServer(to)
	defer web.Close()
	for _, tt := range []struct {
		url, secret string
		code        int
	}{{"http://example.com/", "", 400}, {"no address", "", 400}, {web.URL, "a b", 400}, {web.URL, "s3cret", 200}} {
		if code, description, _ := ask(t, s, s.Token, "setWebhook", "url", tt.url, "secret_token", tt.secret); code != tt.code {
			t.Errorf("%q %q: %d %q", tt.url, tt.secret, code, description)
		}
	}
	s.Say(7, 0, "a1", telegramtest.Said{})
	if err := s.Wait(soon(t), func() bool {
		_, _, info := ask(t, s, s.Token, "getWebhookInfo")
		return strings.Contains(info, web.URL) && strings.Contains(info, "503")
	}); err != nil {
		t.Fatal("a refusal is not told of")
	}
	s.Say(7, 0, "a2", telegramtest.Said{})
	s.Say(8, 0, "b1", telegramtest.Said{})
	if err := s.Wait(soon(t), func() bool { return s.Confirmed() == 102 && len(texts(to)) == 3 }); err != nil {
		t.Fatalf("delivered %q, confirmed %d", texts(to), s.Confirmed())
	}
	got := texts(to)
	if slices.Index(got, "a1") > slices.Index(got, "a2") || got[0] != "b1" {
		t.Errorf("delivered %q: each chat in order, and none waits for another", got)
	}
	if len(to.secrets) < 4 || slices.ContainsFunc(to.secrets, func(s string) bool { return s != "s3cret" }) {
		t.Errorf("secrets %q", to.secrets)
	}
	if code, description, _ := ask(t, s, s.Token, "getUpdates"); code != 409 || !strings.Contains(description, "while webhook is active") {
		t.Errorf("a poll: %d %q", code, description)
	}
	to.mu.Lock()
	to.refuse["waits"] = "never"
	to.mu.Unlock()
	s.Say(7, 0, "waits", telegramtest.Said{})
	if code, _, _ := ask(t, s, s.Token, "deleteWebhook"); code != 200 || s.Webhook() != "" {
		t.Errorf("webhook %q", s.Webhook())
	}
	if _, _, result := ask(t, s, s.Token, "getUpdates"); !strings.Contains(result, "waits") {
		t.Errorf("what waited is lost: %s", result)
	}
}

func texts(s *site) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}
