package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

// line is where a Work stands at the queue of one priority. While it is open the server knows that
// we wait, so there is nothing for us now.
type line struct {
	open   bool
	broken bool   // the server refused: the consumer may be gone
	serial uint64 // of the newest pull; answers to older ones do not count
	heard  time.Time
}

// probeWait is how long a line may take to bring an item before it counts as empty. The server
// needs a twentieth of a millisecond on an idle machine. Its own "no wait" answers "nothing" for
// moments after an item was stored, 4 ms on a busy machine, and urgent work came second.
const probeWait = 5 * time.Millisecond

// pullRequest asks a consumer for one message.
type pullRequest struct {
	Batch     int           `json:"batch"`
	Expires   time.Duration `json:"expires,omitempty"`
	Heartbeat time.Duration `json:"idle_heartbeat,omitempty"`
}

// expect makes room for the Next that begins: one item of each line, of which it takes one.
func (w *Work) expect() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.room = len(w.lines)
}

// expectNone ends a Next: what it did not take goes back, and so does all that still comes.
func (w *Work) expectNone() {
	w.mu.Lock()
	got := w.got
	w.got, w.room = nil, 0
	w.mu.Unlock()
	for _, d := range got {
		w.giveBack(d)
	}
}

// look opens each line where something may be and gives it a moment: one after the other so that no
// more is taken than needed, or all at once on a fair turn, as it must compare their heads. The last
// one in order needs no moment of its own. A line where nothing came stays open and counts as empty.
func (w *Work) look(ctx context.Context, fair bool) error {
	unknown := w.notOpen()
	if fair {
		for _, i := range unknown {
			w.wait(i)
		}
		return w.answered(ctx, unknown)
	}
	for n, i := range unknown {
		if n == len(unknown)-1 || w.has() {
			break
		}
		w.wait(i)
		if err := w.answered(ctx, []int{i}); err != nil {
			return err
		}
	}
	return nil
}

// answered waits until the lines are closed again by an item or a refusal, for probeWait at most.
func (w *Work) answered(ctx context.Context, lines []int) error {
	limit := time.NewTimer(probeWait)
	defer limit.Stop()
	for w.anyOpen(lines) {
		select {
		case <-w.signal:
		case <-limit.C:
			return nil
		case <-ctx.Done():
			return fault("claim work", ctx.Err())
		case <-w.done:
			return w.closedFault()
		case <-w.b.closed:
			return fault("claim work", nats.ErrConnectionClosed)
		}
	}
	return nil
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
	w.pull(i, pullRequest{Batch: 1, Expires: pullExpiry, Heartbeat: w.b.heartbeat()})
}

func (w *Work) pull(i int, req pullRequest) {
	w.mu.Lock()
	l := &w.lines[i]
	l.serial++
	l.open, l.broken, l.heard = true, false, time.Now()
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

// receive runs in the subscription's goroutine: items and statuses of all lines.
func (w *Work) receive(m *nats.Msg) {
	w.mu.Lock()
	changed, surplus := w.accept(m)
	w.mu.Unlock()
	if surplus != nil {
		w.giveBack(surplus)
	}
	if changed {
		select {
		case w.signal <- struct{}{}:
		default:
		}
	}
}

func (w *Work) accept(m *nats.Msg) (changed bool, surplus *Delivery) {
	if status := m.Header.Get("Status"); status != "" && len(m.Data) == 0 {
		return w.status(m.Subject, status), nil
	}
	d, err := newDelivery(w.b, m)
	if err != nil {
		w.b.log.Warn("strange message in the work queue", zap.Error(err))
		return false, nil
	}
	w.lines[levelOf(d.subject)].open = false
	if w.room == 0 {
		return true, d
	}
	w.room--
	w.got = append(w.got, d)
	return true, nil
}

// status takes note of an answer without an item: 100 is a sign of life, 404 and 408 say that
// there is nothing, all else is trouble.
func (w *Work) status(subj, status string) (changed bool) {
	tokens := strings.Split(strings.TrimPrefix(subj, w.inbox+"."), ".")
	if len(tokens) != 2 {
		return false
	}
	i, err := strconv.Atoi(tokens[0])
	if err != nil || i < 0 || i >= len(w.lines) {
		return false
	}
	l := &w.lines[i]
	if tokens[1] != strconv.FormatUint(l.serial, 10) {
		return false
	}
	l.heard = time.Now()
	if status == "100" {
		return false
	}
	l.open = false
	l.broken = status != "404" && status != "408"
	return true
}

// refresh closes the lines that the server may not know any more: all after a lost connection, and
// those that were silent for two heartbeats.
func (w *Work) refresh(now time.Time) {
	all := false
	select {
	case <-w.back:
		all = true
		w.back = w.b.link.change()
	default:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.lines {
		if all || now.Sub(w.lines[i].heard) > 2*w.b.heartbeat() {
			w.lines[i].open = false
		}
	}
}

func (w *Work) has() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.got) > 0
}

func (w *Work) isBroken(i int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines[i].broken
}

func (w *Work) notOpen() (lines []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.lines {
		if !w.lines[i].open {
			lines = append(lines, i)
		}
	}
	return lines
}

func (w *Work) anyOpen(lines []int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, i := range lines {
		if w.lines[i].open {
			return true
		}
	}
	return false
}
