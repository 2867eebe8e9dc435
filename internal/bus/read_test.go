package bus_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// bodies reads what filter matches from sequence from on.
func bodies(t testing.TB, b *bus.Bus, filter string, from uint64) (got []string) {
	t.Helper()
	must(t, b.ReadTask(within(t), filter, from, func(s bus.Stored) error {
		got = append(got, string(s.Body))
		return nil
	}))
	return got
}

func TestReadTaskInOrder(t *testing.T) {
	b := bustest.New(t)
	start := time.Now().Add(-time.Second)
	var seqs []uint64
	var expect uint64
	for i := range 5 {
		expect = add(t, b, "t_a", expect, fmt.Sprint(i))
		seqs = append(seqs, expect)
		add(t, b, "t_b"+fmt.Sprint(i), 0, "noise")
	}
	var got []bus.Stored
	must(t, b.ReadTask(within(t), fence("t_a"), 0, func(s bus.Stored) error { got = append(got, s); return nil }))
	if len(got) != 5 {
		t.Fatalf("read %d events, want 5", len(got))
	}
	for i, s := range got {
		if s.Seq != seqs[i] || string(s.Body) != fmt.Sprint(i) || s.ID != "t_a-"+fmt.Sprint(i) || s.Subject != "akita.task.t_a.log" || s.Time.Before(start) {
			t.Errorf("event %d is %+v", i, s)
		}
	}
	if tail := bodies(t, b, fence("t_a"), seqs[2]+1); !slices.Equal(tail, []string{"3", "4"}) {
		t.Errorf("tail is %q", tail)
	}
	if none := bodies(t, b, fence("t_x"), 0); none != nil {
		t.Errorf("an unknown task has %q", none)
	}
	if none := bodies(t, b, fence("t_a"), expect+1000); none != nil {
		t.Errorf("beyond the end is %q", none)
	}
}

// TestReadTaskPages reads a task that takes several pages, by count and by size.
func TestReadTaskPages(t *testing.T) {
	b := bustest.New(t)
	for _, tt := range []struct {
		id       string
		n, bytes int
	}{{"many", 1203, 3}, {"large", 30, 500_000}} {
		var expect uint64
		for i := range tt.n {
			expect = add(t, b, tt.id, expect, fmt.Sprint(i)+strings.Repeat(" ", tt.bytes))
		}
		got := bodies(t, b, fence(tt.id), 0)
		for i, body := range got {
			if strings.TrimSpace(body) != fmt.Sprint(i) {
				t.Fatalf("%s: event %d is %.20q", tt.id, i, body)
			}
		}
		if len(got) != tt.n {
			t.Errorf("%s: read %d events, want %d", tt.id, len(got), tt.n)
		}
	}
}

func TestReadTaskEndsWithReader(t *testing.T) {
	b := bustest.New(t)
	add(t, b, "t_a", add(t, b, "t_a", 0, "1"), "2")
	enough, calls := errors.New("enough"), 0
	err := b.ReadTask(within(t), fence("t_a"), 0, func(bus.Stored) error { calls++; return enough })
	if !errors.Is(err, enough) || calls != 1 {
		t.Errorf("after %d calls: %v", calls, err)
	}
	wantKind(t, b.ReadTask(within(t), "akita.task.a b.>", 0, nil), akitad.InvalidRequest)
	wantKind(t, b.ReadTask(within(t), "akita.work.>", 0, nil), akitad.InvalidRequest)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantKind(t, b.ReadTask(ctx, fence("t_a"), 0, nil), akitad.Cancelled)
}

