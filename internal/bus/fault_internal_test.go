package bus

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/akitad/akitad"
)

// openRaw gives a bus whose insides a test may use.
func openRaw(t testing.TB) *Bus {
	t.Helper()
	b, err := Open(t.Context(), Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := b.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return b
}

// config gives the configuration of one stream.
func (b *Bus) config(name string) jetstream.StreamConfig {
	for _, cfg := range b.streamConfigs() {
		if cfg.Name == name {
			return cfg
		}
	}
	panic("no stream " + name)
}

func apiError(code jetstream.ErrorCode) error {
	return fmt.Errorf("nats: %w", &jetstream.APIError{Code: 400, ErrorCode: code})
}

func TestFaultKinds(t *testing.T) {
	for _, tt := range []struct {
		err     error
		kind    akitad.Kind
		again   bool // the same request may be sent again
		clashes bool
	}{
		{apiError(10071), akitad.Unknown, false, true},
		{apiError(10164), akitad.Unknown, false, true},
		{jetstream.ErrKeyExists, akitad.Unknown, false, true},
		{apiError(10077), akitad.Overloaded, false, false},
		{apiError(10047), akitad.Overloaded, false, false},
		{apiError(10052), akitad.InvalidRequest, false, false},
		{apiError(10054), akitad.InvalidRequest, false, false},
		{apiError(10099), akitad.InvalidRequest, false, false},
		{apiError(10037), akitad.NotFound, false, false},
		{apiError(10039), akitad.Unavailable, false, false},
		{apiError(10158), akitad.Transport, true, false},
		{apiError(10008), akitad.Transport, true, false},
		{nats.ErrMaxPayload, akitad.InvalidRequest, false, false},
		{nats.ErrTimeout, akitad.Timeout, true, false},
		{context.DeadlineExceeded, akitad.Timeout, true, false},
		{context.Canceled, akitad.Cancelled, false, false},
		{nats.ErrNoResponders, akitad.Unavailable, true, false},
		{jetstream.ErrNoStreamResponse, akitad.Unavailable, true, false},
		{nats.ErrConnectionClosed, akitad.Unavailable, false, false},
		{nats.ErrDisconnected, akitad.Transport, true, false},
		{errLost, akitad.Transport, true, false},
		{nats.ErrAuthorization, akitad.Auth, false, false},
		{jetstream.ErrObjectNotFound, akitad.NotFound, false, false},
		{jetstream.ErrTooManyStalledMsgs, akitad.Overloaded, false, false},
		{akitad.Errorf(akitad.Quota, "inner"), akitad.Quota, false, false},
		{errors.New("other"), akitad.Unknown, false, false},
	} {
		err := fault("test", fmt.Errorf("wrapped: %w", tt.err))
		if got := akitad.KindOf(err); got != tt.kind {
			t.Errorf("%v is of kind %s, want %s", tt.err, got, tt.kind)
		}
		if !errors.Is(err, tt.err) {
			t.Errorf("%v hides its cause", err)
		}
		if got := passing(err); got != tt.again {
			t.Errorf("%v: send again = %v", tt.err, got)
		}
		if got := conflict(err); got != tt.clashes {
			t.Errorf("%v: conflict = %v", tt.err, got)
		}
	}
	if fault("test", nil) != nil {
		t.Error("no error becomes one")
	}
}

// TestPublishWithoutStream: with its stream gone, a publish fails instead of pretending.
func TestPublishWithoutStream(t *testing.T) {
	b := openRaw(t)
	if err := b.js.DeleteStream(t.Context(), Inbox); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	err := b.PublishIn(ctx, "test", "m", []byte("x"))
	if !errors.Is(err, jetstream.ErrNoStreamResponse) || akitad.KindOf(err) != akitad.Unavailable {
		t.Errorf("publish into nothing: %v, kind %s", err, akitad.KindOf(err))
	}
}

// TestPublishWhileStreamIsMade: a stream that appears a moment later still gets the message.
func TestPublishWhileStreamIsMade(t *testing.T) {
	b := openRaw(t)
	if err := b.js.DeleteStream(t.Context(), Inbox); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- b.PublishIn(t.Context(), "test", "m", []byte("x")) }()
	select {
	case err := <-done:
		t.Fatalf("publish into nothing ends with %v", err)
	case <-time.After(30 * time.Millisecond):
	}
	if err := b.setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("publish: %v", err)
	}
}

