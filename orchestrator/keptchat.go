package orchestrator

import (
	"context"
	"encoding/json"

	"github.com/akitad/akitad"
)

// putChat puts aside the conversation that a program keeps itself, for the task to start from.
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
