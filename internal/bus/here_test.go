package bus_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// here asks until somebody answers; on a loaded machine that may take longer than one call asks.
func here(t *testing.T, b *bus.Bus, profile string) (info string) {
	t.Helper()
	until(t, profile+" answers", func() bool {
		got, found, err := b.AskHere(within(t), profile)
		must(t, err)
		info = string(got)
		return found
	})
	return info
}

// nobody fails the test if there is somebody who runs profile.
func nobody(t *testing.T, b *bus.Bus, profile string) {
	t.Helper()
	if info, found, err := b.AskHere(within(t), profile); found || err != nil {
		t.Errorf("%s answers %q, %v", profile, info, err)
	}
}

func TestNobodyIsHere(t *testing.T) {
	b := bustest.New(t)
	start := time.Now()
	for range 100 { // two seconds each if it waited for somebody
		nobody(t, b, "coder")
	}
	all, err := b.AskAll(within(t), time.Minute)
	if len(all) != 0 || err != nil {
		t.Errorf("nobody answers %q, %v", all, err)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("to learn that nobody is here took %s", took)
	}
}

func TestHere(t *testing.T) {
	b := bustest.New(t)
	var tasks atomic.Int64
	stop, err := b.ServeHere("coder", func() []byte { return fmt.Append(nil, "busy ", tasks.Load()) })
	must(t, err)
	writer, err := b.ServeHere("writer", func() []byte { return []byte("idle") })
	must(t, err)
	defer writer()
	for _, want := range []string{"busy 1", "busy 2"} {
		tasks.Add(1)
		if got := here(t, b, "coder"); got != want {
			t.Errorf("coder answers %q, want %q", got, want)
		}
	}
	until(t, "both answer", func() bool {
		all, err := b.AskAll(within(t), 100*time.Millisecond)
		must(t, err)
		slices.SortFunc(all, bytes.Compare)
		return string(bytes.Join(all, []byte(", "))) == "busy 2, idle"
	})
	stop()
	nobody(t, b, "coder")
	if got := here(t, b, "writer"); got != "idle" {
		t.Errorf("writer answers %q", got)
	}
	_, _, err = b.AskHere(within(t), "a.b")
	wantKind(t, err, akitad.InvalidRequest)
	_, err = b.ServeHere(">", nil)
	wantKind(t, err, akitad.InvalidRequest)
}

// TestHereSilent: somebody who is there but does not answer counts as nobody after two seconds.
func TestHereSilent(t *testing.T) {
	b := bustest.New(t)
	hold := make(chan struct{})
	stop, err := b.ServeHere("coder", func() []byte { <-hold; return nil })
	must(t, err)
	defer stop()
	defer close(hold)
	_, found, err := b.AskHere(within(t), "coder")
	if found || err != nil {
		t.Errorf("silence is %v, %v", found, err)
	}
}
