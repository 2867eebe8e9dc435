package app

import (
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/dingtalk"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/onebot"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/wecom"
	"github.com/akitad/akitad/internal/commands"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/egress"
)

// service is a chat service that can be switched on.
type service struct {
	name string
	cfg  config.Channel
	open func(config.Channel) (channels.Channel, error) // nil: not in this version
}

// services lists all of them, in the order in which they are opened.
func (a *App) services() []service {
	c := a.Config.Channels
	return []service{
		{"telegram", c.Telegram, a.openTelegram},
		{"feishu", c.Feishu, a.openFeishu},
		{"onebot", c.OneBot, a.openOneBot},
		{"wecom", c.WeCom, a.openWeCom},
		{"dingtalk", c.DingTalk, a.openDingTalk},
	}
}

// rateOf gives a channel's own limit of messages a second; in the configuration 0 is none.
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
		URL: cfg.BaseURL, Rate: rateOf(cfg), HTTP: a.Egress.Client(egress.Timeouts{FirstByte: -1}), Log: a.log.Named("telegram"),
		Mode: cfg.Mode, WebhookURL: cfg.WebhookURL, WebhookSecret: cfg.WebhookSecret.Reveal(), Groups: len(cfg.AllowGroups) > 0, Commands: menu,
		Open: a.openFile,
	})
}

func (a *App) openFeishu(cfg config.Channel) (channels.Channel, error) {
	return feishu.New(cfg.AppID, cfg.AppSecret.Reveal(), feishu.Options{
		URL: cfg.BaseURL, Mode: cfg.Mode, EncryptKey: cfg.EncryptKey.Reveal(), VerifyToken: cfg.VerifyToken.Reveal(), Rate: rateOf(cfg),
		HTTP: a.Egress.Client(egress.Timeouts{FirstByte: -1}), Log: a.log.Named("feishu"), Open: a.openFile,
	})
}

// openOneBot connects to the OneBot program if its address is known, else the program connects to us.
func (a *App) openOneBot(cfg config.Channel) (channels.Channel, error) {
	opts := onebot.Options{Rate: rateOf(cfg), HTTP: a.Egress.Client(egress.Timeouts{FirstByte: -1}), Log: a.log.Named("onebot"), Open: a.openFile}
	if cfg.Mode != "reverse" {
		opts.URL = cfg.BaseURL
	}
	return onebot.New(cfg.Token.Reveal(), opts)
}

func (a *App) openWeCom(cfg config.Channel) (channels.Channel, error) {
	return wecom.New(wecom.App{
		CorpID: cfg.AppID, AgentID: cfg.AgentID, Secret: cfg.AppSecret.Reveal(), AESKey: cfg.EncryptKey.Reveal(), Token: cfg.VerifyToken.Reveal(),
	}, wecom.Options{URL: cfg.BaseURL, Rate: rateOf(cfg), HTTP: a.Egress.Client(egress.Timeouts{FirstByte: -1}), Log: a.log.Named("wecom"), Open: a.openFile})
}

func (a *App) openDingTalk(cfg config.Channel) (channels.Channel, error) {
	return dingtalk.New(cfg.AppID, cfg.AppSecret.Reveal(), dingtalk.Options{
		URL: cfg.BaseURL, Robot: cfg.AgentID, Rate: rateOf(cfg), HTTP: a.Egress.Client(egress.Timeouts{FirstByte: -1}), Log: a.log.Named("dingtalk"), Open: a.openFile,
	})
}
