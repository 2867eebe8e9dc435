package bus_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// proxy stands between a client and a server, and can go bad.
type proxy struct {
	ln    net.Listener
	to    string
	mute  atomic.Bool // what the server says is swallowed
	wg    sync.WaitGroup
	mu    sync.Mutex
	conns []net.Conn
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{ln: ln, to: to}
	p.wg.Go(p.serve)
	t.Cleanup(func() {
		_ = ln.Close()
		p.cut()
		p.wg.Wait()
	})
	return p
}

func (p *proxy) url() string { return "nats://" + p.ln.Addr().String() }

func (p *proxy) serve() {
	for {
		in, err := p.ln.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, in, out)
		p.mu.Unlock()
		p.wg.Go(func() { _, _ = io.Copy(out, in); _ = out.Close() })
		p.wg.Go(func() { _, _ = io.Copy(&mutable{in, &p.mute}, out); _ = in.Close() })
	}
}

// cut breaks every connection; the next ones are fine.
func (p *proxy) cut() {
	p.mute.Store(false)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

type mutable struct {
	io.Writer
	mute *atomic.Bool
}

func (m *mutable) Write(b []byte) (int, error) {
	if m.mute.Load() {
		return len(b), nil
	}
	return m.Writer.Write(b)
}

// TestFollowTasksMissesNothing loses events on their way to a follower with the connection: it gets
// them all the same, in order, and without waiting for a heartbeat that does not come.
func TestFollowTasksMissesNothing(t *testing.T) {
	node := bustest.StartNode(t, t.TempDir(), "127.0.0.1:0")
	p := newProxy(t, node.Addr)
	b, writer := bustest.Open(t, bus.Options{URL: p.url()}), bustest.Open(t, bus.Options{URL: node.URL})
	ctx, cancel := context.WithCancel(t.Context())
	ch, done := make(chan string, 100), make(chan error, 1)
	go func() {
		done <- b.FollowTasks(ctx, nil, 0, func(s bus.Stored) error { ch <- string(s.Body); return nil })
	}()
	var got, want []string
	var expect uint64
	for i := range 12 {
		if i%4 == 1 {
			p.mute.Store(true)
		}
		expect = add(t, writer, "t_a", expect, fmt.Sprint(i))
		want = append(want, fmt.Sprint(i))
		if i%4 == 3 {
			p.cut()
			for range 3 {
				got = append(got, receive(t, ch))
			}
		} else if i%4 == 0 {
			got = append(got, receive(t, ch))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("followed %v, want %v", got, want)
	}
	cancel()
	must(t, receive(t, done))
}

// TestAnswerLost loses the answer to an append with the connection: the append is made again
// and the writer finds its own event.
func TestAnswerLost(t *testing.T) {
	node := bustest.StartNode(t, t.TempDir(), "127.0.0.1:0")
	p := newProxy(t, node.Addr)
	b, other := bustest.Open(t, bus.Options{URL: p.url()}), bustest.Open(t, bus.Options{URL: node.URL})
	stored := make(chan uint64, 10)
	stop, err := other.OnNudge("t_a", func(seq uint64) { stored <- seq })
	must(t, err)
	defer stop()
	p.mute.Store(true)
	done := make(chan uint64, 1)
	go func() { done <- add(t, b, "t_a", 0, "once") }()
	seq := receive(t, stored)
	p.cut()
	if got := receive(t, done); got != seq {
		t.Errorf("append says %d, stored at %d", got, seq)
	}
	if got := bodies(t, other, fence("t_a"), 0); len(got) != 1 {
		t.Errorf("stored %q", got)
	}
}

// TestSpansAreSentAgain loses the answers to spans with the connection: each is stored, once.
func TestSpansAreSentAgain(t *testing.T) {
	node := bustest.StartNode(t, t.TempDir(), "127.0.0.1:0")
	p := newProxy(t, node.Addr)
	b := bustest.Open(t, bus.Options{URL: p.url()})
	p.mute.Store(true)
	for i := range 100 {
		must(t, b.PublishSpan(t.Context(), "trace", fmt.Append(nil, i)))
	}
	p.cut()
	add(t, b, "t_a", 0, "the connection is back")
	must(t, b.PublishSpan(t.Context(), "trace", []byte("100")))
	must(t, b.FlushSpans(within(t)))
	seen := map[string]int{}
	for _, body := range spans(t, b, "trace") {
		seen[body]++
	}
	for i := range 101 {
		if n := seen[fmt.Sprint(i)]; n != 1 {
			t.Errorf("span %d is stored %d times", i, n)
		}
	}
}

// TestItemLostOnItsWay loses an item with the connection of the worker it was sent to: it comes
// again after the claim ttl, and the one behind it comes too.
func TestItemLostOnItsWay(t *testing.T) {
	t.Parallel() // it waits for the end of a loan
	node := bustest.StartNode(t, t.TempDir(), "127.0.0.1:0")
	p := newProxy(t, node.Addr)
	opts := bus.Options{URL: node.URL, ClaimTTL: 3 * time.Second}
	other := bustest.Open(t, opts)
	opts.URL = p.url()
	b := bustest.Open(t, opts)
	w := openWork(t, b, "coder")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ch := next(ctx, w)
	put(t, other, "normal", "first")
	must(t, receive(t, ch).Ack(within(t)))
	ch = next(ctx, w)
	nothing(t, ch, 50*time.Millisecond)
	p.mute.Store(true)
	put(t, other, "normal", "lost")
	put(t, other, "normal", "second")
	p.cut()
	var got []string
	for range 2 {
		d := receive(t, ch)
		got = append(got, string(d.Body()))
		must(t, d.Ack(within(t)))
		ch = next(ctx, w)
	}
	slices.Sort(got)
	if !slices.Equal(got, []string{"lost", "second"}) {
		t.Errorf("claimed %v", got)
	}
}
