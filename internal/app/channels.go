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

// openChannels makes the chat services that are switched on, and the gateway that serves them.
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

// languageOf gives the language that a conversation has set, and the one that was written there last.
func (a *App) languageOf(ctx context.Context, session akitad.SessionKey) (set, spoke string, err error) {
	p, err := a.Orchestrator.Preferences(ctx, session)
	return p.Lang, p.Spoke, err
}

// openChannel makes one chat service, out of which no secret goes.
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

// transcriber gives what writes voice messages down; nil if the owner names no model for it.
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
			a.tellOwner(ctx, "transcription", err)
		}
		return words, err
	}, nil
}

// openFile reads a file that goes with an answer. Secrets in text, of whatever encoding that keeps ASCII, are
// redacted; other bytes go as they are.
func (a *App) openFile(ctx context.Context, f akitad.File) (io.ReadCloser, error) {
	data, err := a.Bus.GetArtifact(ctx, f.Artifact)
	switch {
	case akitad.KindOf(err) == akitad.NotFound: // the file is gone, and not the chat: what comes after it can be sent
		return nil, akitad.Errorf(akitad.InvalidRequest, "it is not kept any more: %w", err)
	case err != nil:
		return nil, err
	}
	if utf8.Valid(data) || bytes.IndexByte(data, 0) < 0 {
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