// TestDuplicateWindowDoesNotSlide repeats a message id without a pause: were each repeat to start
// the window anew, none would ever be stored again.
func TestDuplicateWindowDoesNotSlide(t *testing.T) {
	b := openRaw(t)
	cfg := b.config(Inbox)
	cfg.Duplicates = 200 * time.Millisecond
	if _, err := b.js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	start, stored := time.Now(), 0
	for stored < 2 && time.Since(start) < time.Minute {
		ack, err := b.js.PublishMsg(t.Context(), &nats.Msg{Subject: "akita.in.test"}, jetstream.WithMsgID("same"))
		if err != nil {
			t.Fatal(err)
		}
		if !ack.Duplicate {
			stored++
		}
	}
	if took := time.Since(start); stored != 2 || took < 150*time.Millisecond {
		t.Errorf("stored %d times within %s", stored, took)
	}
}

// TestStreamConfigMistake: a window longer than the age of messages is a mistake of configuration,
// and said to be one.
func TestStreamConfigMistake(t *testing.T) {
	b := openRaw(t)
	cfg := b.config(Spans)
	cfg.MaxAge = dedupWindow / 2
	err := b.ensureStream(t.Context(), cfg)
	if akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("window over age: %v, kind %s", err, akitad.KindOf(err))
	}
}

// TestStreamsKeepWhatIsOld: no stream of work or truth makes room by dropping the oldest.
func TestStreamsKeepWhatIsOld(t *testing.T) {
	b := openRaw(t)
	for _, cfg := range b.streamConfigs() {
		s, err := b.js.Stream(t.Context(), cfg.Name)
		if err != nil {
			t.Fatal(err)
		}
		got := s.CachedInfo().Config
		limited := got.MaxMsgs > 0 || got.MaxBytes > 0 || got.MaxMsgsPerSubject > 0
		if limited && got.Discard != jetstream.DiscardNew {
			t.Errorf("%s drops its oldest messages when it is full", cfg.Name)
		}
		if got.MaxAge != 0 && cfg.Name != Spans {
			t.Errorf("%s drops messages after %s", cfg.Name, got.MaxAge)
		}
	}
}

// TestConsumerIsMadeAgain deletes consumers from under their users.
func TestConsumerIsMadeAgain(t *testing.T) {
	b := openRaw(t)
	ctx, cancel := context.WithCancel(t.Context())
	got, done := make(chan string, 10), make(chan error, 2)
	go func() {
		done <- b.Consume(ctx, ConsumerOptions{Stream: Inbox, Durable: "c"}, func(ctx context.Context, d *Delivery) {
			if err := d.Ack(ctx); err != nil {
				t.Errorf("ack: %v", err)
			}
			got <- string(d.Body())
		})
	}()
	w, err := b.OpenWork(ctx, "coder")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	go func() {
		for {
			d, err := w.Next(ctx)
			if err != nil {
				done <- nil
				return
			}
			got <- string(d.Body())
		}
	}()
	for i := range 3 {
		id := fmt.Sprint("m", i)
		if err := errors.Join(b.PublishIn(ctx, "test", id, []byte(id)), b.PublishWork(ctx, "coder", "low", id, id, []byte(id), "")); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if body := <-got; body != id {
				t.Errorf("received %q, want %q", body, id)
			}
		}
		if err := b.DropWork(ctx, id); err != nil { // a new consumer would have it come again
			t.Fatal(err)
		}
		if i < 2 {
			drop(t, b, Inbox, "c")
			drop(t, b, Queue, "work-coder-low")
		}
	}
	cancel()
	if err := errors.Join(<-done, <-done); err != nil {
		t.Error(err)
	}
}

func drop(t *testing.T, b *Bus, stream, consumer string) {
	t.Helper()
	if err := b.js.DeleteConsumer(t.Context(), stream, consumer); err != nil {
		t.Fatal(err)
	}
}

func TestSpansAreKeptAsLongAsAsked(t *testing.T) {
	for asked, want := range map[time.Duration]time.Duration{0: 7 * 24 * time.Hour, time.Hour: time.Hour, time.Second: dedupWindow} {
		for _, cfg := range (&Bus{opts: Options{Spans: asked}}).streamConfigs() {
			if cfg.Name == Spans && cfg.MaxAge != want {
				t.Errorf("asked for %v: kept for %v, want %v", asked, cfg.MaxAge, want)
			}
		}
	}
}
