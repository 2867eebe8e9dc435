package bus_test

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func TestOpenRefuses(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = busy.Close() }()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, tt := range []struct {
		name string
		opts bus.Options
		kind akitad.Kind
		says string
	}{
		{"neither dir nor url", bus.Options{}, akitad.InvalidRequest, "needs a data directory"},
		{"unknown durability", bus.Options{Dir: "x", Durability: "forever"}, akitad.InvalidRequest, `"forever"`},
		{"no port", bus.Options{Dir: "x", Listen: "localhost"}, akitad.InvalidRequest, "not host:port"},
		{"port is no number", bus.Options{Dir: "x", Listen: "localhost:nats"}, akitad.InvalidRequest, "not host:port"},
		{"open to all without a secret", bus.Options{Dir: "x", Listen: "0.0.0.0:0"}, akitad.InvalidRequest, "without a secret"},
		{"every interface without a secret", bus.Options{Dir: "x", Listen: ":0"}, akitad.InvalidRequest, "without a secret"},
		{"port in use", bus.Options{Dir: "x", Listen: busy.Addr().String()}, akitad.Unavailable, busy.Addr().String()},
		{"dir is a file", bus.Options{Dir: file}, akitad.Unavailable, "start the embedded NATS server"},
		{"nobody at the url", bus.Options{URL: "nats://127.0.0.1:1"}, akitad.Unavailable, "connect to NATS"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.opts.Dir == "x" {
				tt.opts.Dir = t.TempDir()
			}
			_, err := bus.Open(within(t), tt.opts)
			wantKind(t, err, tt.kind)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error is %v, want %q in it", err, tt.says)
			}
		})
	}
}

// A server that cannot keep what we give it is refused at the start, with what is to be set there.
func TestOpenRefusesAServer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*server.Options)
		kind   akitad.Kind
		says   string
		hint   string
	}{
		{"of small messages", func(o *server.Options) { o.MaxPayload = 64 << 10 }, akitad.InvalidRequest, "65536 bytes", "max_payload"},
		{"without streams", func(o *server.Options) { o.JetStream = false }, akitad.Unavailable, "jetstream not enabled", "JetStream"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := bus.Open(within(t), bus.Options{URL: bustest.Strange(t, tt.change)})
			wantKind(t, err, tt.kind)
			if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(akitad.FailureOf(err).Hint, tt.hint) {
				t.Errorf("error is %v (%s), want %q in it", err, akitad.FailureOf(err).Hint, tt.says)
			}
		})
	}
	b := bustest.Open(t, bus.Options{URL: bustest.Strange(t, func(o *server.Options) { o.MaxPayload = 256 << 10 })})
	body := bytes.Repeat([]byte("x"), 3<<20)
	hash, err := b.PutArtifact(within(t), body)
	must(t, err)
	if got, err := b.GetArtifact(within(t), hash); err != nil || !bytes.Equal(got, body) {
		t.Errorf("%d bytes came back, %v", len(got), err)
	}
}

func TestEmbedded(t *testing.T) {
	b := bustest.New(t)
	healthy(t, b)
	if !b.Embedded() || b.Addr() != "" {
		t.Errorf("embedded %v, listens on %q", b.Embedded(), b.Addr())
	}
	bustest.Close(t, b)
	bustest.Close(t, b)
	wantKind(t, b.Healthy(within(t)), akitad.Unavailable)
	_, err := b.Append(within(t), "akita.task.t_a.log", fence("t_a"), 0, "m", nil)
	wantKind(t, err, akitad.Unavailable)
	wantKind(t, b.Consume(within(t), inbox("c"), nil), akitad.Unavailable)
	wantKind(t, b.FollowTasks(within(t), nil, 0, nil), akitad.Unavailable)
}

