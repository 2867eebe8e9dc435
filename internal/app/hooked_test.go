package app_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/channels/dingtalk/dingtalktest"
	"github.com/akitad/akitad/channels/onebot/onebottest"
	"github.com/akitad/akitad/channels/wecom/wecomtest"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// serviceHouse runs a whole house with one channel.
func serviceHouse(t *testing.T, change func(*config.Channels)) *app.App {
	t.Helper()
	model := llmtest.New(t).Always(llmtest.Begins("what time"), llmtest.Text("It is **noon**."))
	return startParts(t, t.TempDir(), model, app.Parts{Orchestrate: true, Work: true, Serve: true}, func(c *config.Config) {
		c.Admin.Listen = "127.0.0.1:0"
		change(&c.Channels)
	})
}

// eventually polls what no event tells of.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// tell calls a hook of the house until the call is taken.
func tell(t *testing.T, a *app.App, call func() *http.Request) {
	t.Helper()
	at, err := url.Parse(a.Admin.URL())
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the call to be taken", func() bool {
		r := call()
		r.URL.Scheme, r.URL.Host, r.Host, r.RequestURI = at.Scheme, at.Host, at.Host, ""
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode == http.StatusOK
	})
}

func TestQQ(t *testing.T) {
	for _, mode := range []string{"reverse", "forward"} {
		t.Run(mode, func(t *testing.T) {
			p := onebottest.Start(t, onebottest.Options{})
			a := serviceHouse(t, func(c *config.Channels) {
				c.OneBot = config.Channel{Enabled: true, Token: config.NewSecret(p.Token), Allow: []string{"7"}, AllowGroups: []string{"99"}}
				if mode == "forward" {
					c.OneBot.BaseURL = p.URL
				}
			})
			where := ""
			if mode == "reverse" {
				where = "ws" + strings.TrimPrefix(a.Admin.URL(), "http") + "/hooks/onebot"
				p.KeepConnected(t, where, "Universal")
			}
			eventually(t, "a connection", func() bool { return p.ConnectedTo(where, "Universal") && a.Gateway.Health()["onebot"] == nil })
			p.Say("8", "99", onebottest.At(p.Self), onebottest.Text(" what time is it? I am a stranger"))
			p.Say("7", "99", onebottest.Text("what time is it, everybody?"))
			id := p.Say("7", "99", onebottest.At(p.Self), onebottest.Text(" what time is it?"))
			var seen []onebottest.Message
			eventually(t, "the answer alone", func() bool {
				seen = slices.DeleteFunc(p.Chat("99"), func(m onebottest.Message) bool { return !m.Bot || m.Gone })
				return len(seen) == 1 && seen[0].Text == "It is noon."
			})
			if seen[0].ReplyTo != id {
				t.Errorf("the answer is to %q, want %q", seen[0].ReplyTo, id)
			}
		})
	}
}

func TestWeCom(t *testing.T) {
	s := wecomtest.New()
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	a := serviceHouse(t, func(c *config.Channels) {
		c.WeCom = config.Channel{
			Enabled: true, AppID: s.App.CorpID, AgentID: s.App.AgentID, AppSecret: config.NewSecret(s.App.Secret), EncryptKey: config.NewSecret(s.App.AESKey),
			VerifyToken: config.NewSecret(s.App.Token), BaseURL: web.URL, Allow: []string{"anna"},
		}
	})
	e := s.Say("anna", "what time is it?")
	for range 2 { // WeCom tells again when it is not sure
		tell(t, a, func() *http.Request { return s.Call(e) })
	}
	eventually(t, "the answer alone", func() bool {
		all := slices.DeleteFunc(s.Chat("anna"), func(m wecomtest.Message) bool { return m.From != "" || m.Gone })
		return len(all) == 1 && strings.Contains(all[0].Text, "noon")
	})
}

func TestDingTalk(t *testing.T) {
	s := dingtalktest.New()
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	s.Base = web.URL
	a := serviceHouse(t, func(c *config.Channels) {
		c.DingTalk = config.Channel{Enabled: true, AppID: s.AppID, AppSecret: config.NewSecret(s.Secret), BaseURL: web.URL, Allow: []string{"anna"}, AllowGroups: []string{"cidG"}}
	})
	event, _ := s.Say("anna", "cidG", "what time is it?", nil)
	for range 2 {
		tell(t, a, func() *http.Request { return s.Call(event) })
	}
	eventually(t, "the answer alone", func() bool {
		all := slices.DeleteFunc(s.Chat("cidG"), func(m dingtalktest.Message) bool { return m.From != "" || m.Gone })
		return len(all) == 1 && strings.Contains(all[0].Text, "noon")
	})
}
