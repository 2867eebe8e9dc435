package channels

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

// server is one gateway's hold, and tells when it finds another one, and when it begins and ends to serve.
type server struct {
	*hold
	looks, begins, ends chan struct{}
	unsure              chan struct{} // it holds the first time only
	stop                context.CancelFunc
	ended               chan error
}

func contend(t *testing.T, url, node string, renew time.Duration) *server {
	t.Helper()
	b := bustest.Open(t, bus.Options{URL: url})
	s := &server{looks: make(chan struct{}, 9), begins: make(chan struct{}, 9), ends: make(chan struct{}, 9), unsure: make(chan struct{}, 1), ended: make(chan error, 1)}
	log := zaptest.NewLogger(t, zaptest.WrapOptions(zap.Hooks(func(e zapcore.Entry) error {
		if strings.HasPrefix(e.Message, "another node serves") {
			s.looks <- struct{}{}
		}
		if strings.HasPrefix(e.Message, "it is not known who serves") {
			select {
			case s.unsure <- struct{}{}:
			default:
			}
		}
		return nil
	})))
	s.hold = &hold{bus: b, key: holdKey("x"), node: node, renew: renew, ttl: 4 * renew, log: log}
	ctx, stop := context.WithCancel(t.Context())
	s.stop = stop
	go func() {
		s.ended <- s.during(ctx, func(ctx context.Context) error {
			s.begins <- struct{}{}
			<-ctx.Done()
			s.ends <- struct{}{}
			return nil
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

func await(t *testing.T, ch <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-ch:
	case <-time.After(time.Minute):
		t.Fatal(what)
	}
}

// standsBy waits until s has found that another node serves.
func (s *server) standsBy(t *testing.T) {
	t.Helper()
	await(t, s.looks, "it never found another one")
	if kind := akitad.KindOf(s.health()); kind != akitad.Unavailable || len(s.begins) > 0 {
		t.Errorf("health %v; it serves %d times", s.health(), len(s.begins))
	}
}

// One gateway serves at a time, and the next one as soon as it has ended.
func TestOneGatewayServesAChannel(t *testing.T) {
	url := bustest.Server(t)
	first := contend(t, url, "n-1", 100*time.Millisecond)
	await(t, first.begins, "the first one does not serve")
	second := contend(t, url, "n-2", 100*time.Millisecond)
	second.standsBy(t)
	first.stop()
	await(t, first.ends, "the first one does not end")
	await(t, second.begins, "the second one does not serve")
	if err := errors.Join(first.health(), second.health()); err != nil {
		t.Error(err)
	}
}

// Who is silent loses the channel, and hears of it when it is back.
func TestASilentGatewayLosesItsChannel(t *testing.T) {
	url := bustest.Server(t)
	s := contend(t, url, "n-1", 100*time.Millisecond)
	await(t, s.begins, "it does not serve")
	kv, err := s.bus.KV(t.Context(), "akita")
	if err == nil {
		_, err = kv.Put(t.Context(), s.key, []byte("n-2"))
	}
	if err != nil {
		t.Fatal(err)
	}
	await(t, s.ends, "it goes on, though another one has the channel")
	await(t, s.begins, "it does not take the channel of one that is silent")
}

// A holder that renews is not silent, however long it has had the channel.
func TestWhoRenewsIsNotSilent(t *testing.T) {
	at := time.Unix(1e9, 0)
	seen := sight{since: at}
	for _, tt := range []struct {
		rev  uint64
		pass time.Duration
		want time.Duration
	}{
		{7, 0, 0},
		{7, 3 * time.Second, 3 * time.Second},
		{8, time.Second, 0},
		{8, 2 * time.Second, 2 * time.Second},
		{9, 3 * time.Second, 0},
		{12, 4 * time.Second, 0},
		{12, 5 * time.Second, 5 * time.Second},
	} {
		at = at.Add(tt.pass)
		if got := seen.silence(tt.rev, at); got != tt.want {
			t.Errorf("at revision %d: silent for %v, want %v", tt.rev, got, tt.want)
		}
	}
}

// A holder stops before another one takes its place: it counts from before its write, and ends half a renewal earlier.
func TestAHolderStopsBeforeTheNextBegins(t *testing.T) {
	s := contend(t, bustest.Server(t), "n-1", time.Hour)
	await(t, s.begins, "it does not serve")
	kv, err := s.bus.KV(t.Context(), "akita")
	if err != nil {
		t.Fatal(err)
	}
	_, rev, err := kv.Get(t.Context(), s.key)
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.write(t.Context(), kv, rev)
	if written := time.Now(); err != nil || l.rev <= rev || l.until.After(written.Add(s.ttl-s.renew/2)) || l.until.Before(written.Add(s.renew)) {
		t.Errorf("%v: revision %d after %d, until %v after it was written", err, l.rev, rev, l.until.Sub(written))
	}
}

// After a crash, a node has the channel back without a wait.
func TestANodeTakesItsChannelBack(t *testing.T) {
	url := bustest.Server(t)
	b := bustest.Open(t, bus.Options{URL: url})
	kv, err := b.KV(t.Context(), "akita")
	if err == nil {
		_, err = kv.Put(t.Context(), holdKey("x"), []byte("n-1"))
	}
	if err != nil {
		t.Fatal(err)
	}
	await(t, contend(t, url, "n-1", time.Hour).begins, "it waits for itself")
}

// The answer to a write was lost, as the key shows that has this node in it at a revision it does not know: the hold is
// renewed by one more write, and given back at the end.
func TestAWriteWhoseAnswerWasLost(t *testing.T) {
	url := bustest.Server(t)
	s := contend(t, url, "n-1", time.Hour)
	await(t, s.begins, "it does not serve")
	kv, err := s.bus.KV(t.Context(), "akita")
	if err != nil {
		t.Fatal(err)
	}
	lost := func() uint64 {
		rev, err := kv.Put(t.Context(), s.key, []byte(s.node))
		if err != nil {
			t.Fatal(err)
		}
		return rev
	}
	rev := lost()
	next, err := s.renewed(t.Context(), kv, lease{rev - 1, time.Now().Add(time.Minute)})
	if _, now, rerr := kv.Get(t.Context(), s.key); err != nil || rerr != nil || next.rev <= rev || next.rev != now {
		t.Errorf("after revision %d it has %d (%v), and the key is at %d (%v)", rev, next.rev, err, now, rerr)
	}
	lost()
	s.stop()
	await(t, s.ends, "it does not end")
	await(t, contend(t, url, "n-2", time.Hour).begins, "the channel was not given back")
}

// A server that does not answer costs a holder its channel, and who waits says that it does not know who has it.
func TestTheServerIsGone(t *testing.T) {
	dir := t.TempDir()
	node := bustest.StartNode(t, dir, "127.0.0.1:0")
	s := contend(t, node.URL, "n-1", 100*time.Millisecond)
	await(t, s.begins, "it does not serve")
	node.Stop()
	await(t, s.ends, "it goes on, though another one may have the channel")
	await(t, s.unsure, "it seems to know who serves")
	if kind := akitad.KindOf(s.health()); kind != akitad.Unavailable {
		t.Errorf("health %v", s.health())
	}
	bustest.StartNode(t, dir, node.Addr)
	await(t, s.begins, "it does not serve again")
	if err := s.health(); err != nil {
		t.Error(err)
	}
}

// running is a channel that tells when it runs.
type running struct {
	Channel
	runs chan struct{}
}

func (r running) Name() string { return "x" }

func (r running) Run(ctx context.Context, _ func(context.Context, akitad.Message) error) error {
	r.runs <- struct{}{}
	<-ctx.Done()
	return nil
}

// Of two gateways on one server, the second has its channel run when the first has stopped, and says why it does not
// before.
func TestTheSecondGatewayStandsBy(t *testing.T) {
	url := bustest.Server(t)
	begin := func(node string, log *zap.Logger) (*Gateway, running, func()) {
		b := bustest.Open(t, bus.Options{URL: url})
		ch := running{runs: make(chan struct{}, 9)}
		g := New(b, journal.New(b, node), []Channel{ch}, Options{Node: node, Renew: 20 * time.Millisecond, TTL: time.Minute, Log: log})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- g.Run(ctx) }()
		end := func() {
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		return g, ch, end
	}
	_, first, stop := begin("n-1", zap.NewNop())
	await(t, first.runs, "the first one does not run")
	found := make(chan struct{}, 9)
	g, second, end := begin("n-2", zaptest.NewLogger(t, zaptest.WrapOptions(zap.Hooks(func(e zapcore.Entry) error {
		if strings.HasPrefix(e.Message, "another node serves") {
			found <- struct{}{}
		}
		return nil
	}))))
	defer end()
	await(t, found, "the second one does not look")
	if akitad.KindOf(g.Health()["x"]) != akitad.Unavailable || len(second.runs) > 0 {
		t.Errorf("health %v; it ran %d times", g.Health(), len(second.runs))
	}
	stop()
	await(t, second.runs, "the second one does not run")
}
