package claim

import (
	"context"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// TellStalls returns a context with which model requests journal each endpoint that exceeds its time limit,
// so that people who follow the task see why it takes so long. A failed append is only logged.
func (c *Claim) TellStalls(ctx context.Context, log *zap.Logger) context.Context {
	return llm.OnStall(ctx, func(ctx context.Context, s llm.Stall) {
		if err := c.Append(ctx, journal.Stalled, journal.StalledData(s)); err != nil {
			log.Warn("a silent endpoint is not on record", zap.String("endpoint", s.Endpoint), zap.Error(err))
		}
	})
}
