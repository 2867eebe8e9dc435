package channels

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/sleep"
)

// hold is the right to serve a channel. On a NATS server that several daemons reach, one gateway has it at a time:
// two that send into one conversation would each send what the other one sends. Its holder writes its node into a key
// again and again. The others see by that, and by their own clocks alone, that it lives.
type hold struct {
	bus   *bus.Bus
	key   string
	node  string
	renew time.Duration // how often the holder writes
	ttl   time.Duration // after how long in silence another one takes its place; it gives up earlier itself
	log   *zap.Logger

	mu   sync.Mutex
	idle error // why this gateway does not serve, nil if it does
}

// lease is the hold for a while.
type lease struct {
	rev   uint64    // of the key
	until time.Time // when its holder stops if it could not renew it
}

// holdKey is where the node stands that serves a channel.
func holdKey(channel string) string { return "serves." + channel }

// during calls serve whenever this gateway has the channel, until ctx ends. The context of serve ends when the hold is
// lost, as after a time in which the process was stopped; then the gateway stands by again.
func (h *hold) during(ctx context.Context, serve func(context.Context) error) error {
	kv, err := h.bus.KV(ctx, "akita")
	if err != nil {
		return err
	}
	defer h.release(ctx, kv)
	for {
		l, ok := h.take(ctx, kv)
		if !ok {
			return nil // ctx has ended
		}
		sctx, lose := context.WithCancel(ctx)
		var keeping sync.WaitGroup
		keeping.Go(func() { h.keep(sctx, kv, l); lose() })
		err := serve(sctx)
		lost := sctx.Err() != nil && ctx.Err() == nil
		lose()
		keeping.Wait()
		if !lost {
			return err
		}
		h.log.Warn("another gateway may serve this channel now; this one stands by")
	}
}

// take waits until the channel is free, or its holder silent, and makes it this node's. What this node had before a
// crash it takes back at once. False means that ctx has ended.
func (h *hold) take(ctx context.Context, kv *bus.KV) (_ lease, ok bool) {
	seen := sight{since: time.Now()}
	for ctx.Err() == nil {
		holder, rev, err := h.look(ctx, kv)
		if err == nil && (len(holder) == 0 || string(holder) == h.node || seen.silence(rev, time.Now()) > h.ttl) {
			var l lease
			if l, err = h.write(ctx, kv, rev); err == nil {
				h.standBy("", nil)
				return l, true
			}
		}
		if ctx.Err() == nil {
			h.standBy(string(holder), err)
		}
		sleep.For(ctx, h.renew)
	}
	return lease{}, false
}

// sight is what a gateway that stands by sees of the holder: a revision of the key, and since when.
type sight struct {
	rev   uint64
	since time.Time
}

// silence gives how long the holder has been silent, now that the key is at rev: each renewal is another one.
func (s *sight) silence(rev uint64, now time.Time) time.Duration {
	if rev != s.rev {
		*s = sight{rev, now}
	}
	return now.Sub(s.since)
}

// look gives the node in the key and its revision; it takes no longer than a renewal.
func (h *hold) look(ctx context.Context, kv *bus.KV) (holder []byte, rev uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.renew)
	defer cancel()
	return kv.Get(ctx, h.key)
}

// keep renews the hold until ctx ends or it is lost: somebody else has it, or it could not be renewed for so long that
// somebody else may have it.
func (h *hold) keep(ctx context.Context, kv *bus.KV, l lease) {
	wait := h.renew
	for sleep.For(ctx, min(wait, time.Until(l.until))) {
		next, err := h.renewed(ctx, kv, l)
		switch {
		case err == nil:
			l, wait = next, h.renew
		case errors.Is(err, errTaken), !time.Now().Before(l.until):
			return
		default:
			wait = h.renew / 4
		}
	}
}

// errTaken is why a hold cannot be renewed.
var errTaken = errors.New("another node has the channel")

// renewed gives the lease anew. An own write whose answer was lost may have changed the key too: that counts for
// nothing, since it is not known when it was, and the next one goes on from it.
func (h *hold) renewed(ctx context.Context, kv *bus.KV, l lease) (lease, error) {
	ctx, cancel := context.WithDeadline(ctx, l.until)
	defer cancel()
	next, err := h.write(ctx, kv, l.rev)
	if !errors.Is(err, bus.ErrConflict) {
		return next, err
	}
	holder, rev, err := kv.Get(ctx, h.key)
	switch {
	case err != nil:
		return lease{}, err
	case string(holder) != h.node:
		return lease{}, errTaken
	}
	return h.write(ctx, kv, rev)
}

// write puts this node into the key. The others count from when they see it, which is after it was sent; the holder
// counts from before, and has half a renewal to end what it does.
func (h *hold) write(ctx context.Context, kv *bus.KV, rev uint64) (lease, error) {
	until := time.Now().Add(h.ttl - h.renew/2)
	rev, err := kv.Update(ctx, h.key, []byte(h.node), rev)
	return lease{rev, until}, err
}

// release lets the next gateway have the channel without a wait, if this one has it. It looks first: the last write may
// have been cut off by the stop, and have taken effect all the same.
func (h *hold) release(ctx context.Context, kv *bus.KV) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	holder, rev, err := kv.Get(ctx, h.key)
	if err == nil && string(holder) == h.node {
		_, err = kv.Update(ctx, h.key, nil, rev)
	}
	if err != nil {
		h.log.Debug("the channel is free only when its holder was silent for a while", zap.Error(err))
	}
}

// standBy notes why this gateway does not serve: another node does, or it is not known who does. Neither: it serves.
func (h *hold) standBy(node string, err error) {
	unsure := err != nil && !errors.Is(err, bus.ErrConflict)
	var idle error
	switch {
	case unsure:
		idle = akitad.Errorf(akitad.Unavailable, "it is not known which node serves this channel: %w", err)
	case node != "" && node != h.node:
		idle = akitad.Errorf(akitad.Unavailable, "node %s serves this channel, and this one stands by", node).
			WithHint("That is all right if both are to serve the same bot; if not, give each a NATS server of its own.")
	}
	h.mu.Lock()
	before := h.idle
	h.idle = idle
	h.mu.Unlock()
	switch {
	case unsure:
		h.log.Warn("it is not known who serves this channel", zap.Error(err))
	case idle != nil && (before == nil || before.Error() != idle.Error()):
		h.log.Info("another node serves this channel; this one stands by", zap.String("node", node))
	}
}

// health says why this gateway does not serve, if it does not.
func (h *hold) health() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.idle
}
