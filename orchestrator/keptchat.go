package orchestrator

import (
	"context"
	"encoding/json"

	"github.com/akitad/akitad"
)

// putChat stores the conversation that a calling program keeps itself as an artifact of the message.
func (o *Orchestrator) putChat(ctx context.Context, m *akitad.Message, c *akitad.Chat) error {
	if c == nil {
		return nil
	}
	m.Chat, m.Inputs, m.Origin.Sender = true, c.Inputs, c.Sender
	if len(c.Earlier) == 0 {
		return nil
	}
	body, err := json.Marshal(c.Earlier)
	if err == nil {
		m.Earlier, err = o.Bus.PutArtifact(ctx, body)
	}
	return err
}
