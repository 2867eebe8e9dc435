package app

import (
	"cmp"

	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/config"
)

// doors lists the chat services that the configuration knows, with who may talk through those that
// are on.
func (a *App) doors() []admin.Service {
	c := a.Config.Channels
	var out []admin.Service
	for _, ch := range []struct {
		name, mode string // mode is what an empty one means
		config.Channel
	}{
		{"telegram", "poll", c.Telegram},
		{"feishu", "websocket", c.Feishu},
		{"onebot", "reverse", c.OneBot},
		{"wecom", "webhook", c.WeCom},
		{"dingtalk", "webhook", c.DingTalk},
	} {
		out = append(out, admin.Service{Name: ch.name, Enabled: ch.Enabled, Mode: cmp.Or(ch.Mode, ch.mode), Door: a.Access[ch.name]})
	}
	return out
}
