package bus_test

import (
	"context"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// A name is taken while its holder answers. A machine that is gone without its server knowing refuses nobody.
func TestTakeName(t *testing.T) {
	node := bustest.StartNode(t, t.TempDir(), "127.0.0.1:0")
	p := newProxy(t, node.Addr)
	gone, next := bustest.Open(t, bus.Options{URL: p.url()}), bustest.Open(t, bus.Options{URL: node.URL})
	take := func(b *bus.Bus, wait time.Duration) bool {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		defer cancel()
		taken, err := b.TakeName(ctx, "n-1")
		must(t, err)
		return taken
	}
	if take(gone, time.Minute) {
		t.Error("nobody has it, and it is taken")
	}
	if !take(next, time.Minute) {
		t.Error("its holder answers, and it is not taken")
	}
	p.mute.Store(true)
	if take(next, 100*time.Millisecond) {
		t.Error("its holder is gone, and it is taken")
	}
	p.cut()
	alone := bustest.New(t)
	for range 2 {
		if take(alone, time.Minute) {
			t.Error("there is nobody else, and it is taken")
		}
	}
}