func TestLastTaskAndPurge(t *testing.T) {
	b := bustest.New(t)
	_, ok, err := b.LastTask(within(t), fence("t_a"))
	if ok || err != nil {
		t.Fatalf("last of nothing: %v, %v", ok, err)
	}
	add(t, b, "t_a", add(t, b, "t_a", 0, "1"), "2")
	kept := add(t, b, "t_b", 0, "kept")
	last, ok, err := b.LastTask(within(t), fence("t_a"))
	if !ok || err != nil || string(last.Body) != "2" {
		t.Fatalf("last is %+v, %v, %v", last, ok, err)
	}
	gone := func(id string, seq uint64, want bool) {
		t.Helper()
		if got, err := b.TaskGone(within(t), fence(id), seq); got != want || err != nil {
			t.Errorf("%s at %d is gone: %v, %v", id, seq, got, err)
		}
	}
	gone("t_a", last.Seq, false)
	gone("t_late", kept+1, false) // not there yet
	must(t, b.PurgeTask(within(t), fence("t_a")))
	gone("t_a", last.Seq, true)
	gone("t_b", kept, false)
	if left := bodies(t, b, fence("t_a"), 0); left != nil {
		t.Errorf("purge left %q", left)
	}
	if seq := add(t, b, "t_a", 0, "again"); seq <= kept {
		t.Errorf("a sequence is used again: %d", seq)
	}
	if got := bodies(t, b, fence("t_b"), 0); len(got) != 1 {
		t.Errorf("purge took another task's events")
	}
	wantKind(t, b.PurgeTask(within(t), "akita.task."), akitad.InvalidRequest)
}

func TestScanTasks(t *testing.T) {
	b := bustest.New(t)
	scan := func(filters []string, from uint64) (got []string) {
		must(t, b.ScanTasks(within(t), filters, from, func(s bus.Stored) error {
			got = append(got, string(s.Body))
			return nil
		}))
		return got
	}
	if got := scan([]string{"akita.task.>"}, 0); got != nil {
		t.Errorf("empty stream has %q", got)
	}
	var want []string
	var mid uint64
	for i := range 2500 {
		want = append(want, fmt.Sprint(i))
		if seq := add(t, b, fmt.Sprint("t_", i), 0, fmt.Sprint(i)); i == 1000 {
			mid = seq
		}
	}
	if got := scan([]string{"akita.task.>"}, 0); !slices.Equal(got, want) {
		t.Errorf("scan gives %d events, want %d", len(got), len(want))
	}
	if got := scan([]string{"akita.task.>"}, mid); !slices.Equal(got, want[1000:]) {
		t.Errorf("scan from the middle gives %d events", len(got))
	}
	if got := scan([]string{"akita.task.t_7.*", "akita.task.t_2400.log"}, 0); !slices.Equal(got, []string{"7", "2400"}) {
		t.Errorf("filtered scan gives %q", got)
	}
	if got := scan([]string{"akita.task.*.end"}, 0); got != nil {
		t.Errorf("scan for nothing gives %q", got)
	}
	enough := errors.New("enough")
	if err := b.ScanTasks(within(t), nil, 0, func(bus.Stored) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("scan ends with %v, want the reader's error", err)
	}
}

func TestFollowTasksSeesOldAndNew(t *testing.T) {
	b := bustest.New(t)
	first := add(t, b, "t_a", 0, "old")
	ctx, cancel := context.WithCancel(t.Context())
	ch, done := make(chan string, 10), make(chan error, 1)
	go func() {
		done <- b.FollowTasks(ctx, []string{"akita.task.t_a.>"}, 0, func(s bus.Stored) error { ch <- string(s.Body); return nil })
	}()
	if got := receive(t, ch); got != "old" {
		t.Fatalf("first is %q", got)
	}
	add(t, b, "t_b", 0, "other task")
	add(t, b, "t_a", first, "new")
	if got := receive(t, ch); got != "new" {
		t.Fatalf("second is %q", got)
	}
	cancel()
	must(t, receive(t, done))
}

// TestFollowTasksOutlivesServer restarts the server below a follower: no gap, no repeat.
func TestFollowTasksOutlivesServer(t *testing.T) {
	dir := t.TempDir()
	node := bustest.StartNode(t, dir, "127.0.0.1:0")
	b := bustest.Open(t, bus.Options{URL: node.URL})
	ctx, cancel := context.WithCancel(t.Context())
	ch, done := make(chan string, 100), make(chan error, 1)
	go func() {
		done <- b.FollowTasks(ctx, nil, 0, func(s bus.Stored) error { ch <- string(s.Body); return nil })
	}()
	var expect uint64
	for i := range 6 {
		if i%2 == 1 {
			node.Stop()
			node = bustest.StartNode(t, dir, node.Addr)
		}
		expect = add(t, b, "t_a", expect, fmt.Sprint(i))
		if got := receive(t, ch); got != fmt.Sprint(i) {
			t.Fatalf("event %d is %q", i, got)
		}
	}
	nothing(t, ch, 50*time.Millisecond)
	cancel()
	must(t, receive(t, done))
}
