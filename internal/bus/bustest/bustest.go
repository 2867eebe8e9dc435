// Package bustest gives tests a bus of their own: an embedded one, a listening server, or a whole
// server process. It is not for production.
package bustest

import (
	"context"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/bus"
)

// New gives an embedded bus with its data in a folder of the test, closed when the test ends.
func New(t testing.TB) *bus.Bus { return Open(t, bus.Options{Dir: t.TempDir()}) }

// Open gives a bus with these options, closed when the test ends; closing it sooner is fine.
func Open(t testing.TB, opts bus.Options) *bus.Bus {
	t.Helper()
	b, err := bus.Open(t.Context(), opts)
	if err != nil {
		t.Fatalf("open bus: %v", err)
	}
	t.Cleanup(func() { Close(t, b) })
	return b
}

// Close closes b and fails the test if that fails or takes over 20 s.
func Close(t testing.TB, b *bus.Bus) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := b.Close(ctx); err != nil {
		t.Errorf("close bus: %v", err)
	}
}
