package bus_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/leaktest"
)

// TestMain doubles as the server process of the tests that need one to kill.
func TestMain(m *testing.M) {
	if os.Getenv("BUSTEST_SERVE") != "" {
		os.Exit(bustest.ServeMain(os.Args[1:]))
	}
	leaktest.Main(m)
}

const patience = time.Minute // until a test gives up on something that takes milliseconds

// within gives a context that ends with the test or after patience.
func within(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// receive waits for the next value of ch.
func receive[T any](t testing.TB, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("nothing came within %s", patience)
		panic("unreachable")
	}
}

// nothing fails the test if a value of ch comes within d.
func nothing[T any](t testing.TB, ch <-chan T, d time.Duration) {
	t.Helper()
	select {
	case v := <-ch:
		t.Fatalf("unexpected: %v", v)
	case <-time.After(d):
	}
}

// until waits for a state that nothing tells of.
func until(t testing.TB, what string, so func() bool) {
	t.Helper()
	for began := time.Now(); !so(); time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("after %s still not: %s", patience, what)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantKind(t testing.TB, err error, want akitad.Kind) {
	t.Helper()
	if got := akitad.KindOf(err); got != want {
		t.Errorf("error %v is of kind %q, want %q", err, got, want)
	}
}

// add appends an event to the log of task id at the expected sequence.
func add(t testing.TB, b *bus.Bus, id string, expect uint64, body string) uint64 {
	t.Helper()
	seq, err := b.Append(within(t), "akita.task."+id+".log", fence(id), expect, id+"-"+body, []byte(body))
	if errors.Is(err, bus.ErrConflict) { // perhaps our own success, of which we did not hear
		last, _, lerr := b.LastTask(within(t), fence(id))
		if lerr == nil && last.ID == id+"-"+body {
			return last.Seq
		}
	}
	must(t, err)
	return seq
}

func fence(id string) string { return "akita.task." + id + ".>" }

// consume runs a durable consumer until stop is called or the test ends, and gives its deliveries.
func consume(t testing.TB, b *bus.Bus, opts bus.ConsumerOptions) (ch chan *bus.Delivery, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ch, done := make(chan *bus.Delivery, 1024), make(chan error, 1)
	go func() {
		done <- b.Consume(ctx, opts, func(_ context.Context, d *bus.Delivery) { ch <- d })
	}()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		must(t, receive(t, done))
	}
	t.Cleanup(stop)
	return ch, stop
}
