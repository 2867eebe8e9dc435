package orchestrator_test

import (
	"context"
	"errors"
	"testing"

	"github.com/akitad/akitad/orchestrator"
)

// A message that waits for its turn is let go when the process stops: it comes again.
func TestStopEndsTheWaitForATurn(t *testing.T) {
	stopped := errors.New("stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(stopped)
	if err := orchestrator.AcceptWithoutTurn(ctx); !errors.Is(err, stopped) {
		t.Errorf("got %v, want %v", err, stopped)
	}
}
