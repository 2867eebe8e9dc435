package bus

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/disk"
)

// How often the health of the server's store is checked, and the minimum time between two restarts.
const (
	lookEvery   = 3 * time.Second // a check takes a tenth of a millisecond
	reviveAfter = 10 * time.Second
)

// watch restarts the server when its store accepts no more writes and the disk has room again. This is
// needed because the first failed write stops a stream for good. Clients see a lost connection.
func (e *embedded) watch(ctx context.Context, room disk.Room) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var revived time.Time
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if e.look() == nil || time.Since(revived) < reviveAfter {
			continue
		}
		if err := room.Check(); err != nil {
			e.log.Error("the store has stopped and waits for room on the disk", zap.Error(err))
			continue
		}
		e.revive()
		revived = time.Now()
	}
}

// look asks the server for the health of its store and stores the answer.
func (e *embedded) look() error {
	var sick error
	if h := e.server().Healthz(nil); h.Error != "" {
		sick = errors.New(h.Error)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if sick != nil && e.sick == nil {
		e.log.Error("the store takes no more writes", zap.Error(sick))
	}
	e.sick = sick
	return sick
}

func (e *embedded) revive() {
	shutdown(e.server())
	srv, err := e.start()
	if err != nil {
		e.log.Error("the store cannot be started again", zap.Error(err))
		return
	}
	e.mu.Lock()
	e.srv, e.sick = srv, nil
	e.mu.Unlock()
	e.log.Info("the store has been started again")
}

// health returns why the store accepted no writes at the last check, nil if it did.
func (e *embedded) health() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sick
}
