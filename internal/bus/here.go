package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

const (
	hereAll  = "akita.here-all"
	hereWait = 2 * time.Second // a loaded machine may take a while; that there is no worker is known at once
)

// ServeHere answers requests that ask who can run profile, with the value of info at that moment, until stop
// is called.
func (b *Bus) ServeHere(profile string, info func() []byte) (stop func(), err error) {
	subj, err := subject("akita.here", profile)
	if err != nil {
		return nil, err
	}
	answer := func(m *nats.Msg) {
		if err := m.Respond(info()); err != nil {
			b.log.Debug("presence is not told", zap.Error(err))
		}
	}
	one, err := b.subscribe(subj, answer)
	if err != nil {
		return nil, err
	}
	all, err := b.subscribe(hereAll, answer)
	if err != nil {
		one()
		return nil, err
	}
	return func() { one(); all() }, nil
}

// AskHere asks who can run profile and returns the first answer. found is false if there is no worker, or if
// none answers within 2 s.
func (b *Bus) AskHere(ctx context.Context, profile string) (info []byte, found bool, err error) {
	subj, err := subject("akita.here", profile)
	if err != nil {
		return nil, false, err
	}
	wait, cancel := context.WithTimeout(ctx, hereWait)
	defer cancel()
	m, err := b.nc.RequestWithContext(wait, subj, nil)
	switch {
	case err == nil:
		return m.Data, true, nil
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return nil, false, nil
	}
	return nil, false, fault("ask who runs "+profile, err)
}

// AskAll returns all answers that arrive until within has passed, one for each profile of each worker. If
// there is no worker, it returns none at once.
func (b *Bus) AskAll(ctx context.Context, within time.Duration) ([][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	inbox := b.nc.NewInbox()
	sub, err := b.nc.SubscribeSync(inbox)
	if err != nil {
		return nil, fault("ask who is here", err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := b.nc.PublishRequest(hereAll, inbox, nil); err != nil {
		return nil, fault("ask who is here", err)
	}
	var all [][]byte
	for {
		m, err := sub.NextMsgWithContext(ctx)
		switch {
		case errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded):
			return all, nil
		case err != nil:
			return all, fault("ask who is here", err)
		}
		all = append(all, m.Data)
	}
}
