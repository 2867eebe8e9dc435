package bus_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func openWork(t testing.TB, b *bus.Bus, profile string) *bus.Work {
	t.Helper()
	w, err := b.OpenWork(within(t), profile)
	must(t, err)
	t.Cleanup(w.Close)
	return w
}

// put queues one item for profile "coder".
func put(t testing.TB, b *bus.Bus, prio, id string) {
	t.Helper()
	must(t, b.PublishWork(within(t), "coder", prio, id, id, []byte(id), ""))
}

// claim takes the next item, settles it and gives its body.
func claim(t testing.TB, w *bus.Work) string {
	t.Helper()
	d, err := w.Next(within(t))
	must(t, err)
	must(t, d.Ack(within(t)))
	return string(d.Body())
}

// next calls Next in the background.
func next(ctx context.Context, w *bus.Work) chan *bus.Delivery {
	ch := make(chan *bus.Delivery, 1)
	go func() {
		if d, err := w.Next(ctx); err == nil {
			ch <- d
		}
	}()
	return ch
}

func TestWorkItem(t *testing.T) {
	b := bustest.New(t)
	w := openWork(t, b, "coder")
	must(t, b.PublishWork(within(t), "coder", "high", "t_a", "t_a-1", []byte("7"), "00-trace"))
	d, err := w.Next(within(t))
	must(t, err)
	if d.Subject() != "akita.work.coder.high.t_a" || string(d.Body()) != "7" || d.Header(bus.TraceHeader) != "00-trace" || d.Delivered() != 1 {
		t.Errorf("item %s %q, trace %q, delivery %d", d.Subject(), d.Body(), d.Header(bus.TraceHeader), d.Delivered())
	}
	held, err := b.HasWork(within(t), "t_a")
	if !held || err != nil {
		t.Errorf("an item on loan is in the queue: %v, %v", held, err)
	}
	must(t, d.Ack(within(t)))
	if held, err = b.HasWork(within(t), "t_a"); held || err != nil {
		t.Errorf("a settled item is in the queue: %v, %v", held, err)
	}
}

// TestWorkAfterItsAck: an acknowledgement does not make the server forget the id of a message. The same
// item again is swallowed, settled or not; the task's next activation has another id and is not.
func TestWorkAfterItsAck(t *testing.T) {
	b := bustest.New(t)
	w := openWork(t, b, "coder")
	publish := func(id string) (held bool) {
		t.Helper()
		must(t, b.PublishWork(within(t), "coder", "normal", "t_a", id, []byte(id), ""))
		held, err := b.HasWork(within(t), "t_a")
		must(t, err)
		return held
	}
	for _, id := range []string{"t_a-1", "t_a-7"} {
		if !publish(id) {
			t.Fatalf("%s is swallowed", id)
		}
		d, err := w.Next(within(t))
		must(t, err)
		if string(d.Body()) != id {
			t.Errorf("got %q, want %q", d.Body(), id)
		}
		must(t, d.Ack(within(t)))
		if publish(id) {
			t.Errorf("%s came twice", id)
		}
	}
}

func TestPublishWorkRefuses(t *testing.T) {
	b := bustest.New(t)
	for _, tt := range []struct{ profile, prio, id string }{
		{"coder", "urgent", "t_a"},
		{"coder", "", "t_a"},
		{"agent name.v1", "low", "t_a"},
		{"*", "low", "t_a"},
		{"coder", "low", "a b"},
		{"coder", "low", ">"},
		{"", "low", "t_a"},
		{"coder", "low", "日本"},
	} {
		wantKind(t, b.PublishWork(within(t), tt.profile, tt.prio, tt.id, "m", nil, ""), akitad.InvalidRequest)
	}
	_, err := b.OpenWork(within(t), "a.b")
	wantKind(t, err, akitad.InvalidRequest)
	_, err = b.HasWork(within(t), "*")
	wantKind(t, err, akitad.InvalidRequest)
	wantKind(t, b.DropWork(within(t), "*"), akitad.InvalidRequest)
}

// TestWorkPriority claims with everything queued: high, normal, low, and each fourth claim goes to
// the oldest of those that are less urgent than the most urgent one.
func TestWorkPriority(t *testing.T) {
	b := bustest.New(t)
	w := openWork(t, b, "coder")
	for _, id := range strings.Fields("low-1 normal-1 high-1 high-2 low-2 high-3 high-4 high-5 normal-2 high-6") {
		prio, _, _ := strings.Cut(id, "-")
		put(t, b, prio, id)
	}
	var got []string
	for range 10 {
		got = append(got, claim(t, w))
	}
	want := strings.Fields("high-1 high-2 high-3 low-1 high-4 high-5 high-6 low-2 normal-1 normal-2")
	if !slices.Equal(got, want) {
		t.Errorf("claimed %v, want %v", got, want)
	}
}

