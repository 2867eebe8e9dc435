package claim

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
)

// How soon a work item is delivered again after a temporary failure.
const (
	retryStale = 50 * time.Millisecond // the fold is older than the item, because a replica lags
	retryError = time.Second           // doubles with each failure of the item here
	retryMost  = 30 * time.Second

	// maxLag is how often a lagging replica is asked again: for a second after a nudge, for some minutes after
	// a work item.
	maxLag = 20
)

// Options of a Holder. Node and Incarnation are required.
type Options struct {
	Node        string        // name of this node
	Incarnation string        // unique to this start of the process
	Renew       time.Duration // how often a claim is renewed, default 10 s
	Expire      time.Duration // a running task without an event for longer than this ends as expired, default 24 hours
	Log         *zap.Logger   // default silent
}

// Holder takes claims for work items and serves them.
type Holder struct {
	bus     *bus.Bus
	journal *journal.Journal
	opts    Options

	mu      sync.Mutex
	serving map[uint64]bool   // items that are being served, by their sequence in the queue
	failed  map[uint64]uint64 // how often the work of an item has failed here
}

// maxFailed bounds the items of which failures are remembered: others may have done them since.
const maxFailed = 1000

// NewHolder returns a holder that claims for the node of opts.
func NewHolder(b *bus.Bus, j *journal.Journal, opts Options) *Holder {
	opts.Renew = cmp.Or(opts.Renew, 10*time.Second)
	opts.Expire = cmp.Or(opts.Expire, 24*time.Hour)
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	return &Holder{bus: b, journal: j, opts: opts, serving: map[uint64]bool{}, failed: map[uint64]uint64{}}
}

// Work advances a claimed task. It returns nil when it has appended the event that ends the activation (an
// end, a wait, a hand-over). With ErrShutdown the item is given back at once, with any other error after a
// pause; with ErrLost it is left to its new holder.
type Work func(ctx context.Context, c *Claim) error

// Serve takes the claim for a work item, runs work under it and settles the item, whatever happens;
// failures are logged. An item that is delivered again while this holder serves it is ignored: after a
// clock was set forward or a machine slept, the server takes a healthy holder for dead, and the next
// renewal corrects that.
func (h *Holder) Serve(ctx context.Context, d *bus.Delivery, work Work) {
	id := ItemTask(d)
	log := h.opts.Log.With(zap.String("task", string(id)))
	if !id.Valid() {
		log.Error("work item names no task", zap.String("subject", d.Subject()))
		h.settle(d.Ack(ctx), log)
		return
	}
	if !h.begin(d) {
		log.Info("work item came again while it is in hand")
		return
	}
	err := h.serve(ctx, d, id, work, log)
	h.end(d) // before after: an item that is given back may be delivered again at once
	h.after(ctx, d, err, log)
}

// begin marks the item as being served; false if it is already.
func (h *Holder) begin(d *bus.Delivery) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.serving[d.Seq()] {
		return false
	}
	h.serving[d.Seq()] = true
	return true
}

func (h *Holder) end(d *bus.Delivery) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.serving, d.Seq())
}

// serve does the work of an item and returns the error by which after settles the item.
func (h *Holder) serve(ctx context.Context, d *bus.Delivery, id akitad.TaskID, work Work, log *zap.Logger) error {
	heard, hush := h.listen(id, log)
	defer hush()
	c, err := h.take(ctx, d, id)
	switch {
	case err != nil:
		return fmt.Errorf("take the claim: %w", err)
	case c == nil:
		return nil // ended, waiting, or of an earlier activation: nothing to do
	}
	return h.run(ctx, d, c, work, heard, log)
}

// nudges collects the news of a task from just before its claim was taken.
type nudges struct {
	came   chan struct{} // has one element if there is news
	latest atomic.Uint64 // sequence of the newest event
}

// listen subscribes to the task's events. It is called before the claim is taken, so that no later event is
// missed; an event before the claim would make the claim's own append conflict.
func (h *Holder) listen(id akitad.TaskID, log *zap.Logger) (n *nudges, stop func()) {
	n = &nudges{came: make(chan struct{}, 1)}
	stop, err := h.bus.OnNudge(string(id), func(seq uint64) {
		n.latest.Store(seq)
		select {
		case n.came <- struct{}{}:
		default:
		}
	})
	if err != nil {
		log.Warn("no nudges for this claim", zap.Error(err))
		return n, func() {}
	}
	return n, stop
}

