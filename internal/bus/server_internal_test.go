package bus

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

func TestServerOptions(t *testing.T) {
	for _, tt := range []struct {
		name         string
		opts         Options
		sync, listen bool
	}{
		{"default", Options{Dir: "d"}, false, false},
		{"survives a crash", Options{Dir: "d", Durability: "process"}, false, false},
		{"survives power loss", Options{Dir: "d", Durability: "power"}, true, false},
		{"loopback", Options{Dir: "d", Listen: "127.0.0.1:0"}, false, true},
		{"loopback by name", Options{Dir: "d", Listen: "localhost:0"}, false, true},
		{"open, with a secret", Options{Dir: "d", Listen: "0.0.0.0:0", Token: "s"}, false, true},
	} {
		so, err := serverOptions(tt.opts)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if so.SyncAlways != tt.sync || so.DontListen == tt.listen || so.Authorization != tt.opts.Token {
			t.Errorf("%s: sync %v, listens %v, token %q", tt.name, so.SyncAlways, !so.DontListen, so.Authorization)
		}
	}
}

// TestNewServerIsLeftAlone: a stream that is being made has a folder but is not there yet; the server
// is not started again for that.
func TestNewServerIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	opts := Options{Dir: dir, Log: zap.NewNop()}
	e, err := startServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.stop(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	if err := os.MkdirAll(filepath.Join(dir, "jetstream", "$G", "streams", "BEING_MADE"), 0o700); err != nil {
		t.Fatal(err)
	}
	if e.look() == nil {
		t.Error("the server does not see the folder: this test cannot fail")
	}
	first := e.server()
	time.Sleep(2 * lookEvery) // there is nothing to wait for
	if e.server() != first {
		t.Error("the server was started again")
	}
}

// TestAckIsHeard: an acknowledgement that nobody took note of is an error.
func TestAckIsHeard(t *testing.T) {
	b := openRaw(t)
	if err := b.PublishIn(t.Context(), "test", "m", nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got, done := make(chan *Delivery, 1), make(chan error, 1)
	go func() {
		done <- b.Consume(ctx, ConsumerOptions{Stream: Inbox, Durable: "c"}, func(_ context.Context, d *Delivery) { got <- d })
	}()
	d := <-got
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	drop(t, b, Inbox, "c")
	if err := d.Ack(t.Context()); akitad.KindOf(err) != akitad.Unavailable {
		t.Errorf("acknowledged to nobody: %v", err)
	}
}
