package bus_test

import (
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func due(durable string) bus.ConsumerOptions {
	return bus.ConsumerOptions{Stream: bus.Timers, Durable: durable, Filters: []string{"akita.due.*"}}
}

func TestTimer(t *testing.T) {
	t.Parallel() // it is all waiting
	b := bustest.New(t)
	ch, _ := consume(t, b, due("due"))
	now := time.Now()
	past, soon := now.Add(-time.Hour), now.Add(5500*time.Millisecond)
	must(t, b.SetTimer(within(t), "t_past", past, []byte("past")))
	must(t, b.SetTimer(within(t), "t_soon", now.Add(24*time.Hour), []byte("first")))
	must(t, b.SetTimer(within(t), "t_soon", soon, []byte("second"))) // replaces
	must(t, b.SetTimer(within(t), "t_far", now.Add(time.Hour), []byte("far")))

	d := receive(t, ch)
	if d.Subject() != "akita.due.t_past" || string(d.Body()) != "past" {
		t.Errorf("first is %q on %s", d.Body(), d.Subject())
	}
	must(t, d.Ack(within(t)))
	d = receive(t, ch)
	if late := time.Since(soon); late < 0 || d.Subject() != "akita.due.t_soon" || string(d.Body()) != "second" {
		t.Errorf("second is %q on %s, %s late", d.Body(), d.Subject(), late)
	}
	must(t, d.Ack(within(t)))
	nothing(t, ch, 20*time.Millisecond)
}

func TestTimersHaveNames(t *testing.T) {
	wantKind(t, bustest.New(t).SetTimer(within(t), "a b", time.Now(), nil), akitad.InvalidRequest)
}

// TestTimerFiresAfterRestart: what became due while nobody ran is due at the start.
func TestTimerFiresAfterRestart(t *testing.T) {
	dir := t.TempDir()
	b := bustest.Open(t, bus.Options{Dir: dir})
	must(t, b.SetTimer(within(t), "t_a", time.Now().Add(300*time.Millisecond), []byte("a")))
	bustest.Close(t, b)
	time.Sleep(350 * time.Millisecond) // the time must pass with no server
	b = bustest.Open(t, bus.Options{Dir: dir})
	ch, _ := consume(t, b, due("due"))
	if d := receive(t, ch); string(d.Body()) != "a" {
		t.Errorf("due is %q", d.Body())
	}
}
