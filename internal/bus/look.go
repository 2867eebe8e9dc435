package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

// A probe asks whether a line has an item. The server's own "no wait" will not do: it answers from
// a count that lags behind what is stored, 4 ms on a busy machine, and urgent work came second. But
// a pull with the shortest heartbeat gets that heartbeat as soon as the server has looked and found
// nothing, in a twentieth of a millisecond on an idle machine.
const (
	probeExpiry    = 20 * time.Millisecond
	probeHeartbeat = time.Nanosecond
	probeWait      = 500 * time.Millisecond // until a line that gives no answer counts as empty
)

// look probes each line where something may be: one after the other so that no more is taken than
// needed, or all at once on a fair turn, as it must compare their heads. The last one in order needs
// no probe: the waiting pull that follows brings its head just as fast.
func (w *Work) look(ctx context.Context, fair bool) error {
	unknown := w.notOpen()
	if fair && len(unknown) > 1 {
		return w.probe(ctx, unknown)
	}
	for n := range unknown {
		if n == len(unknown)-1 || w.has() {
			break
		}
		if err := w.probe(ctx, unknown[n:n+1]); err != nil {
			return err
		}
	}
	return nil
}

// probe asks lines for an item and returns when each has brought one or been found empty. The empty
// ones stay open, so they need no probe the next time.
func (w *Work) probe(ctx context.Context, lines []int) error {
	limit := time.NewTimer(probeWait)
	defer limit.Stop()
	for ask := lines; len(ask) > 0; ask = w.those(lines, missed) {
		for _, i := range ask {
			w.pull(i, pullRequest{Batch: 1, Expires: probeExpiry, Heartbeat: probeHeartbeat})
		}
		if over, err := w.answered(ctx, ask, limit.C); over || err != nil {
			return err
		}
	}
	for _, i := range w.those(lines, isOpen) {
		w.wait(i)
	}
	return nil
}

// answered waits until each of lines has brought an item, been found empty, or refused. Over tells
// that the limit came first.
func (w *Work) answered(ctx context.Context, lines []int, limit <-chan time.Time) (over bool, err error) {
	for len(w.those(lines, silent)) > 0 {
		select {
		case <-w.signal:
		case <-limit:
			return true, nil
		case <-ctx.Done():
			return false, fault("claim work", ctx.Err())
		case <-w.done:
			return false, w.closedFault()
		case <-w.b.closed:
			return false, fault("claim work", nats.ErrConnectionClosed)
		}
	}
	return false, nil
}

// pullAll waits at every line, unless there is an item already. It gives the lines that the server
// refused.
func (w *Work) pullAll() (broken []int) {
	if w.has() {
		return nil
	}
	for _, i := range w.notOpen() {
		if w.isBroken(i) {
			broken = append(broken, i)
			continue
		}
		w.wait(i)
	}
	return broken
}

// wait opens line i for as long as the server allows.
func (w *Work) wait(i int) {
	w.pull(i, pullRequest{Batch: 1, Expires: w.b.workExpiry(), Heartbeat: w.b.workBeat()})
}

func (w *Work) pull(i int, req pullRequest) {
	w.mu.Lock()
	l := &w.lines[i]
	l.serial++
	l.open, l.looked, l.missed, l.broken, l.heard = true, false, false, false, time.Now()
	reply := fmt.Sprintf("%s.%d.%d", w.inbox, i, l.serial)
	w.mu.Unlock()
	body, err := json.Marshal(req)
	if err == nil {
		err = w.b.nc.PublishRequest("$JS.API.CONSUMER.MSG.NEXT."+Queue+"."+w.durable(i), reply, body)
	}
	if err != nil {
		w.b.log.Warn("cannot ask for work", zap.Error(err))
		w.mu.Lock()
		w.lines[i].open, w.lines[i].broken = false, true
		w.mu.Unlock()
	}
}

// pullRequest asks a consumer for one message.
type pullRequest struct {
	Batch     int           `json:"batch"`
	Expires   time.Duration `json:"expires,omitempty"`
	Heartbeat time.Duration `json:"idle_heartbeat,omitempty"`
}
