package claim

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/bus/bustest"
)

// Only failures make the pause longer: not the deliveries of an item whose holders were ended, or had no room.
func TestOnlyFailuresCount(t *testing.T) {
	b := bustest.New(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := b.PublishWork(ctx, "analyst", "normal", "x", "x-1", []byte("1"), ""); err != nil {
		t.Fatal(err)
	}
	queue, err := b.OpenWork(ctx, "analyst")
	if err != nil {
		t.Fatal(err)
	}
	defer queue.Close()
	h, other := NewHolder(b, nil, Options{}), errors.New("no disk")
	for range 6 {
		d, err := queue.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if d.Delivered() == 6 {
			for _, want := range []time.Duration{1, 2, 4} {
				if got := h.fails(d, other); got != want*time.Second {
					t.Errorf("failure %d after %d deliveries: %s", want, d.Delivered(), got)
				}
			}
		}
		if err := d.Nak(0); err != nil {
			t.Fatal(err)
		}
	}
}

// So many items may fail at once that not all are remembered; most come ever more seldom all the same.
func TestFailuresOfManyItemsAreRemembered(t *testing.T) {
	for _, items := range []uint64{maxFailed, maxFailed + maxFailed/10} {
		h := NewHolder(nil, nil, Options{})
		var all uint64
		const times = 20
		for range times {
			for item := range items {
				all += h.failsAgain(item)
			}
		}
		if least := items * times * (times + 1) / 2 / 4; all < least || len(h.failed) > maxFailed {
			t.Errorf("%d items: all that was counted is %d, want %d at least; %d are remembered", items, all, least, len(h.failed))
		}
	}
}

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
