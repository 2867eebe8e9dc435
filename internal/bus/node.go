package bus

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

// ServeNode answers, until stop is called, what is asked of the node by its name. Requests are answered
// one at a time.
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

// AskNode gives a node's answer. Found is false at once if no node of that name is there; a node that
// does not answer before ctx ends is an error.
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
