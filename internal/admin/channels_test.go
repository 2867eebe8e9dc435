package admin_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// withBot starts a daemon with a bot that strangers can pair with.
func withBot(t *testing.T, srv *telegramtest.Server, script *llmtest.Script) *daemon {
	t.Helper()
	return startOn(t, script, func(c *config.Config) {
		c.Channels.Telegram = config.Channel{
			Enabled: true, Token: config.NewSecret(srv.Token), BaseURL: srv.URL, Allow: []string{"7"}, AllowGroups: []string{"-5"}, Pairing: true,
		}
	})
}

func (d *daemon) channels() map[string]client.Channel {
	d.t.Helper()
	a := d.ask(http.MethodGet, "/v1/channels", "", nil)
	var page client.Page[client.Channel]
	if err := json.Unmarshal(a.Body, &page); err != nil || a.Status != http.StatusOK {
		d.t.Fatalf("%d %s: %v", a.Status, a.Body, err)
	}
	out := map[string]client.Channel{}
	for _, ch := range page.Items {
		out[ch.Name] = ch
	}
	return out
}

var codeForm = regexp.MustCompile(`\b[A-HJ-NP-Z2-9]{8}\b`)

// A stranger is told a code, an owner hands it in, and the stranger may talk; and is shut out again.
func TestChannelsPairAllowAndDeny(t *testing.T) {
	srv := telegramtest.Start(t, telegramtest.Options{})
	d := withBot(t, srv, llmtest.New(t).Always(llmtest.Any, llmtest.Text("welcome")))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	srv.Say(9, 0, "let me in", telegramtest.Said{})
	code := ""
	if err := srv.Wait(ctx, func() bool {
		for _, m := range srv.FromBot(9) {
			code = codeForm.FindString(m.Text)
		}
		return code != ""
	}); err != nil {
		t.Fatalf("no code: %v", err)
	}
	tg := d.channels()["telegram"]
	if !tg.Enabled || !tg.Pairing || tg.Mode != "poll" || len(tg.Allow) != 1 || tg.Owners[0] != "7" || tg.Groups[0] != "-5" || len(tg.Pending) != 1 {
		t.Fatalf("telegram: %+v", tg)
	}
	if p := tg.Pending[0]; p.ID != "9" || p.Until.Sub(p.Since) != time.Hour {
		t.Errorf("pending: %+v", p)
	}
	for _, secret := range []string{code, srv.Token} {
		if a := d.ask(http.MethodGet, "/v1/channels", "", nil); strings.Contains(string(a.Body), secret) {
			t.Errorf("the list shows %q", secret)
		}
	}
	if p := d.ask(http.MethodPost, "/v1/channels/pair", `{"code":"ABCDEFGH"}`, nil).problem(t); p.Status != http.StatusNotFound || p.Code != "not_found" || p.Hint == "" {
		t.Errorf("a wrong code: %+v", p)
	}
	a := d.ask(http.MethodPost, "/v1/channels/pair", `{"code":"`+strings.ToLower(code)+`"}`, nil)
	var paired client.Paired
	if err := json.Unmarshal(a.Body, &paired); err != nil || a.Status != http.StatusOK || paired.Channel != "telegram" || paired.ID != "9" || paired.By != "http" {
		t.Fatalf("pair: %d %s", a.Status, a.Body)
	}
	srv.Say(9, 0, "hello again", telegramtest.Said{})
	if err := srv.Wait(ctx, func() bool { all := srv.FromBot(9); return all[len(all)-1].Text == "welcome" }); err != nil {
		t.Fatal("whoever was let in is not answered")
	}
	if tg = d.channels()["telegram"]; len(tg.Pending) != 0 || len(tg.People) != 1 || tg.People[0].ID != "9" || tg.Health != "ok" {
		t.Errorf("telegram: %+v", tg)
	}
	var ch client.Channel
	a = d.ask(http.MethodPost, "/v1/channels/telegram/deny", `{"id":"9"}`, nil)
	if err := json.Unmarshal(a.Body, &ch); err != nil || a.Status != http.StatusOK || len(ch.Denied) != 1 || len(ch.People) != 0 {
		t.Errorf("deny: %d %s", a.Status, a.Body)
	}
	a = d.ask(http.MethodPost, "/v1/channels/telegram/allow", `{"id":"10"}`, nil)
	if err := json.Unmarshal(a.Body, &ch); err != nil || a.Status != http.StatusOK || len(ch.People) != 1 || ch.People[0].ID != "10" {
		t.Errorf("allow: %d %s", a.Status, a.Body)
	}
}

func TestChannelsThatAreOff(t *testing.T) {
	d := start(t, llmtest.New(t))
	all := d.channels()
	if len(all) != 5 || all["feishu"].Enabled || all["feishu"].Health != "off" {
		t.Errorf("channels: %+v", all)
	}
	for path, status := range map[string]int{"/v1/channels/feishu/allow": http.StatusNotFound, "/v1/channels/smoke/deny": http.StatusNotFound} {
		if p := d.ask(http.MethodPost, path, `{"id":"9"}`, nil).problem(t); p.Status != status || p.Hint == "" {
			t.Errorf("%s: %+v", path, p)
		}
	}
	if p := d.ask(http.MethodPost, "/v1/channels/pair", `{"code":"ABCDEFGH"}`, nil).problem(t); p.Status != http.StatusNotFound || !strings.Contains(p.Detail, "no chat service is on") {
		t.Errorf("pair: %+v", p)
	}
}
