package bus_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func TestAppendIsFencedByTask(t *testing.T) {
	b := bustest.New(t)
	first := add(t, b, "t_a", 0, "one")
	other := add(t, b, "t_b", 0, "one") // another task does not move t_a's fence
	second := add(t, b, "t_a", first, "two")
	if first >= other || other >= second {
		t.Errorf("sequences %d, %d, %d do not rise", first, other, second)
	}
	for _, stale := range []uint64{0, first, other, second + 1} {
		_, err := b.Append(within(t), "akita.task.t_a.wait", fence("t_a"), stale, "x", []byte("x"))
		if !errors.Is(err, bus.ErrConflict) {
			t.Errorf("append expecting %d after %d: %v, want a conflict", stale, second, err)
		}
	}
}

// TestAppendHasOneWinner lets 16 writers append from one expected sequence, many times over.
func TestAppendHasOneWinner(t *testing.T) {
	b := bustest.New(t)
	var expect uint64
	for round := range 25 {
		seqs := race(t, b, 16, round, expect)
		if len(seqs) != 1 {
			t.Fatalf("round %d: %d winners", round, len(seqs))
		}
		expect = seqs[0]
	}
}

// race gives the sequences that n writers got; all others must have got a conflict.
func race(t *testing.T, b *bus.Bus, n, round int, expect uint64) (won []uint64) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	ctx := within(t)
	for w := range n {
		wg.Go(func() {
			seq, err := b.Append(ctx, "akita.task.t_a.log", fence("t_a"), expect, fmt.Sprintf("%d-%d", round, w), []byte("x"))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won = append(won, seq)
			case !errors.Is(err, bus.ErrConflict):
				t.Errorf("writer %d: %v, want a conflict", w, err)
			}
		})
	}
	wg.Wait()
	return won
}

// TestConflictMayBeOwnSuccess repeats an append whose answer the writer did not see: a single
// server calls it a conflict, and the event is found by its id.
func TestConflictMayBeOwnSuccess(t *testing.T) {
	b := bustest.New(t)
	seq, err := b.Append(within(t), "akita.task.t_a.ready", fence("t_a"), 0, "ev-1", []byte("x"))
	must(t, err)
	_, err = b.Append(within(t), "akita.task.t_a.ready", fence("t_a"), 0, "ev-1", []byte("x"))
	if !errors.Is(err, bus.ErrConflict) {
		t.Fatalf("repeated append: %v, want a conflict", err)
	}
	last, ok, err := b.LastTask(within(t), fence("t_a"))
	must(t, err)
	if !ok || last.ID != "ev-1" || last.Seq != seq {
		t.Errorf("last event is %+v, want ev-1 at %d", last, seq)
	}
}

func TestAppendRefusesWhatItCannotStore(t *testing.T) {
	b := bustest.New(t)
	big := make([]byte, 2<<20)
	for _, tt := range []struct {
		name, subject, fence string
		body                 []byte
	}{
		{"body over the payload limit", "akita.task.t_a.log", fence("t_a"), big},
		{"space in the id", "akita.task.a b.log", "akita.task.a b.>", nil},
		{"wildcard as id", "akita.task.*.log", "akita.task.*.>", nil},
		{"dot in the id", "akita.task.a.v1.log", "akita.task.a.v1.>", nil},
		{"no route", "akita.task.t_a", fence("t_a"), nil},
		{"another stream", "akita.work.t_a.log", fence("t_a"), nil},
		{"no fence", "akita.task.t_a.log", "", nil},
		{"fence of another task", "akita.task.t_a.log", fence("t_b"), nil},
		{"fence in other words", "akita.task.t_a.log", "akita.task.t_a.*", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := b.Append(within(t), tt.subject, tt.fence, 0, "m", tt.body)
			wantKind(t, err, akitad.InvalidRequest)
			if f := akitad.FailureOf(err); f == nil || f.Hint == "" && tt.fence == fence("t_a") && tt.body == nil && tt.name != "no route" {
				t.Errorf("error %v gives no hint", err)
			}
		})
	}
}

// TestAppendOutlivesServer appends while the server is away: the call waits and succeeds, once.
func TestAppendOutlivesServer(t *testing.T) {
	dir := t.TempDir()
	node := bustest.StartNode(t, dir, "127.0.0.1:0")
	b := bustest.Open(t, bus.Options{URL: node.URL})
	first := add(t, b, "t_a", 0, "one")
	node.Stop()
	done := make(chan uint64, 1)
	go func() { done <- add(t, b, "t_a", first, "two") }()
	nothing(t, done, 50*time.Millisecond)
	bustest.StartNode(t, dir, node.Addr)
	second := receive(t, done)
	if got := bodies(t, b, fence("t_a"), 0); len(got) != 2 || second <= first {
		t.Errorf("stored %q at %d, %d, want two events", got, first, second)
	}
}

func TestAppendGivesUpWithContext(t *testing.T) {
	node := bustest.StartNode(t, t.TempDir(), "127.0.0.1:0")
	b := bustest.Open(t, bus.Options{URL: node.URL})
	node.Stop()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := b.Append(ctx, "akita.task.t_a.log", fence("t_a"), 0, "m", []byte("x"))
		done <- err
	}()
	nothing(t, done, 50*time.Millisecond)
	cancel()
	err := receive(t, done)
	wantKind(t, err, akitad.Cancelled)
	if errors.Is(err, bus.ErrConflict) {
		t.Errorf("%v counts as a conflict", err)
	}
}
