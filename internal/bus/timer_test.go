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
	past, sooner, soon := now.Add(-time.Hour), now.Add(5*time.Second), now.Add(5500*time.Millisecond)
	must(t, b.SetTimer(within(t), "t_past", past, []byte("past")))
	must(t, b.SetTimer(within(t), "t_soon", now.Add(24*time.Hour), []byte("first")))
	must(t, b.SetTimer(within(t), "t_soon", soon, []byte("second"))) // replaces
	must(t, b.SetTimer(within(t), "t_drop", sooner, []byte("dropped")))
	must(t, b.SetTimer(within(t), "t_far", now.Add(time.Hour), []byte("far")))
	must(t, b.DropTimer(within(t), "t_drop"))

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

func TestDropTimerThatIsDue(t *testing.T) {
	b := bustest.New(t)
	must(t, b.SetTimer(within(t), "t_a", time.Now(), nil))
	must(t, b.SetTimer(within(t), "t_b", time.Now(), nil))
	ch, stop := consume(t, b, due("due"))
	for range 2 { // both are due now; neither is settled
		receive(t, ch)
	}
	stop()
	must(t, b.DropTimer(within(t), "t_a"))
	ch, _ = consume(t, b, due("due"))
	if d := receive(t, ch); d.Subject() != "akita.due.t_b" {
		t.Errorf("due is %s", d.Subject())
	}
	nothing(t, ch, 50*time.Millisecond)
	wantKind(t, b.SetTimer(within(t), "a b", time.Now(), nil), akitad.InvalidRequest)
	wantKind(t, b.DropTimer(within(t), "*"), akitad.InvalidRequest)
}
