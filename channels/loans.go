package channels

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/bus"
)

// keepEvery is how often a delivery on loan is extended; the loan is for 30 s.
const keepEvery = 10 * time.Second

// loans are the deliveries that are being worked on or wait in a lane. A lane may have to wait for
// minutes, if a chat service asks for it: giving its deliveries back would let later ones pass.
type loans struct {
	mu sync.Mutex
	on map[uint64]*bus.Delivery // by position in the stream
}

func newLoans() *loans { return &loans{on: map[uint64]*bus.Delivery{}} }

// take reports whether the delivery is new; one that is on loan already is left to its holder.
func (l *loans) take(d *bus.Delivery) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, known := l.on[d.Seq()]
	l.on[d.Seq()] = d
	return !known
}

// end gives a loan up. What was not settled before comes again when its time is over.
func (l *loans) end(d *bus.Delivery) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.on, d.Seq())
}

// keep extends all loans until ctx ends.
func (l *loans) keep(ctx context.Context, log *zap.Logger) {
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.extend(log)
		case <-ctx.Done():
			return
		}
	}
}

// extend tells the server that all of these are still being worked on.
func (l *loans) extend(log *zap.Logger) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.on {
		if err := d.InProgress(); err != nil {
			log.Debug("delivery not kept", zap.Error(err))
		}
	}
}
