package claim

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

// A claim is renewed every ten seconds, and a task that was interrupted a day ago is not begun again, unless it is said otherwise.
func TestHolderDefaults(t *testing.T) {
	h := NewHolder(nil, nil, Options{})
	if h.opts.Renew != 10*time.Second || h.opts.Expire != 24*time.Hour {
		t.Errorf("%+v", h.opts)
	}
}

// Only a claim of an earlier run of this node is of somebody who no longer works.
func TestBefore(t *testing.T) {
	h := NewHolder(nil, nil, Options{Node: "a", Incarnation: "2"})
	for claim, want := range map[journal.ClaimedData]bool{
		{Node: "a", Incarnation: "1"}: true, {Node: "a", Incarnation: "2"}: false, {Node: "b", Incarnation: "1"}: false, {Node: "b", Incarnation: "2"}: false,
	} {
		if got := h.before(claim); got != want {
			t.Errorf("%s of %s: %v", claim.Incarnation, claim.Node, got)
		}
	}
}

// A stop is no failure of the item: it does not make its next pauses longer. Nor is a claim that went to somebody else.
func TestWhatCountsAsAFailure(t *testing.T) {
	b := bustest.New(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	queue, err := b.OpenWork(ctx, "analyst")
	if err != nil {
		t.Fatal(err)
	}
	defer queue.Close()
	h := NewHolder(b, nil, Options{})
	for i, tt := range []struct {
		verdict error
		fails   uint64
	}{{ErrShutdown, 0}, {ErrLost, 0}, {errOvertaken, 0}, {nil, 0}, {errStale, 1}} {
		id := fmt.Sprint("x-", i)
		if err := b.PublishWork(ctx, "analyst", "normal", id, id+"-1", []byte("1"), ""); err != nil {
			t.Fatal(err)
		}
		d, err := queue.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		h.after(ctx, d, tt.verdict, zap.NewNop())
		if got := h.hasFailed(d); got != tt.fails {
			t.Errorf("%v: %d failures, want %d", tt.verdict, got, tt.fails)
		}
		if tt.verdict == ErrShutdown { // it comes again at once, and is done
			if d, err = queue.Next(ctx); err != nil {
				t.Fatal(err)
			}
			h.after(ctx, d, nil, zap.NewNop())
		}
	}
}