// ItemTask returns the task id with which the subject of a work item ends.
func ItemTask(d *bus.Delivery) akitad.TaskID {
	s := d.Subject()
	return akitad.TaskID(s[strings.LastIndexByte(s, '.')+1:])
}

var (
	errStale = errors.New("the journal read is older than the work item")
	// errOvertaken says that another claim for the same item is in the journal: it was faster, or it came
	// after this one while the server's answer to this one was lost. The other claim holds the task.
	errOvertaken = errors.New("another claim came in between")
)

// retryFor returns the pause before the next delivery of an item. A replica soon catches up. Other
// failures leave a claim in the journal each time, so their pause grows.
func retryFor(err error, failures uint64) time.Duration {
	first := retryError
	if errors.Is(err, errStale) {
		first = retryStale
	}
	return min(first<<min(max(failures, 1)-1, 10), retryMost)
}

// fails counts one more failure of an item's work, and gives how long it is left then. What the server counts are
// deliveries, of which crashes and full pools make some too.
func (h *Holder) fails(d *bus.Delivery, err error) time.Duration {
	return retryFor(err, h.failsAgain(d.Seq()))
}

// failsAgain gives how often the item at that place in the queue has failed by now.
func (h *Holder) failsAgain(item uint64) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed[item] == 0 && len(h.failed) >= maxFailed {
		for some := range h.failed { // whichever it is
			delete(h.failed, some)
			break
		}
	}
	h.failed[item]++
	return h.failed[item]
}

func (h *Holder) hasFailed(d *bus.Delivery) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failed[d.Seq()]
}

// take appends claimed. A nil claim without an error means that the item is outdated.
func (h *Holder) take(ctx context.Context, d *bus.Delivery, id akitad.TaskID) (*Claim, error) {
	item, err := ParseItem(d.Body())
	if err != nil {
		return nil, fmt.Errorf("work item of %s: %w", id, err)
	}
	activation := item.Activation
	t, err := h.load(ctx, d, id, activation)
	if errors.Is(err, journal.ErrBehind) {
		err = nil // the loop below decides
	}
	for err == nil {
		switch {
		case !t.Exists() && h.hasFailed(d) > maxLag:
			h.opts.Log.Error("work item of a task that is gone is dropped", zap.String("task", string(id)))
			return nil, nil
		case t.Seq < activation:
			return nil, errStale
		case t.Activation != activation, t.State != akitad.Pending && t.State != akitad.Running:
			return nil, nil
		case t.State == akitad.Running && time.Since(t.Updated) > h.opts.Expire:
			return nil, h.expire(ctx, t)
		}
		mine := journal.ClaimedData{Node: h.opts.Node, Incarnation: h.opts.Incarnation, Activation: activation, Nonce: rand.Text()}
		asked, epoch := time.Now(), t.Epoch
		err = h.journal.Append(ctx, t, 0, journal.Claimed, mine)
		switch {
		case err == nil && t.Claim.Nonce == mine.Nonce && t.Epoch != 0:
			// Longer than the time between two renewals, shorter than the shortest ttl, which is two renewals.
			return &Claim{journal: h.journal, epoch: t.Epoch, fresh: h.opts.Renew + h.opts.Renew/2, task: t, said: asked}, nil
		case err == nil:
			return nil, errOvertaken
		case errors.Is(err, journal.ErrConflict) && t.Claim.Activation == activation && t.Epoch > epoch && !h.before(t.Claim):
			return nil, errOvertaken // a late worker must not take the task from one that works on it
		case errors.Is(err, journal.ErrConflict):
			err = nil // t is refreshed: look again
		}
	}
	return nil, err
}

// load loads the task of an item. An item that was delivered before may have had a holder who has appended
// since, so then the journal is read.
func (h *Holder) load(ctx context.Context, d *bus.Delivery, id akitad.TaskID, activation uint64) (*journal.Task, error) {
	if d.Delivered() > 1 {
		return h.journal.Load(ctx, id)
	}
	return h.journal.LoadAt(ctx, id, activation)
}

// before reports whether a claim is that of an earlier run of this node, which no longer works.
func (h *Holder) before(c journal.ClaimedData) bool {
	return c.Node == h.opts.Node && c.Incarnation != h.opts.Incarnation
}

// expire ends a task that was interrupted too long ago: its request may be outdated. Tasks that were never
// begun, such as those of a paused profile, do not expire.
func (h *Holder) expire(ctx context.Context, t *journal.Task) error {
	since := t.Updated
	return h.journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Final() || t.Updated != since {
			return nil
		}
		return &journal.Decision{Kind: journal.Failed, Data: journal.EndData{Error: &akitad.Failure{
			Kind: akitad.Expired, Message: "interrupted since " + since.Format(time.RFC3339), Hint: "send it again if it is still wanted",
		}}}
	})
}

