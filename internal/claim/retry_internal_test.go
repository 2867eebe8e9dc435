package claim

import (
	"errors"
	"testing"
	"time"
)

func TestRetryFor(t *testing.T) {
	other := errors.New("no disk")
	for _, tt := range []struct {
		err       error
		delivered uint64
		want      time.Duration
	}{
		{errStale, 1, 50 * time.Millisecond},
		{errStale, 3, 200 * time.Millisecond},
		{errStale, 1000, 30 * time.Second},
		{other, 0, time.Second},
		{other, 1, time.Second},
		{other, 2, 2 * time.Second},
		{other, 6, 30 * time.Second},
		{other, 1 << 40, 30 * time.Second},
	} {
		if got := retryFor(tt.err, tt.delivered); got != tt.want {
			t.Errorf("retryFor(%v, %d) = %s, want %s", tt.err, tt.delivered, got, tt.want)
		}
	}
}
