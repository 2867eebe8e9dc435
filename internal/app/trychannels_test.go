package app_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/dingtalk/dingtalktest"
	"github.com/akitad/akitad/channels/feishu/feishutest"
	"github.com/akitad/akitad/channels/onebot/onebottest"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/channels/wecom/wecomtest"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
)

// Wrong credentials and a service that is not there are told, without a secret; what is right is.
func TestChannelsAreTried(t *testing.T) {
	tg, fs, ob := telegramtest.Start(t, telegramtest.Options{}), feishutest.Start(t, feishutest.Options{}), onebottest.Start(t, onebottest.Options{})
	wc, dt := wecomtest.New(), dingtalktest.New()
	served := func(h http.Handler) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	wcURL, dtURL := served(wc), served(dt)
	silent := make(chan struct{})
	mute := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-silent:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(mute.Close)
	t.Cleanup(func() { close(silent) })
	const gone = "http://127.0.0.1:1"
	wrong := config.NewSecret("4242:wrong-secret")
	weCom := func(secret config.Secret, url string) config.Channel {
		return config.Channel{AppID: wc.App.CorpID, AgentID: wc.App.AgentID, AppSecret: secret, EncryptKey: config.NewSecret(wc.App.AESKey), VerifyToken: config.NewSecret(wc.App.Token), BaseURL: url}
	}
	one := func(c config.Channel) config.Channel { c.Enabled, c.Allow = true, []string{"7"}; return c }
	for _, tt := range []struct {
		name string
		on   config.Channels
		kind akitad.Kind
		says string
	}{
		{"telegram", config.Channels{Telegram: one(config.Channel{Token: config.NewSecret(tg.Token), BaseURL: tg.URL})}, "", ""},
		{"telegram", config.Channels{Telegram: one(config.Channel{Token: wrong, BaseURL: tg.URL})}, akitad.Auth, "TELEGRAM_BOT_TOKEN"},
		{"telegram", config.Channels{Telegram: one(config.Channel{Token: wrong, BaseURL: gone})}, akitad.Transport, "telegram"},
		{"telegram", config.Channels{Telegram: one(config.Channel{Token: wrong, BaseURL: mute.URL})}, akitad.Timeout, "no answer within 5s"},
		{"feishu", config.Channels{Feishu: one(config.Channel{AppID: fs.AppID, AppSecret: config.NewSecret(fs.Secret), BaseURL: fs.URL})}, "", ""},
		{"feishu", config.Channels{Feishu: one(config.Channel{AppID: fs.AppID, AppSecret: wrong, BaseURL: fs.URL})}, akitad.Auth, "FEISHU_APP"},
		{"feishu", config.Channels{Feishu: one(config.Channel{AppID: fs.AppID, AppSecret: wrong, BaseURL: gone})}, akitad.Transport, "feishu"},
		{"onebot", config.Channels{OneBot: one(config.Channel{Mode: "forward", Token: config.NewSecret(ob.Token), BaseURL: ob.URL})}, "", ""},
		{"onebot", config.Channels{OneBot: one(config.Channel{Mode: "forward", Token: wrong, BaseURL: ob.URL})}, akitad.Auth, "ONEBOT_TOKEN"},
		{"onebot", config.Channels{OneBot: one(config.Channel{Mode: "forward", Token: wrong, BaseURL: "ws://127.0.0.1:1"})}, akitad.Transport, "ONEBOT_URL"},
		{"wecom", config.Channels{WeCom: one(weCom(config.NewSecret(wc.App.Secret), wcURL))}, "", ""},
		{"wecom", config.Channels{WeCom: one(weCom(wrong, wcURL))}, akitad.Auth, "WECOM_SECRET"},
		{"wecom", config.Channels{WeCom: one(weCom(wrong, gone))}, akitad.Transport, "wecom"},
		{"wecom", config.Channels{WeCom: one(weCom(wrong, mute.URL))}, akitad.Timeout, "no answer within 5s"},
		{"dingtalk", config.Channels{DingTalk: one(config.Channel{AppID: dt.AppID, AppSecret: config.NewSecret(dt.Secret), BaseURL: dtURL})}, "", ""},
		{"dingtalk", config.Channels{DingTalk: one(config.Channel{AppID: dt.AppID, AppSecret: wrong, BaseURL: dtURL})}, akitad.Auth, "DINGTALK_APP_SECRET"},
		{"dingtalk", config.Channels{DingTalk: one(config.Channel{AppID: "ding1", AppSecret: wrong, BaseURL: gone})}, akitad.Transport, "dingtalk"},
	} {
		t.Run(tt.name+" "+string(tt.kind), func(t *testing.T) {
			t.Parallel()
			cfg, err := config.Load(t.TempDir(), nil)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Channels = tt.on
			got, err := app.TryChannels(t.Context(), cfg)
			if err != nil || len(got) != 1 {
				t.Fatal(got, err)
			}
			all := got[0].Problem + " " + got[0].Hint
			if got[0].Name != tt.name || got[0].Kind != tt.kind || !strings.Contains(all, tt.says) || strings.Contains(all, "wrong-secret") {
				t.Errorf("%+v, want %q and %q", got[0], tt.kind, tt.says)
			}
		})
	}
}
