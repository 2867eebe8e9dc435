package bus_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// inbox is a consumer whose loans do not end by themselves.
func inbox(durable string) bus.ConsumerOptions {
	return bus.ConsumerOptions{Stream: bus.Inbox, Durable: durable, Filters: []string{"akita.in.*"}, AckWait: time.Hour}
}

func fill(t testing.TB, b *bus.Bus, from, to int) (ids []string) {
	t.Helper()
	for i := from; i < to; i++ {
		id := fmt.Sprint("m", i)
		must(t, b.PublishIn(within(t), "test", id, []byte(id)))
		ids = append(ids, id)
	}
	return ids
}

func take(t testing.TB, ch <-chan *bus.Delivery, n int) (got []string) {
	t.Helper()
	for range n {
		got = append(got, string(receive(t, ch).Body()))
	}
	return got
}

func TestConsumeAcknowledged(t *testing.T) {
	b := bustest.New(t)
	fill(t, b, 0, 2)
	ch, stop := consume(t, b, inbox("c"))
	d := receive(t, ch)
	if d.Subject() != "akita.in.test" || string(d.Body()) != "m0" || d.Seq() != 1 || d.Delivered() != 1 || d.Header("Nats-Msg-Id") != "m0" {
		t.Errorf("delivery is %q on %s, seq %d, delivered %d, id %s", d.Body(), d.Subject(), d.Seq(), d.Delivered(), d.Header("Nats-Msg-Id"))
	}
	must(t, d.Ack(within(t)))
	must(t, d.Ack(within(t))) // a late answer is no error, which is why a loser must not give one
	second := receive(t, ch)
	must(t, second.Ack(within(t)))
	stop()
	ch, _ = consume(t, b, inbox("c"))
	fill(t, b, 2, 3)
	if got := take(t, ch, 1); got[0] != "m2" {
		t.Errorf("settled message %q came again", got[0])
	}
}

// TestConsumeRestartIsOrdered leaves messages unsettled in no particular pattern: the next run
// gets them at once, in order, before the new ones, long before their AckWait.
func TestConsumeRestartIsOrdered(t *testing.T) {
	dir := t.TempDir()
	b := bustest.Open(t, bus.Options{Dir: dir})
	fill(t, b, 0, 20)
	ch, stop := consume(t, b, inbox("c"))
	for i := range 20 {
		if d := receive(t, ch); i%3 == 0 {
			must(t, d.Ack(within(t)))
		}
	}
	stop()
	bustest.Close(t, b)
	b = bustest.Open(t, bus.Options{Dir: dir})
	fill(t, b, 20, 22)
	var want []string
	for i := range 22 {
		if i%3 != 0 || i >= 20 {
			want = append(want, fmt.Sprint("m", i))
		}
	}
	ch, _ = consume(t, b, inbox("c"))
	if got := take(t, ch, len(want)); !slices.Equal(got, want) {
		t.Errorf("after a restart came %q, want %q", got, want)
	}
}

// TestConsumeGivesBackWhatItDidNotHandle stops a consumer in the middle of a burst: another one of
// the same durable has the rest at once, not after the AckWait.
func TestConsumeGivesBackWhatItDidNotHandle(t *testing.T) {
	url := bustest.Server(t)
	b, other := bustest.Open(t, bus.Options{URL: url}), bustest.Open(t, bus.Options{URL: url})
	fill(t, b, 0, 50)
	ctx, cancel := context.WithCancel(t.Context())
	handled := 0
	must(t, b.Consume(ctx, inbox("c"), func(_ context.Context, d *bus.Delivery) {
		handled++
		must(t, d.Ack(within(t)))
		if handled == 10 {
			cancel()
		}
	}))
	if handled != 10 {
		t.Errorf("handled %d messages after the end, want 10", handled)
	}
	ch, _ := consume(t, other, inbox("c"))
	got := take(t, ch, 40)
	slices.Sort(got)
	if len(slices.Compact(got)) != 40 {
		t.Errorf("the other consumer got %q", got)
	}
}

