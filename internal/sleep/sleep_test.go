package sleep_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad/internal/sleep"
)

func TestFor(t *testing.T) {
	for name, tt := range map[string]struct {
		limit, sleep, took time.Duration
		whole              bool
	}{
		"the whole time":        {time.Hour, time.Minute, time.Minute, true},
		"until the context":     {time.Minute, time.Hour, time.Minute, false},
		"no time":               {time.Minute, 0, 0, true},
		"less than no time":     {time.Minute, -time.Hour, 0, true},
		"the context has ended": {0, time.Hour, 0, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), tt.limit)
			defer cancel()
			began := time.Now()
			whole := sleep.For(ctx, tt.sleep)
			if took := time.Since(began); whole != tt.whole || took != tt.took {
				t.Errorf("%s: %v after %v, want %v after %v", name, whole, took, tt.whole, tt.took)
			}
		})
	}
}
