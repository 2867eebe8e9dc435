package bustest_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func TestServerTakesClients(t *testing.T) {
	for embedded, b := range map[bool]*bus.Bus{false: bustest.Open(t, bus.Options{URL: bustest.Server(t)}), true: bustest.New(t)} {
		if err := b.PublishIn(t.Context(), "test", "m", nil); err != nil || b.Embedded() != embedded {
			t.Errorf("embedded %v, want %v; %v", b.Embedded(), embedded, err)
		}
	}
}

// TestServeMain runs the program in this process and ends it as an operator would.
func TestServeMain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "addr")
	code := make(chan int, 1)
	go func() { code <- bustest.ServeMain([]string{"-dir", t.TempDir(), "-addr-file", file}) }()
	var addr string
	for start := time.Now(); addr == ""; {
		if body, err := os.ReadFile(file); err == nil {
			addr = string(body)
		} else if time.Since(start) > time.Minute {
			t.Fatal("no address after a minute")
		}
		time.Sleep(time.Millisecond)
	}
	if !strings.HasPrefix(addr, "127.0.0.1:") {
		t.Errorf("listens on %s", addr)
	}
	b := bustest.Open(t, bus.Options{URL: "nats://" + addr})
	bustest.Close(t, b)
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != 0 {
		t.Errorf("exit code %d", got)
	}
}

func TestServeMainRefuses(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	for _, args := range [][]string{
		nil, {"-wrong"}, {"-dir", t.TempDir(), "-addr", "nowhere"}, {"-dir", t.TempDir(), "-addr", "127.0.0.1:x"},
	} {
		if got := bustest.ServeMain(args); got != 1 {
			t.Errorf("ServeMain(%q) = %d, want 1", args, got)
		}
	}
	if got := bustest.ServeMain([]string{"-h"}); got != 2 {
		t.Errorf("ServeMain(-h) = %d, want 2", got)
	}
}