func TestConsumeRedelivers(t *testing.T) {
	t.Parallel() // it is all waiting
	b := bustest.New(t)
	opts := inbox("c")
	opts.AckWait = 2 * time.Second
	ch, _ := consume(t, b, opts)
	t.Run("after AckWait without a word", func(t *testing.T) {
		start := time.Now()
		fill(t, b, 0, 1)
		first, again := receive(t, ch), receive(t, ch)
		if took := time.Since(start); took < opts.AckWait || again.Delivered() != 2 {
			t.Errorf("came again after %s, delivery %d", took, again.Delivered())
		}
		if first.Seq() != again.Seq() {
			t.Errorf("another message came: %d, %d", first.Seq(), again.Seq())
		}
		must(t, again.Ack(within(t)))
	})
	t.Run("not while work is in progress", func(t *testing.T) {
		fill(t, b, 1, 2)
		d := receive(t, ch)
		for range 15 {
			nothing(t, ch, opts.AckWait/10)
			must(t, d.InProgress())
		}
		must(t, d.Ack(within(t)))
		nothing(t, ch, opts.AckWait*11/10)
	})
	t.Run("after the delay of a Nak", func(t *testing.T) {
		fill(t, b, 2, 3)
		d := receive(t, ch)
		start := time.Now()
		must(t, d.Nak(150*time.Millisecond))
		d = receive(t, ch)
		if took := time.Since(start); took < 140*time.Millisecond {
			t.Errorf("came again after %s, want 150 ms", took)
		}
		must(t, d.Nak(0))
		d = receive(t, ch)
		must(t, d.Ack(within(t)))
	})
}

// TestNakDelaySpansAnOutage: three failed tries with a delay take longer than a short outage, which
// three bare ones need not.
func TestNakDelaySpansAnOutage(t *testing.T) {
	b := bustest.New(t)
	ch, _ := consume(t, b, inbox("c"))
	tries := func(id string, delay time.Duration) time.Duration {
		must(t, b.PublishIn(within(t), "test", id, nil))
		start := time.Now()
		for range 3 {
			must(t, receive(t, ch).Nak(delay))
		}
		must(t, receive(t, ch).Ack(within(t)))
		return time.Since(start)
	}
	tries("bare", 0)
	if delayed := tries("delayed", 200*time.Millisecond); delayed < 600*time.Millisecond {
		t.Errorf("three tries, each delayed by 200 ms, took %s", delayed)
	}
}

func TestConsumeSharesAndReusesDurable(t *testing.T) {
	b := bustest.New(t)
	one, stop := consume(t, b, inbox("c"))
	fill(t, b, 0, 1)
	must(t, (<-one).Ack(within(t)))  // before the other one begins, which takes back what is on loan
	_, _ = consume(t, b, inbox("c")) // the same durable again is no error
	stop()
	err := b.Consume(within(t), inbox("second"), func(context.Context, *bus.Delivery) {})
	wantKind(t, err, akitad.InvalidRequest)
}

func TestConsumeFromNow(t *testing.T) {
	b := bustest.New(t)
	add(t, b, "t_a", 0, "old")
	opts := bus.ConsumerOptions{Stream: bus.Tasks, Durable: "now", Filters: []string{"akita.task.*.log"}, FromNow: true}
	all := bus.ConsumerOptions{Stream: bus.Tasks, Durable: "all"}
	every, _ := consume(t, b, all)
	if got := take(t, every, 1); got[0] != "old" {
		t.Fatalf("first of all is %q", got)
	}
	ch, _ := consume(t, b, opts)
	var got []string
	for i := 0; len(got) == 0; i++ { // until the consumer exists, events are old
		add(t, b, fmt.Sprint("n", i), 0, "new")
		select {
		case d := <-ch:
			got = append(got, string(d.Body()))
		case <-time.After(20 * time.Millisecond):
		}
	}
	if got[0] != "new" {
		t.Errorf("first is %q", got)
	}
}

