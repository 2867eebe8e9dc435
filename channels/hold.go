package channels

import (
	"cmp"
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
	ttl   time.Duration // after how long in silence another one takes its place; it gives up a renewal earlier itself
	log   *zap.Logger

	mu    sync.Mutex
	other string // the node that has the channel, if this one stands by
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
	for {
		rev, ok := h.take(ctx, kv)
		if !ok {
			return nil // ctx has ended
		}
		sctx, lose := context.WithCancel(ctx)
		var keeping sync.WaitGroup
		keeping.Go(func() { rev = h.keep(sctx, kv, rev); lose() })
		err := serve(sctx)
		lost := sctx.Err() != nil && ctx.Err() == nil
		lose()
		keeping.Wait()
		if !lost {
			h.release(ctx, kv, rev)
			return err
		}
		h.log.Warn("another gateway may serve this channel now; this one stands by")
	}
}

// take waits until the channel is free, or its holder silent, and makes it this node's. What this node had before a
// crash it takes back at once. False means that ctx has ended.
func (h *hold) take(ctx context.Context, kv *bus.KV) (rev uint64, ok bool) {
	var seen uint64
	since := time.Now()
	for ctx.Err() == nil {
		holder, rev, err := kv.Get(ctx, h.key)
		if rev != seen {
			seen, since = rev, time.Now()
		}
		silent := time.Since(since) > h.ttl
		if err == nil && (len(holder) == 0 || string(holder) == h.node || silent) {
			if rev, err = kv.Update(ctx, h.key, []byte(h.node), rev); err == nil {
				h.standBy("")
				return rev, true
			}
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, bus.ErrConflict) {
			h.log.Warn("it is not known who serves this channel", zap.Error(err))
		}
		h.standBy(string(holder))
		sleep.For(ctx, h.renew)
	}
	return 0, false
}

// keep renews the hold until ctx ends or it is lost: somebody else has it, or it could not be renewed for so long that
// somebody else may have it.
func (h *hold) keep(ctx context.Context, kv *bus.KV, rev uint64) (last uint64) {
	renewed := time.Now()
	for sleep.For(ctx, h.renew) {
		next, err := kv.Update(ctx, h.key, []byte(h.node), rev)
		if errors.Is(err, bus.ErrConflict) { // by somebody else, or by an own write whose answer was lost
			holder, now, rerr := kv.Get(ctx, h.key)
			if rerr == nil && string(holder) != h.node {
				return 0
			}
			next, err = cmp.Or(now, rev), rerr
		}
		switch {
		case err == nil:
			rev, renewed = next, time.Now()
		case time.Since(renewed) > h.ttl-h.renew:
			return 0
		}
	}
	return rev
}

// release lets the next gateway have the channel without a wait.
func (h *hold) release(ctx context.Context, kv *bus.KV, rev uint64) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if _, err := kv.Update(ctx, h.key, nil, rev); err != nil {
		h.log.Debug("the channel is free only when its holder was silent for a while", zap.Error(err))
	}
}

// standBy notes which node has the channel, empty if this one has.
func (h *hold) standBy(other string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if other != h.other && other != "" && other != h.node {
		h.log.Info("another node serves this channel; this one stands by", zap.String("node", other))
	}
	h.other = other
}

// health says that another node serves the channel, if one does.
func (h *hold) health() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.other == "" || h.other == h.node {
		return nil
	}
	return akitad.Errorf(akitad.Unavailable, "node %s serves this channel, and this one stands by", h.other).
		WithHint("That is all right if both are to serve the same bot; if not, give each a NATS server of its own.")
}