// TestWorkIsNotStarved keeps the high queue full for ever: everything else gets its turn.
func TestWorkIsNotStarved(t *testing.T) {
	b := bustest.New(t)
	w := openWork(t, b, "coder")
	put(t, b, "low", "low-1")
	put(t, b, "normal", "normal-1")
	for i := range 8 {
		put(t, b, "high", fmt.Sprint("high-", i))
	}
	var got []string
	for i := range 8 {
		got = append(got, claim(t, w))
		put(t, b, "high", fmt.Sprint("more-", i))
	}
	if got[3] != "low-1" || got[7] != "normal-1" {
		t.Errorf("claimed %v, want low-1 fourth and normal-1 eighth", got)
	}
}

// TestWorkIsNeverLost puts items of all priorities in all sorts of rhythms to one or two claimers:
// each comes exactly once, and none waits for its claim to time out.
func TestWorkIsNeverLost(t *testing.T) {
	b := bustest.New(t)
	ws := []*bus.Work{openWork(t, b, "coder"), openWork(t, b, "coder")}
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		prios := rapid.SliceOfN(rapid.SampledFrom([]string{"high", "normal", "low"}), 1, 20).Draw(rt, "prios")
		before := rapid.IntRange(0, len(prios)).Draw(rt, "queued before the first claim")
		claimers := rapid.IntRange(1, 2).Draw(rt, "claimers")
		ids := make([]string, len(prios))
		for i := range ids {
			n++
			ids[i] = fmt.Sprint("t_", n)
		}
		for i := range before {
			put(t, b, prios[i], ids[i])
		}
		got := claimAll(t, ws[:claimers], len(ids), func() {
			for i := before; i < len(ids); i++ {
				put(t, b, prios[i], ids[i])
			}
		})
		slices.Sort(ids)
		slices.Sort(got)
		if !slices.Equal(got, ids) {
			rt.Fatalf("claimed %v, want %v", got, ids)
		}
	})
}

// claimAll claims n items with all of ws at once, while publish runs.
func claimAll(t *testing.T, ws []*bus.Work, n int, publish func()) (got []string) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	items := make(chan string, n)
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Go(func() {
			for {
				d, err := w.Next(ctx)
				if err != nil {
					return
				}
				if err := d.Ack(context.WithoutCancel(ctx)); err == nil {
					items <- string(d.Body())
				}
			}
		})
	}
	publish()
	for range n {
		select {
		case id := <-items:
			got = append(got, id)
		case <-ctx.Done():
			return got
		}
	}
	cancel()
	wg.Wait()
	return got
}

// TestWorkLeftoverGoesBack: whoever waits for work has told the server so for each priority. When
// one item has come and the worker is busy, an item of another priority must not stay with it.
func TestWorkLeftoverGoesBack(t *testing.T) {
	b := bustest.New(t)
	busy, idle := openWork(t, b, "coder"), openWork(t, b, "coder")
	ch := next(t.Context(), busy)
	waitForPulls(t, b, busy, ch)
	put(t, b, "high", "for-another")
	if got := claim(t, idle); got != "for-another" {
		t.Errorf("claimed %q", got)
	}
}

// waitForPulls makes busy hold a claim of normal priority with its other pulls left open.
func waitForPulls(t *testing.T, b *bus.Bus, busy *bus.Work, ch chan *bus.Delivery) {
	t.Helper()
	put(t, b, "normal", "its-own")
	d := receive(t, ch)
	t.Cleanup(func() { must(t, d.Nak(0)) })
	if string(d.Body()) != "its-own" {
		t.Fatalf("claimed %q", d.Body())
	}
}

// TestWorkCancelledNextTakesNothing ends a waiting Next and puts an item: another worker has it at
// once.
func TestWorkCancelledNextTakesNothing(t *testing.T) {
	b := bustest.New(t)
	one, two := openWork(t, b, "coder"), openWork(t, b, "coder")
	for i := range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			d, err := one.Next(ctx)
			if err == nil {
				err = d.Nak(0)
			}
			done <- err
		}()
		if i%2 == 0 {
			cancel()
		}
		put(t, b, "low", fmt.Sprint("t_", i))
		cancel()
		<-done
		if got := claim(t, two); got != fmt.Sprint("t_", i) {
			t.Fatalf("claimed %q", got)
		}
	}
}

