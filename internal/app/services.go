package app

import (
	"cmp"
	"net/http"

	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/dingtalk"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/onebot"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/wecom"
	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/commands"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/egress"
)

// service is a chat service that can be switched on.
type service struct {
	name string
	mode string // if the configuration names none
	cfg  config.Channel
	open func(config.Channel) (channels.Channel, error)
}

// services lists all chat services, in the order in which they are opened.
func (a *App) services() []service {
	c := a.Config.Channels
	return []service{
		{"telegram", "poll", c.Telegram, a.openTelegram},
		{"feishu", "websocket", c.Feishu, a.openFeishu},
		{"onebot", "reverse", c.OneBot, a.openOneBot},
		{"wecom", "webhook", c.WeCom, a.openWeCom},
		{"dingtalk", "webhook", c.DingTalk, a.openDingTalk},
	}
}

// doors lists the chat services for the HTTP API, with who may talk through those that are on.
func (a *App) doors() []admin.Service {
	var out []admin.Service
	for _, s := range a.services() {
		out = append(out, admin.Service{Name: s.name, Enabled: s.cfg.Enabled, Mode: cmp.Or(s.cfg.Mode, s.mode), Door: a.Access[s.name]})
	}
	return out
}

// client returns an HTTP client for chat services and transcription, which limit the time of each request themselves.
func (a *App) client() *http.Client { return a.Egress.Client(egress.Timeouts{FirstByte: -1}) }

// rateOf returns a channel's own limit of messages a second; in the configuration 0 is none.
func rateOf(cfg config.Channel) float64 {
	if cfg.Rate <= 0 {
		return -1
	}
	return cfg.Rate
}

func (a *App) openTelegram(cfg config.Channel) (channels.Channel, error) {
	var menu []telegram.Command
	for _, c := range commands.List() {
		menu = append(menu, telegram.Command{Name: c.Name, En: c.En, Zh: c.Zh})
	}
	return telegram.New(cfg.Token.Reveal(), telegram.Options{
		URL: cfg.BaseURL, Rate: rateOf(cfg), HTTP: a.client(), Log: a.log.Named("telegram"),
		Mode: cfg.Mode, WebhookURL: cfg.WebhookURL, WebhookSecret: cfg.WebhookSecret.Reveal(), Groups: len(cfg.AllowGroups) > 0, Commands: menu,
		Open: a.openFile,
	})
}

func (a *App) openFeishu(cfg config.Channel) (channels.Channel, error) {
	return feishu.New(cfg.AppID, cfg.AppSecret.Reveal(), feishu.Options{
		URL: cfg.BaseURL, Mode: cfg.Mode, EncryptKey: cfg.EncryptKey.Reveal(), VerifyToken: cfg.VerifyToken.Reveal(), Rate: rateOf(cfg),
		HTTP: a.client(), Log: a.log.Named("feishu"), Open: a.openFile,
	})
}

// openOneBot connects to the OneBot program if its address is known, else the program connects to us.
func (a *App) openOneBot(cfg config.Channel) (channels.Channel, error) {
	opts := onebot.Options{Rate: rateOf(cfg), HTTP: a.client(), Log: a.log.Named("onebot"), Open: a.openFile}
	if cfg.Mode != "reverse" {
		opts.URL = cfg.BaseURL
	}
	return onebot.New(cfg.Token.Reveal(), opts)
}

func (a *App) openWeCom(cfg config.Channel) (channels.Channel, error) {
	return wecom.New(wecom.App{
		CorpID: cfg.AppID, AgentID: cfg.AgentID, Secret: cfg.AppSecret.Reveal(), AESKey: cfg.EncryptKey.Reveal(), Token: cfg.VerifyToken.Reveal(),
	}, wecom.Options{URL: cfg.BaseURL, Rate: rateOf(cfg), HTTP: a.client(), Log: a.log.Named("wecom"), Open: a.openFile})
}

func (a *App) openDingTalk(cfg config.Channel) (channels.Channel, error) {
	return dingtalk.New(cfg.AppID, cfg.AppSecret.Reveal(), dingtalk.Options{
		URL: cfg.BaseURL, Robot: cfg.AgentID, Rate: rateOf(cfg), HTTP: a.client(), Log: a.log.Named("dingtalk"), Open: a.openFile,
	})
}
