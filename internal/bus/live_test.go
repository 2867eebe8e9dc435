package bus_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func TestLive(t *testing.T) {
	b := bustest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	one, two := make(chan string, 10), make(chan string, 10)
	stop, err := b.OnLive(t.Context(), "t_a", func(body []byte) { one <- string(body) })
	must(t, err)
	_, err = b.OnLive(ctx, "t_a", func(body []byte) { two <- string(body) })
	must(t, err)
	must(t, b.Live("t_b", []byte("other")))
	must(t, b.Live("t_a", []byte("1")))
	if got := receive(t, one) + receive(t, two); got != "11" {
		t.Errorf("heard %q", got)
	}
	stop()
	must(t, b.Live("t_a", []byte("2")))
	if got := receive(t, two); got != "2" {
		t.Errorf("heard %q", got)
	}
	nothing(t, one, 20*time.Millisecond)
	cancel()
	must(t, b.Live("t_b", nil))
	wantKind(t, b.Live("a b", nil), akitad.InvalidRequest)
	_, err = b.OnLive(ctx, "*", nil)
	wantKind(t, err, akitad.InvalidRequest)
}

// TestNudge: every stored event nudges with its sequence, after it can be read.
func TestNudge(t *testing.T) {
	b := bustest.New(t)
	seqs := make(chan uint64, 10)
	stop, err := b.OnNudge("t_a", func(seq uint64) { seqs <- seq })
	must(t, err)
	add(t, b, "t_b", 0, "other")
	seq := add(t, b, "t_a", 0, "1")
	if got := receive(t, seqs); got != seq {
		t.Errorf("nudge says %d, want %d", got, seq)
	}
	if got := bodies(t, b, fence("t_a"), seq); len(got) != 1 {
		t.Errorf("nudged before the event can be read")
	}
	must(t, b.Nudge("t_a"))
	if got := receive(t, seqs); got != 0 {
		t.Errorf("nudge without an event says %d", got)
	}
	stop()
	add(t, b, "t_a", seq, "2")
	nothing(t, seqs, 20*time.Millisecond)
	wantKind(t, b.Nudge(""), akitad.InvalidRequest)
}

// TestSlowListenerLosesOnlyLive: a listener that does not keep up loses live text, with a line in
// the log; the journal's consumer, just as slow, gets every event.
func TestSlowListenerLosesOnlyLive(t *testing.T) {
	core, logs := observer.New(zap.WarnLevel)
	b := bustest.Open(t, bus.Options{Dir: t.TempDir(), Log: zap.New(core)})
	hold, heard := make(chan struct{}), make(chan struct{}, 20_000)
	stop, err := b.OnLive(t.Context(), "t_a", func([]byte) { <-hold; heard <- struct{}{} })
	must(t, err)
	for range 10_000 {
		must(t, b.Live("t_a", []byte("x")))
	}
	until(t, "all of it has arrived", func() bool { // to listen takes a round trip
		_, err := b.OnLive(t.Context(), "t_b", func([]byte) {})
		return err == nil
	})
	events, _ := consume(t, b, bus.ConsumerOptions{Stream: bus.Tasks, Durable: "slow", MaxAckPending: 5})
	for i := range 100 {
		add(t, b, fmt.Sprint("t_", i), 0, "e")
	}
	for range 100 {
		must(t, receive(t, events).Ack(within(t)))
	}
	close(hold)
	for range 4000 {
		receive(t, heard)
	}
	stop()
	if n := len(heard); n > 200 {
		t.Errorf("%d more than the limit were kept", n)
	}
	until(t, "the loss is in the log", func() bool { return logs.FilterMessage("nats reports an error").Len() > 0 })
}

// A connection that is lost while somebody begins to listen is no reason to fail.
func TestListenOutlivesTheConnection(t *testing.T) {
	n := bustest.StartNode(t, t.TempDir(), "127.0.0.1:0")
	p := newProxy(t, n.Addr)
	b := bustest.Open(t, bus.Options{URL: p.url()})
	p.mute.Store(true) // the server's word that it knows never comes
	time.AfterFunc(100*time.Millisecond, p.cut)
	stop, err := b.ServeHere("coder", func() []byte { return []byte("here") })
	must(t, err)
	defer stop()
	if got := here(t, b, "coder"); got != "here" {
		t.Errorf("%q answers", got)
	}
}