func TestWorkNextEnds(t *testing.T) {
	b := bustest.New(t)
	w := openWork(t, b, "coder")
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error, 3)
	for range 2 { // one waits for the other's turn
		go func() { _, err := w.Next(ctx); errs <- err }()
	}
	nothing(t, errs, 20*time.Millisecond)
	cancel()
	wantKind(t, receive(t, errs), akitad.Cancelled)
	wantKind(t, receive(t, errs), akitad.Cancelled)
	go func() { _, err := w.Next(t.Context()); errs <- err }()
	nothing(t, errs, 20*time.Millisecond)
	w.Close()
	wantKind(t, receive(t, errs), akitad.Unavailable)
	_, err := w.Next(t.Context())
	wantKind(t, err, akitad.Unavailable)
	w.Close()
}

// TestWorkOfDeadWorkerIsTakenOver: a worker that goes away without a word loses its item after the
// claim ttl, one that reports progress keeps it.
func TestWorkOfDeadWorkerIsTakenOver(t *testing.T) {
	t.Parallel() // it waits for the end of a loan
	ttl := 2 * time.Second
	b := bustest.Open(t, bus.Options{Dir: t.TempDir(), ClaimTTL: ttl})
	dead, other := openWork(t, b, "coder"), openWork(t, b, "coder")
	put(t, b, "normal", "t_a")
	d, err := dead.Next(within(t))
	must(t, err)
	ch := next(t.Context(), other)
	for range 15 {
		nothing(t, ch, ttl/10)
		must(t, d.InProgress())
	}
	again := receive(t, ch)
	if again.Delivered() != 2 || string(again.Body()) != "t_a" {
		t.Errorf("taken over: delivery %d of %q", again.Delivered(), again.Body())
	}
	must(t, again.Ack(within(t)))
}

// TestWorkReset: the next run of a lone node has the items of the run before at once.
func TestWorkReset(t *testing.T) {
	dir := t.TempDir()
	b := bustest.Open(t, bus.Options{Dir: dir})
	w := openWork(t, b, "coder")
	for i := range 3 {
		put(t, b, "normal", fmt.Sprint("t_", i))
		_, err := w.Next(within(t))
		must(t, err)
	}
	w.Close()
	bustest.Close(t, b)
	b = bustest.Open(t, bus.Options{Dir: dir})
	w = openWork(t, b, "coder")
	must(t, w.Reset(within(t)))
	for i := range 3 {
		if got := claim(t, w); got != fmt.Sprint("t_", i) {
			t.Errorf("claim %d is %q", i, got)
		}
	}
}

// TestWorkResetSparesOthers: with a server that others reach, a reset leaves their claims alone.
func TestWorkResetSparesOthers(t *testing.T) {
	b := bustest.Open(t, bus.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	remote := bustest.Open(t, bus.Options{URL: "nats://" + b.Addr()})
	put(t, b, "normal", "t_a")
	_, err := openWork(t, remote, "coder").Next(within(t))
	must(t, err)
	w := openWork(t, b, "coder")
	must(t, w.Reset(within(t)))
	nothing(t, next(t.Context(), w), 100*time.Millisecond)
}

func TestDropWork(t *testing.T) {
	b := bustest.New(t)
	w := openWork(t, b, "coder")
	put(t, b, "low", "t_gone")
	put(t, b, "high", "t_gone2")
	must(t, b.PublishWork(within(t), "writer", "high", "t_gone", "other", nil, ""))
	must(t, b.DropWork(within(t), "t_gone"))
	for id, want := range map[string]bool{"t_gone": false, "t_gone2": true, "t_never": false} {
		if got, err := b.HasWork(within(t), id); got != want || err != nil {
			t.Errorf("HasWork(%s) = %v, %v, want %v", id, got, err, want)
		}
	}
	if got := claim(t, w); got != "t_gone2" {
		t.Errorf("claimed %q", got)
	}
	must(t, b.DropWork(within(t), "t_never"))
}

// TestWorkOutlivesServer restarts the server, with and without its data, below a waiting Next.
func TestWorkOutlivesServer(t *testing.T) {
	dir := t.TempDir()
	node := bustest.StartNode(t, dir, "127.0.0.1:0")
	b := bustest.Open(t, bus.Options{URL: node.URL})
	w := openWork(t, b, "coder")
	for i := range 3 {
		ch := next(t.Context(), w)
		nothing(t, ch, 20*time.Millisecond)
		node.Stop()
		node = bustest.StartNode(t, dir, node.Addr)
		id := fmt.Sprint("t_", i)
		put(t, b, "normal", id)
		d := receive(t, ch)
		if string(d.Body()) != id {
			t.Errorf("claimed %q, want %q", d.Body(), id)
		}
		must(t, d.Ack(within(t)))
	}
}
