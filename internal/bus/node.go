package bus

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

// ServeNode answers requests to the node, one at a time, until stop is called.
func (b *Bus) ServeNode(node string, answer func(body []byte) []byte) (stop func(), err error) {
	subj, err := subject("akita.node", node)
	if err != nil {
		return nil, err
	}
	return b.subscribe(subj, func(m *nats.Msg) {
		if err := m.Respond(answer(m.Data)); err != nil {
			b.log.Warn("a node's answer is lost", zap.String("node", node), zap.Error(err))
		}
	})
}

// TakeName reserves a node's name for this bus until it is closed. taken reports that another live process
// has the name. If that process has died and the server does not know yet, TakeName waits for up to 5 s.
func (b *Bus) TakeName(ctx context.Context, node string) (taken bool, err error) {
	if b.alone() {
		return false, nil
	}
	subj, err := subject("akita.name", node)
	if err != nil {
		return false, err
	}
	ask, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	if _, err := b.nc.RequestWithContext(ask, subj, nil); err == nil {
		return true, nil
	}
	_, err = b.subscribe(subj, func(m *nats.Msg) { _ = m.Respond(nil) })
	return false, err
}

// AskNode sends a request to a node and returns its answer. found is false, at once, if there is no node of
// that name. It is an error if the node does not answer before ctx ends.
func (b *Bus) AskNode(ctx context.Context, node string, body []byte) (answer []byte, found bool, err error) {
	subj, err := subject("akita.node", node)
	if err != nil {
		return nil, false, err
	}
	m, err := b.nc.RequestWithContext(ctx, subj, body)
	switch {
	case err == nil:
		return m.Data, true, nil
	case errors.Is(err, nats.ErrNoResponders):
		return nil, false, nil
	}
	return nil, false, fault("ask node "+node, err)
}
