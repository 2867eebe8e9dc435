package bus

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

// Work is the part of the work queue for one profile. All nodes that open it share its items: each item goes
// to one node, and to another one if the first does not renew it for the claim ttl.
//
// It requests at most one item of each priority, and only while Next is running. Items that arrive later are
// given back at once, so that no item waits at a busy worker.
type Work struct {
	b       *Bus
	profile string
	inbox   string
	sub     *nats.Subscription
	turn    chan struct{} // held by the running Next
	signal  chan struct{} // one element when a field below has changed
	done    chan struct{}
	once    sync.Once

	claims int             // only used by the holder of turn, like back
	back   <-chan struct{} // closed when the connection is lost or comes back

	mu    sync.Mutex
	lines [len(levels)]line
	room  int // number of items that the running Next still accepts
	got   []*Delivery
}

// OpenWork opens the queue of a profile: one consumer per priority, shared by all nodes.
func (b *Bus) OpenWork(ctx context.Context, profile string) (*Work, error) {
	if _, err := subject("akita.work", profile); err != nil {
		return nil, err
	}
	w := &Work{
		b: b, profile: profile, inbox: b.nc.NewInbox(), back: b.link.change(),
		turn: make(chan struct{}, 1), signal: make(chan struct{}, 1), done: make(chan struct{}),
	}
	for i := range levels {
		if err := w.setup(ctx, i); err != nil {
			return nil, err
		}
	}
	var err error
	w.sub, err = b.nc.Subscribe(w.inbox+".*.*", w.receive)
	if err != nil {
		return nil, fault("open work of "+profile, err)
	}
	return w, nil
}

func (w *Work) setup(ctx context.Context, i int) error {
	_, err := w.b.durable(ctx, Queue, jetstream.ConsumerConfig{
		Durable: w.durable(i), FilterSubject: fmt.Sprintf("akita.work.%s.%s.*", w.profile, levels[i]),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: w.b.opts.ClaimTTL, MaxDeliver: -1, MaxAckPending: -1,
	})
	return err
}

func (w *Work) durable(i int) string { return "work-" + w.profile + "-" + levels[i] }

// Reset makes the items that an earlier run of this process had claimed available at once, instead of after
// the claim ttl. It does nothing if other processes can reach the server, because they may have claimed
// items. It must be called before the first Next.
func (w *Work) Reset(ctx context.Context) error {
	if !w.b.alone() {
		return nil
	}
	for i := range levels {
		if err := w.b.resetConsumer(ctx, Queue, w.durable(i)); err != nil {
			return err
		}
	}
	return nil
}

// Next waits for one item, which the caller must renew within the claim ttl. High priority comes before
// normal and low, but every fourth call returns the oldest of the less urgent items, if there are any. It
// fails when ctx ends or the Work is closed. One call waits at a time; others queue.
func (w *Work) Next(ctx context.Context) (*Delivery, error) {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, fault("claim work", ctx.Err())
	case <-w.done:
		return nil, w.closedFault()
	}
	defer func() { <-w.turn }()
	fair := w.claims%fairTurn == fairTurn-1
	w.expect()
	defer w.expectNone()
	d, err := w.claim(ctx, fair)
	if err == nil {
		w.claims++
	}
	return d, err
}

func (w *Work) closedFault() error {
	return akitad.Errorf(akitad.Unavailable, "work of %s is closed", w.profile)
}

// claim checks the lines once for an item and then waits at all of them.
func (w *Work) claim(ctx context.Context, fair bool) (*Delivery, error) {
	w.refresh(time.Now())
	if err := w.look(ctx, fair); err != nil {
		return nil, err
	}
	tick := time.NewTicker(2 * w.b.workBeat())
	defer tick.Stop()
	var pause pauses
	for {
		if d := w.take(ctx, fair); d != nil {
			return d, nil
		}
		w.refresh(time.Now())
		if broken := w.pullAll(); len(broken) > 0 {
			if err := w.repair(ctx, broken, &pause); err != nil {
				return nil, err
			}
			continue
		}
		if err := w.await(ctx, tick.C); err != nil {
			return nil, err
		}
	}
}

// await returns when something has changed, or after some time.
func (w *Work) await(ctx context.Context, tick <-chan time.Time) error {
	select {
	case <-w.signal:
	case <-tick:
	case <-w.back:
	case <-ctx.Done():
		return fault("claim work", ctx.Err())
	case <-w.done:
		return w.closedFault()
	case <-w.b.closed:
		return fault("claim work", nats.ErrConnectionClosed)
	}
	return nil
}

// repair creates the consumers of broken lines again if they are gone. It pauses first, because a cluster
// that elects a leader answers like one that has lost the consumer.
func (w *Work) repair(ctx context.Context, broken []int, pause *pauses) error {
	select {
	case <-w.done:
		return w.closedFault()
	case <-w.b.closed:
		return fault("claim work", nats.ErrConnectionClosed)
	default:
	}
	if err := pause.wait(ctx); err != nil {
		return fault("claim work", err)
	}
	for _, i := range broken {
		if err := w.setup(ctx, i); err != nil {
			w.b.log.Warn("work consumer cannot be set up", zap.String("profile", w.profile), zap.Error(err))
			continue
		}
		w.mu.Lock()
		w.lines[i].broken = false
		w.mu.Unlock()
	}
	return nil
}

// take returns the item to claim of those that have arrived, and gives the others back.
func (w *Work) take(ctx context.Context, fair bool) *Delivery {
	w.mu.Lock()
	got := w.got
	w.got = nil
	w.mu.Unlock()
	if len(got) == 0 {
		return nil
	}
	pick, rest := choose(got, fair)
	for _, d := range rest {
		w.putBack(ctx, d)
	}
	return pick
}

// putBack gives an item back and waits until the server has it, so that it keeps its place in the queue.
func (w *Work) putBack(ctx context.Context, d *Delivery) {
	err := w.b.try(context.WithoutCancel(ctx), tryWait, func(ctx context.Context) error {
		_, err := w.b.nc.RequestWithContext(ctx, d.reply, []byte("-NAK"))
		return err
	})
	if err != nil {
		w.giveBack(d)
	}
}

func (w *Work) giveBack(d *Delivery) {
	if err := d.Nak(0); err != nil {
		w.b.log.Warn("item is left to time out", zap.String("subject", d.Subject()), zap.Error(err))
	}
}

// Close ends a waiting Next and gives back the items in transit.
func (w *Work) Close() {
	w.once.Do(func() {
		close(w.done)
		gone := make(chan struct{})
		w.sub.SetClosedHandler(func(string) { close(gone) })
		life := w.b.link.present()
		if w.sub.Drain() != nil {
			return // the connection is closed, and with it the subscription
		}
		t := time.NewTimer(answerWait)
		defer t.Stop()
		select {
		case <-gone:
		case <-t.C:
		case <-life.Done(): // nothing more arrives, and the server drops our pull requests
		}
	})
}
