package bus_test

import (
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// TestPublishInOnce repeats a message id before and after its message was settled: it is in once.
func TestPublishInOnce(t *testing.T) {
	b := bustest.New(t)
	ch, _ := consume(t, b, inbox("c"))
	must(t, b.PublishIn(within(t), "telegram", "update-1", []byte("hello")))
	must(t, b.PublishIn(within(t), "telegram", "update-1", []byte("hello")))
	d := receive(t, ch)
	if d.Subject() != "akita.in.telegram" || string(d.Body()) != "hello" {
		t.Errorf("received %q on %s", d.Body(), d.Subject())
	}
	must(t, d.Ack(within(t)))
	must(t, b.PublishIn(within(t), "telegram", "update-1", []byte("hello")))
	nothing(t, ch, 50*time.Millisecond)
	must(t, b.PublishIn(within(t), "telegram", "update-1-again", []byte("again")))
	if d := receive(t, ch); string(d.Body()) != "again" {
		t.Errorf("a new id brings %q", d.Body())
	}
}

// TestPublishInFull fills the inbox: the message that does not fit is refused, nothing older is
// dropped for it, and there is room again when one is settled.
func TestPublishInFull(t *testing.T) {
	b := bustest.Open(t, bus.Options{Dir: t.TempDir(), MaxInbox: 2})
	fill(t, b, 0, 2)
	err := b.PublishIn(within(t), "test", "m2", []byte("m2"))
	wantKind(t, err, akitad.Overloaded)
	if f := akitad.FailureOf(err); f == nil || f.Hint == "" {
		t.Errorf("%v gives no hint", err)
	}
	ch, _ := consume(t, b, inbox("c"))
	for _, want := range []string{"m0", "m1"} {
		d := receive(t, ch)
		if string(d.Body()) != want {
			t.Errorf("received %q, want %q", d.Body(), want)
		}
		must(t, d.Ack(within(t)))
	}
	must(t, b.PublishIn(within(t), "test", "m2", []byte("m2")))
}

// TestPublishRaw: what a channel handed over waits apart from the inbox, once each, and a full stream says so.
func TestPublishRaw(t *testing.T) {
	b := bustest.Open(t, bus.Options{Dir: t.TempDir(), MaxInbox: 2})
	for _, id := range []string{"m0", "m0", "m1"} {
		must(t, b.PublishRaw(within(t), "test", id, []byte(id)))
	}
	wantKind(t, b.PublishRaw(within(t), "test", "m2", []byte("m2")), akitad.Overloaded)
	must(t, b.PublishIn(within(t), "test", "m0", []byte("in")))
	ch, _ := consume(t, b, bus.ConsumerOptions{Stream: bus.Raw, Durable: "raw-test", Filters: []string{"akita.raw.test"}, AckWait: time.Hour})
	for _, want := range []string{"m0", "m1"} {
		if d := receive(t, ch); string(d.Body()) != want || d.Subject() != "akita.raw.test" {
			t.Errorf("received %q on %s, want %q", d.Body(), d.Subject(), want)
		}
	}
	wantKind(t, b.PublishRaw(within(t), "a.b", "m", nil), akitad.InvalidRequest)
}

func TestPublishInRefuses(t *testing.T) {
	b := bustest.New(t)
	wantKind(t, b.PublishIn(within(t), "test", "big", make([]byte, 2<<20)), akitad.InvalidRequest)
	for _, channel := range []string{"", "a b", "a.b", "*", ">", "a\n", strings.Repeat("é", 3)} {
		wantKind(t, b.PublishIn(within(t), channel, "m", nil), akitad.InvalidRequest)
	}
}
