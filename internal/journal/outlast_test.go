package journal_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad/internal/journal"
)

// What has happened may be put on record for ten seconds after the time of its work has ended, and no longer. While
// that time goes on, and after cancel, nothing of it is left to run.
func TestOutlast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		work, end := context.WithCancel(t.Context())
		longer, cancel := journal.Outlast(work)
		defer cancel()
		time.Sleep(time.Hour)
		if longer.Err() != nil {
			t.Error("it ends while the work goes on")
		}
		end()
		time.Sleep(10*time.Second - time.Millisecond)
		if longer.Err() != nil {
			t.Error("it ends too soon after the work")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if longer.Err() == nil {
			t.Error("it outlasts the work for longer than ten seconds")
		}
		again, cancelAgain := journal.Outlast(work) // of work that has ended already
		defer cancelAgain()
		time.Sleep(9 * time.Second)
		if again.Err() != nil {
			t.Error("there is no time after work that has ended")
		}
		cancelAgain()
		if !errors.Is(again.Err(), context.Canceled) {
			t.Errorf("after cancel: %v", again.Err())
		}
	})
}
