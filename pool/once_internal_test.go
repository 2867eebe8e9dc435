package pool

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad/internal/journal"
)

// Each look costs events of the journal: a key that stays busy is looked at less and less often.
func TestABusyKeyIsLookedAtLessAndLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			claims int
			want   time.Duration
		}{{0, 2 * time.Second}, {1, 2 * time.Second}, {2, 4 * time.Second}, {5, 32 * time.Second}, {8, 256 * time.Second}, {9, 5 * time.Minute}, {1000, 5 * time.Minute}} {
			if got := time.Until(soon(&journal.Task{Claims: tt.claims}).until); got != tt.want {
				t.Errorf("after %d claims it waits %v, want %v", tt.claims, got, tt.want)
			}
		}
	})
}