// TestListenWithSecret: others reach the embedded server, but only with its token.
func TestListenWithSecret(t *testing.T) {
	b := bustest.Open(t, bus.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Token: "s3cret"})
	add(t, b, "t_a", 0, "one")
	_, err := bus.Open(within(t), bus.Options{URL: "nats://" + b.Addr()})
	wantKind(t, err, akitad.Auth)
	other := bustest.Open(t, bus.Options{URL: "nats://s3cret@" + b.Addr()})
	if other.Embedded() || other.Addr() != "" {
		t.Errorf("the other one is embedded: %v, %q", other.Embedded(), other.Addr())
	}
	if got := bodies(t, other, fence("t_a"), 0); !slices.Equal(got, []string{"one"}) {
		t.Errorf("the other one reads %q", got)
	}
}

func TestPowerDurability(t *testing.T) {
	b := bustest.Open(t, bus.Options{Dir: t.TempDir(), Durability: "power"})
	add(t, b, "t_a", 0, "one")
	if got := bodies(t, b, fence("t_a"), 0); len(got) != 1 {
		t.Errorf("stored %q", got)
	}
}

// TestExternalHealth follows an external server down and up again.
func TestExternalHealth(t *testing.T) {
	dir := t.TempDir()
	node := bustest.StartNode(t, dir, "127.0.0.1:0")
	b := bustest.Open(t, bus.Options{URL: node.URL})
	healthy(t, b)
	node.Stop()
	wantKind(t, b.Healthy(within(t)), akitad.Unavailable)
	bustest.StartNode(t, dir, node.Addr)
	healthy(t, b)
}

// healthy waits until b says that it is; a loaded machine may be too slow for a single look.
func healthy(t *testing.T, b *bus.Bus) {
	t.Helper()
	until(t, "healthy", func() bool { return b.Healthy(within(t)) == nil })
}

// TestServerProcess runs a whole server process, kills it in the middle of a write load and starts
// it again: nothing acknowledged is gone.
func TestServerProcess(t *testing.T) {
	dir := t.TempDir()
	addr, kill := serverProcess(t, dir, "127.0.0.1:0")
	b := bustest.Open(t, bus.Options{URL: "nats://" + addr})
	var want []string
	var expect uint64
	for i := range 60 {
		if i == 20 || i == 40 {
			kill(syscall.SIGKILL)
			_, kill = serverProcess(t, dir, addr)
		}
		body := strings.Repeat("x", i+1)
		expect = add(t, b, "t_a", expect, body)
		want = append(want, body)
	}
	if got := bodies(t, b, fence("t_a"), 0); !slices.Equal(got, want) {
		t.Errorf("%d events are left of %d", len(got), len(want))
	}
	bustest.Close(t, b)
	if state := kill(syscall.SIGTERM); state != 0 {
		t.Errorf("the server's exit code after SIGTERM is %d", state)
	}
}

// serverProcess starts this test binary as a NATS server. kill sends a signal, waits for the end
// and gives the exit code.
func serverProcess(t *testing.T, dir, listen string) (addr string, kill func(syscall.Signal) int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "addr")
	cmd := exec.Command(os.Args[0], "-dir", dir, "-addr", listen, "-addr-file", file)
	cmd.Env = append(os.Environ(), "BUSTEST_SERVE=1")
	cmd.Stderr = os.Stderr
	must(t, cmd.Start())
	dead := make(chan struct{})
	go func() { _ = cmd.Wait(); close(dead) }()
	kill = func(sig syscall.Signal) int {
		_ = cmd.Process.Signal(sig)
		receive(t, dead)
		return cmd.ProcessState.ExitCode()
	}
	t.Cleanup(func() { kill(syscall.SIGKILL) })
	return waitFile(t, within(t), file), kill
}

// waitFile waits until file is there and gives what is in it.
func waitFile(t *testing.T, ctx context.Context, file string) string {
	t.Helper()
	for {
		if body, err := os.ReadFile(file); err == nil {
			return string(body)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s does not appear", file)
		case <-time.After(2 * time.Millisecond):
		}
	}
}