// run calls work while beat renews the claim, and returns the error of work.
func (h *Holder) run(ctx context.Context, d *bus.Delivery, c *Claim, work Work, heard *nudges, log *zap.Logger) error {
	wctx, end := context.WithCancelCause(ctx)
	c.ends = end
	c.heed() // a cancel may have been requested before the claim
	heart := make(chan struct{})
	hctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(heart)
		h.beat(hctx, d, c, heard, log)
	}()
	err := Survive(func() error { return work(wctx, c) })
	stop()
	<-heart
	if broken, ok := errors.AsType[*Broken](err); ok {
		err = h.broken(ctx, d, c, broken, log)
	}
	if err != nil && errors.Is(context.Cause(wctx), ErrLost) {
		err = ErrLost // whatever error work returned: the item belongs to another holder
	}
	end(nil)
	return err
}

// Broken is the error of work that panicked.
type Broken struct {
	What  any
	Stack []byte
}

// Error returns the panic's value.
func (b *Broken) Error() string { return fmt.Sprint("a fault in the program: ", b.What) }

// Survive calls do and returns a panic of it as a *Broken. Otherwise one task whose state meets a fault of the program
// would end the process at each start.
func Survive(do func() error) (err error) {
	defer func() {
		if what := recover(); what != nil {
			err = &Broken{what, debug.Stack()}
		}
	}()
	return do()
}

// maxBroken is how often the work of an item may panic here before the task is ended.
const maxBroken = 3

// broken logs a panic. The task is given back, and ended when that does not help.
func (h *Holder) broken(ctx context.Context, d *bus.Delivery, c *Claim, b *Broken, log *zap.Logger) error {
	log.Error("the work on a task panicked", zap.String("panic", fmt.Sprint(b.What)), zap.ByteString("stack", b.Stack))
	if h.hasFailed(d) < maxBroken-1 {
		return b
	}
	ctx, cancel := journal.Outlast(ctx)
	defer cancel()
	return c.Append(ctx, journal.Failed, journal.EndData{Error: &akitad.Failure{
		Kind: akitad.Unknown, Message: b.Error(), Hint: "the log has more; please report it",
	}})
}

// beat renews the claim every opts.Renew. It reads the journal at each renewal and at each nudge, so that
// the work hears of a cancel at once and of a lost claim at the next renewal.
func (h *Holder) beat(ctx context.Context, d *bus.Delivery, c *Claim, heard *nudges, log *zap.Logger) {
	tick := time.NewTicker(h.opts.Renew)
	defer tick.Stop()
	var lag <-chan time.Time
	for tries := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := d.InProgress(); err != nil {
				log.Warn("claim not renewed", zap.Error(err))
			}
		case <-heard.came:
			if tries = 0; c.knows(heard.latest.Load()) {
				continue // the nudge of this claim's own append
			}
		case <-lag:
			tries++
		}
		h.look(ctx, c, log)
		lag = nil
		if seq := heard.latest.Load(); seq != 0 && !c.knows(seq) && tries < maxLag {
			lag = time.After(retryStale) // the replica that answered does not have the event yet
		}
	}
}

func (h *Holder) look(ctx context.Context, c *Claim, log *zap.Logger) {
	if err := c.Refresh(ctx); err != nil && ctx.Err() == nil {
		log.Warn("journal not re-read", zap.Error(err))
	}
}

// after settles the work item according to the error of its work.
func (h *Holder) after(ctx context.Context, d *bus.Delivery, verdict error, log *zap.Logger) {
	ctx = context.WithoutCancel(ctx)
	switch {
	case verdict == nil:
		actx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		h.settle(d.Ack(actx), log)
	case errors.Is(verdict, ErrLost), errors.Is(verdict, errOvertaken):
		log.Info("claim lost, item left to its new holder", zap.Error(verdict))
	case errors.Is(verdict, ErrShutdown):
		h.settle(d.Nak(0), log)
	default:
		log.Warn("task is given back", zap.Error(verdict))
		h.settle(d.Nak(h.fails(d, verdict)), log)
	}
}

func (h *Holder) settle(err error, log *zap.Logger) {
	if err != nil {
		log.Warn("work item not settled", zap.Error(err))
	}
}
