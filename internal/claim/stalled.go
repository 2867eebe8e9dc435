package claim

import (
	"context"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// TellStalls gives a context whose model requests put it on record when an endpoint was silent, so that
// who follows the task sees what takes so long. A record that cannot be written holds up nothing.
func (c *Claim) TellStalls(ctx context.Context, log *zap.Logger) context.Context {
	return llm.OnStall(ctx, func(ctx context.Context, s llm.Stall) {
		if err := c.Append(ctx, journal.Stalled, journal.StalledData(s)); err != nil {
			log.Warn("a silent endpoint is not on record", zap.String("endpoint", s.Endpoint), zap.Error(err))
		}
	})
}
