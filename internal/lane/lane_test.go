package lane_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/akitad/akitad/internal/lane"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestLanesKeepOrderPerKey(t *testing.T) {
	l := lane.New(16)
	var mu sync.Mutex
	got := map[string][]int{}
	for i := range 300 {
		key := fmt.Sprint(i % 7)
		if err := l.Go(t.Context(), key, func() {
			mu.Lock()
			defer mu.Unlock()
			got[key] = append(got[key], i)
		}); err != nil {
			t.Fatal(err)
		}
	}
	l.Wait()
	for key, seen := range got {
		if !slices.IsSorted(seen) {
			t.Errorf("lane %s ran out of order: %v", key, seen)
		}
	}
	if len(got) != 7 {
		t.Errorf("got %d lanes, want 7", len(got))
	}
}

func TestLanesRunKeysBesideEachOther(t *testing.T) {
	l := lane.New(2)
	meet := make(chan struct{})
	for _, key := range []string{"a", "b"} {
		send := key == "a"
		if err := l.Go(t.Context(), key, func() {
			if send {
				meet <- struct{}{}
			} else {
				<-meet
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	l.Wait() // hangs if the second key waited for the first
}

func TestGoIsBounded(t *testing.T) {
	l := lane.New(1)
	release := make(chan struct{})
	if err := l.Go(t.Context(), "a", func() { <-release }); err != nil {
		t.Fatal(err)
	}
	full := errors.New("gave up")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(full)
	if err := l.Go(ctx, "b", func() { t.Error("ran beyond the bound") }); !errors.Is(err, full) {
		t.Errorf("Go on full lanes = %v, want the context's cause", err)
	}
	close(release)
	l.Wait()
}
