package bus

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestTryEndsWithTheConnection: who waits for an answer that was lost with the connection learns of
// it at once, whatever time there is left.
func TestTryEndsWithTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Bus{link: newLink(), closed: make(chan struct{})}
		time.AfterFunc(time.Second, b.link.lost)
		start := time.Now()
		err := b.try(t.Context(), time.Hour, func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if took := time.Since(start); !errors.Is(err, errLost) || took != time.Second {
			t.Errorf("after %s: %v, want to be told of the loss after 1s", took, err)
		}
	})
}
