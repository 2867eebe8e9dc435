package app

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/commands"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/egress"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/redact"
)

// openChannels makes the chat services that are switched on, and the gateway that serves them.
func (a *App) openChannels(_ context.Context, opts Options) error {
	if !opts.Parts.Serve || !opts.Parts.Orchestrate {
		return nil
	}
	if a.Config.Channels.Feishu.Enabled {
		a.log.Warn("the channel feishu is switched on, but this version does not serve it")
	}
	if !a.Config.Channels.Telegram.Enabled {
		return nil
	}
	token, err := config.AdminToken(a.Config.Path.Token)
	if err != nil {
		return err
	}
	a.Redact.Add(append(a.Config.Secrets(), token.Reveal())...)
	tg, err := a.openTelegram()
	if err != nil {
		return err
	}
	a.Access = map[string]*access.Door{"telegram": a.door("telegram", a.Config.Channels.Telegram)}
	a.Gateway = channels.New(a.Bus, a.Journal, []channels.Channel{tg}, channels.Options{
		Commands: commands.New(commands.Deps{Orchestrator: a.Orchestrator, Journal: a.Journal, Projection: a.Projection, Memory: a.Memory}),
		Place:    a.Orchestrator.Place, Open: a.openTasks, Room: a.room().Check, Log: a.log.Named("channels"),
		Access: a.Access, PerSender: map[string]bool{"telegram": a.Config.Channels.Telegram.PerSender},
	})
	a.onRun("channels", a.Gateway.Run)
	a.openOwner(tg)
	return nil
}

func (a *App) openTelegram() (redacted, error) {
	cfg := a.Config.Channels.Telegram
	if err := a.Config.Channels.Ready("telegram"); err != nil {
		return redacted{}, err
	}
	if cfg.Mode == "webhook" {
		return redacted{}, akitad.Errorf(akitad.InvalidRequest, "channels.telegram.mode: webhooks are not served by this version").
			WithHint("leave channels.telegram.mode out: the bot then polls, which needs no address of its own")
	}
	rate := cfg.Rate
	if rate <= 0 {
		rate = -1 // none of ours
	}
	tg, err := telegram.New(cfg.Token.Reveal(), telegram.Options{
		URL: cfg.BaseURL, Rate: rate, HTTP: a.Egress.Client(egress.Timeouts{FirstByte: -1}),
		Open: a.openFile, Log: a.log.Named("telegram"),
	})
	return redacted{tg, a.Redact}, err
}

// door gives who may talk through a channel.
func (a *App) door(name string, cfg config.Channel) *access.Door {
	return access.New(a.Bus, name, access.Options{Allow: cfg.Allow, Owners: cfg.Owners, Groups: cfg.AllowGroups, Pairing: cfg.Pairing})
}

// openFile reads a file that goes with an answer. Secrets in text are redacted; other bytes go as they
// are.
func (a *App) openFile(ctx context.Context, f akitad.File) (io.ReadCloser, error) {
	data, err := a.Bus.GetArtifact(ctx, f.Artifact)
	if err != nil {
		return nil, err
	}
	if utf8.Valid(data) {
		data = a.Redact.Bytes(data)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// openTasks lists a channel's tasks that have not ended, as far as the read model knows them.
func (a *App) openTasks(ctx context.Context, channel string) ([]akitad.TaskID, error) {
	var out []akitad.TaskID
	for _, state := range []akitad.State{akitad.Pending, akitad.Running, akitad.Waiting} {
		rows, _, err := a.Projection.List(ctx, projection.Filter{State: state, Limit: projection.MaxLimit})
		if err != nil {
			return out, err
		}
		for _, r := range rows {
			if r.Parent == "" && r.Channel == channel {
				out = append(out, r.ID)
			}
		}
	}
	return out, nil
}

// redacted is a channel out of which no secret goes.
type redacted struct {
	*telegram.Telegram
	by *redact.Redactor
}

// Placeholder redacts and passes on.
func (r redacted) Placeholder(ctx context.Context, to akitad.Origin, text string) (string, error) {
	return r.Telegram.Placeholder(ctx, to, r.by.String(text))
}

// Progress redacts and passes on.
func (r redacted) Progress(ctx context.Context, to akitad.Origin, message, text string) error {
	return r.Telegram.Progress(ctx, to, message, r.by.String(text))
}

// Final redacts and passes on.
func (r redacted) Final(ctx context.Context, d akitad.Delivery) ([]string, error) {
	d.Reply.Text, d.Notify = r.by.String(d.Reply.Text), r.by.String(d.Notify)
	files := make([]akitad.File, len(d.Reply.Files))
	for i, f := range d.Reply.Files {
		f.Name = cmp.Or(r.by.String(f.Name), "file")
		files[i] = f
	}
	d.Reply.Files = files
	return r.Telegram.Final(ctx, d)
}

var _ interface {
	channels.Channel
	channels.Companion
	channels.Fetcher
	channels.Prober
} = redacted{}
