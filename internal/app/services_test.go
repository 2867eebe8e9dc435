package app_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/akitad/akitad/channels/feishu/feishutest"
	"github.com/akitad/akitad/channels/onebot/onebottest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// Several chat services at once, each with people of its own: an id that is allowed in one is a stranger's in
// another, and each is told to probes by its name.
func TestSeveralServices(t *testing.T) {
	fs, ob := feishutest.Start(t, feishutest.Options{}), onebottest.Start(t, onebottest.Options{})
	script := llmtest.New(t).
		On(llmtest.Begins("by telegram"), llmtest.Text("to telegram")).
		On(llmtest.Begins("by feishu"), llmtest.Text("to feishu")).
		On(llmtest.Begins("by qq"), llmtest.Text("to qq"))
	h := newChat(t, script, func(c *config.Config) {
		c.Channels.Feishu = config.Channel{
			Enabled: true, AppID: fs.AppID, AppSecret: config.NewSecret(fs.Secret), BaseURL: fs.URL, Allow: []string{"ou_anna"},
		}
		c.Channels.OneBot = config.Channel{Enabled: true, Mode: "forward", BaseURL: ob.URL, Token: config.NewSecret(ob.Token), Allow: []string{"10007"}}
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ready := func() map[string]string {
		resp, err := http.Get(h.Admin.URL() + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var body struct {
			Channels map[string]string `json:"channels"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
			t.Fatal(err)
		}
		return body.Channels
	}
	h.say(anna, "by telegram")
	h.sees(anna, "to telegram")
	fs.Say(feishutest.Said{From: "7", Text: "by feishu, and a stranger"})
	fs.Say(feishutest.Said{From: "ou_anna", Text: "by feishu"})
	if err := fs.Wait(ctx, func() bool {
		return slices.ContainsFunc(fs.FromBot(feishutest.Private("ou_anna")), func(m feishutest.Message) bool { return m.Bot && m.Text == "to feishu" })
	}); err != nil {
		t.Fatalf("feishu: %v: %+v", err, fs.Chats())
	}
	ob.Say("7", "", onebottest.Text("by qq, and a stranger"))
	ob.Say("10007", "", onebottest.Text("by qq"))
	if err := ob.Wait(ctx, func() bool {
		return slices.ContainsFunc(ob.Chat("user:10007"), func(m onebottest.Message) bool { return m.Bot && m.Text == "to qq" })
	}); err != nil {
		t.Fatalf("onebot: %v: %+v", err, ob.Chat("user:10007"))
	}
	if n := len(script.Requests()); n != 3 {
		t.Errorf("%d model calls, want 3", n)
	}
	got := ready()
	for _, name := range []string{"telegram", "feishu", "onebot"} {
		if got[name] != "ok" {
			t.Errorf("%s: %q", name, got[name])
		}
	}
}