// TestConsumeEndsWithoutServer ends consumers and followers, one after the other, while the server is
// away: they do not wait for its answer, which would take five seconds each.
func TestConsumeEndsWithoutServer(t *testing.T) {
	node := bustest.StartNode(t, t.TempDir(), "127.0.0.1:0")
	b := bustest.Open(t, bus.Options{URL: node.URL})
	add(t, b, "t_a", 0, "one")
	const pairs = 10
	var cancels []context.CancelFunc
	handling, errs := make(chan struct{}, 2*pairs), make(chan error, 2*pairs)
	for i := range pairs {
		ctx, cancel := context.WithCancel(t.Context())
		cancels = append(cancels, cancel)
		go func() {
			errs <- b.Consume(ctx, bus.ConsumerOptions{Stream: bus.Tasks, Durable: fmt.Sprint("c", i)}, func(ctx context.Context, _ *bus.Delivery) {
				handling <- struct{}{}
				<-ctx.Done()
			})
		}()
		go func() {
			errs <- b.FollowTasks(ctx, nil, 0, func(bus.Stored) error { handling <- struct{}{}; return nil })
		}()
	}
	for range 2 * pairs {
		receive(t, handling)
	}
	node.Stop()
	nothing(t, errs, 50*time.Millisecond)
	start := time.Now()
	for _, cancel := range cancels {
		cancel()
		must(t, receive(t, errs))
		must(t, receive(t, errs))
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("the ends took %s", took)
	}
}

// TestConsumeOutlivesServer loses the server, and its memory of the consumer, under a running
// consumer: what is published afterwards arrives.
func TestConsumeOutlivesServer(t *testing.T) {
	dir := t.TempDir()
	node := bustest.StartNode(t, dir, "127.0.0.1:0")
	b := bustest.Open(t, bus.Options{URL: node.URL})
	ch, _ := consume(t, b, inbox("c"))
	fill(t, b, 0, 1)
	must(t, receive(t, ch).Ack(within(t)))
	node.Stop()
	bustest.StartNode(t, dir, node.Addr)
	fill(t, b, 1, 2)
	if d := receive(t, ch); string(d.Body()) != "m1" {
		t.Errorf("after a restart came %q", d.Body())
	}
}

// TestConsumeInOrderOutlivesItsProcess: what a process that died had on loan comes to the next one before
// all that came later, though the server still counts it as lent out.
func TestConsumeInOrderOutlivesItsProcess(t *testing.T) {
	t.Parallel() // it waits for the end of a loan
	opts := bus.Options{URL: bustest.Server(t), ClaimTTL: 3 * time.Second}
	died, next := bustest.Open(t, opts), bustest.Open(t, opts)
	inOrder := inbox("c")
	inOrder.InOrder = true
	fill(t, died, 0, 1)
	ch, stop := consume(t, died, inOrder)
	receive(t, ch) // and never settled
	stop()
	fill(t, next, 1, 4)
	ch, _ = consume(t, next, inOrder)
	var got []string
	for range 4 {
		d := receive(t, ch)
		got = append(got, string(d.Body()))
		must(t, d.Ack(within(t)))
	}
	if want := []string{"m0", "m1", "m2", "m3"}; !slices.Equal(got, want) {
		t.Errorf("came %q, want %q", got, want)
	}
}

// TestConsumeAloneEndsOldLoans: what a process that died had on loan comes to the next one at once and in order, on a
// server that neither of them runs.
func TestConsumeAloneEndsOldLoans(t *testing.T) {
	opts := bus.Options{URL: bustest.Server(t)}
	died, next := bustest.Open(t, opts), bustest.Open(t, opts)
	alone := inbox("c")
	alone.Alone, alone.AckWait = true, time.Hour
	want := fill(t, died, 0, 3)
	ch, stop := consume(t, died, alone)
	for range 3 {
		d := receive(t, ch)
		if string(d.Body()) == "m1" {
			must(t, d.Ack(within(t)))
		}
	}
	stop()
	want = append(slices.Delete(want, 1, 2), fill(t, next, 3, 5)...)
	ch, _ = consume(t, next, alone)
	if got := take(t, ch, len(want)); !slices.Equal(got, want) {
		t.Errorf("came %q, want %q", got, want)
	}
}
