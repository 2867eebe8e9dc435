// Package bustest gives tests a bus of their own: an embedded one, a listening server, or a whole
// server process. It is not for production.
package bustest

import (
	"cmp"
	"context"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/bus"
)

// New returns an embedded bus with its data in a folder of the test, closed when the test ends.
func New(t testing.TB) *bus.Bus { return Open(t, bus.Options{Dir: t.TempDir()}) }

// patience is how long a loaded machine may take for what takes milliseconds.
const patience = time.Minute

// Open returns a bus with these options, closed when the test ends; closing it sooner is fine. A loan
// of work does not end by itself unless they say when.
func Open(t testing.TB, opts bus.Options) *bus.Bus {
	t.Helper()
	opts.ClaimTTL = cmp.Or(opts.ClaimTTL, time.Hour)
	b, err := bus.Open(t.Context(), opts)
	if err != nil {
		t.Fatalf("open bus: %v", err)
	}
	t.Cleanup(func() { Close(t, b) })
	return b
}

// Close closes b and fails the test if that fails or takes over a minute.
func Close(t testing.TB, b *bus.Bus) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := b.Close(ctx); err != nil {
		t.Errorf("close bus: %v", err)
	}
}
