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

// TestInsistSaysWhatItMet: a deadline that ends the last try hides nothing of what the tries before it met.
func TestInsistSaysWhatItMet(t *testing.T) {
	for _, tt := range []struct {
		name string
		met  error // by the first try
		want error
	}{
		{"nobody answers", errLost, errLost},
		{"nothing was met", nil, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := &Bus{link: newLink(), closed: make(chan struct{})}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			tries := 0
			err := b.insist(ctx, time.Hour, func(ctx context.Context) error {
				if tries++; tries == 1 && tt.met != nil {
					return tt.met
				}
				<-ctx.Done()
				return ctx.Err()
			})
			if !errors.Is(err, tt.want) {
				t.Errorf("%s: %v after %d tries, want %v", tt.name, err, tries, tt.want)
			}
		})
	}
}
