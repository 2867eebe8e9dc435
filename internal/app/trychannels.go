package app

import (
	"context"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/egress"
	"github.com/akitad/akitad/internal/redact"
)

// TriedChannel is how a chat service that is switched on takes its credentials.
type TriedChannel struct {
	Name    string
	Kind    akitad.Kind // of the problem; empty if there is none
	Problem string      // without secrets
	Hint    string
}

// channelTime is how long a chat service has to answer.
const channelTime = 5 * time.Second

// TryChannels asks every chat service that is switched on, beside each other and without a daemon, whether
// it takes the credentials. It takes five seconds at most, and nothing is changed at the services.
func TryChannels(ctx context.Context, cfg config.Config) ([]TriedChannel, error) {
	a := &App{Config: cfg, log: zap.NewNop(), Redact: redact.New(secrets(cfg)...)}
	var err error
	if a.Egress, err = egress.New(egress.Options{Allow: cfg.Outgoing(), Connect: channelTime}); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, channelTime)
	defer cancel()
	var on []service
	for _, s := range a.services() {
		if s.cfg.Enabled {
			on = append(on, s)
		}
	}
	out := make([]TriedChannel, len(on))
	var eg errgroup.Group
	for i, s := range on {
		eg.Go(func() error { out[i] = a.tryChannel(ctx, s); return nil })
	}
	return out, eg.Wait()
}

func (a *App) tryChannel(ctx context.Context, s service) TriedChannel {
	t := TriedChannel{Name: s.name}
	err := a.Config.Channels.Ready(s.name)
	if err == nil {
		ch, oerr := s.open(s.cfg)
		if err = oerr; err == nil {
			err = ch.(interface{ Check(context.Context) error }).Check(ctx)
		}
	}
	switch {
	case err == nil:
		return t
	case ctx.Err() != nil:
		t.Kind, t.Problem, t.Hint = akitad.Timeout, "no answer within "+channelTime.String(), "see whether the service can be reached from here, and channels."+s.name+".base_url"
		return t
	}
	t.Kind, t.Problem = akitad.KindOf(err), a.Redact.String(err.Error())
	if f := akitad.FailureOf(err); f != nil {
		t.Hint = a.Redact.String(f.Hint)
	}
	return t
}
