package app

import (
	"bytes"
	"context"
	"io"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/commands"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/transcribe"
)

// openChannels opens the chat services that are switched on, and the gateway.
func (a *App) openChannels(_ context.Context, opts Options) error {
	if !opts.Parts.Serve || !opts.Parts.Orchestrate {
		return nil
	}
	token, err := config.AdminToken(a.Config.Path.Token)
	if err != nil {
		return err
	}
	a.Redact.Add(append(a.Config.Secrets(), token.Reveal())...)
	gw := channels.Options{
		Node: a.Node, Renew: a.Config.Claim.Renew, TTL: a.Config.Claim.TTL,
		Commands: commands.New(commands.Deps{Orchestrator: a.Orchestrator, Journal: a.Journal, Projection: a.Projection, Memory: a.Memory, Endpoints: a.Router.Status}),
		Place:    a.Orchestrator.Place, Open: a.openTasks, Room: a.room().Check, Log: a.log.Named("channels"),
		Questions: questions{a.Orchestrator}, Running: a.Orchestrator.Running, Language: a.languageOf,
		Access: map[string]*access.Door{}, PerSender: map[string]bool{}, LongAnswer: map[string]int{},
	}
	var all []channels.Channel
	for _, s := range a.services() {
		if !s.cfg.Enabled {
			continue
		}
		ch, err := a.openChannel(s)
		if err != nil {
			return err
		}
		all = append(all, ch)
		gw.Access[s.name] = access.New(a.Bus, s.name, access.Options{Allow: s.cfg.Allow, Owners: s.cfg.Owners, Groups: s.cfg.AllowGroups, Pairing: s.cfg.Pairing, Person: func(id string) error { return config.PersonID(s.name, id) }})
		gw.PerSender[s.name], gw.LongAnswer[s.name] = s.cfg.PerSender, s.cfg.LongAnswer
	}
	if len(all) == 0 {
		return nil
	}
	if gw.Transcribe, err = a.transcriber(); err != nil {
		return err
	}
	a.Access = gw.Access
	a.Gateway = channels.New(a.Bus, a.Journal, all, gw)
	a.onRun("channels", a.Gateway.Run)
	a.openOwners(all)
	return a.openHooks()
}

// languageOf returns the language that a conversation has set, and the one of its newest message.
func (a *App) languageOf(ctx context.Context, session akitad.SessionKey) (set, spoke string, err error) {
	p, err := a.Orchestrator.Preferences(ctx, session)
	return p.Lang, p.Spoke, err
}

// openChannel opens one chat service, wrapped so that it sends no secret.
func (a *App) openChannel(s service) (channels.Channel, error) {
	if err := a.Config.Channels.Ready(s.name); err != nil {
		return nil, err
	}
	ch, err := s.open(s.cfg)
	if err != nil {
		return nil, err
	}
	return redacted(ch, a.Redact), nil
}

// transcriber returns a function that transcribes voice messages, nil if no model is configured for it.
func (a *App) transcriber() (func(context.Context, string, []byte) (string, error), error) {
	cfg := a.Config.Voice
	if cfg.Model == "" {
		return nil, nil
	}
	c, err := transcribe.New(transcribe.Options{
		BaseURL: cfg.BaseURL, APIKey: cfg.APIKey.Reveal(), Model: cfg.Model, Timeout: cfg.Timeout, HTTP: a.client(),
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, name string, audio []byte) (string, error) {
		words, err := c.Words(ctx, name, audio)
		if akitad.KindOf(err) == akitad.Auth {
			a.keyRefused(ctx, "transcription", err)
		}
		return words, err
	}, nil
}

// openFile opens a file that is sent with an answer. Secrets are removed from text in any encoding that keeps
// ASCII; binary files are sent unchanged.
func (a *App) openFile(ctx context.Context, f akitad.File) (io.ReadCloser, error) {
	data, err := a.Bus.GetArtifact(ctx, f.Artifact)
	switch {
	case akitad.KindOf(err) == akitad.NotFound: // not NotFound, which would mean that the chat is gone
		return nil, akitad.Errorf(akitad.InvalidRequest, "it is not kept any more: %w", err)
	case err != nil:
		return nil, err
	}
	if utf8.Valid(data) || bytes.IndexByte(data, 0) < 0 {
		data = a.Redact.Bytes(data)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// openTasks returns a channel's root tasks that have not ended, according to the read model.
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
