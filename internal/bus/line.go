package bus

import (
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

// line is the state of a Work at the queue of one priority. While it is open, a pull request waits at the
// server, so the queue has no item for us now.
type line struct {
	open   bool
	looked bool   // the server has looked and found nothing
	missed bool   // the pull ended before the server had looked
	broken bool   // the server refused: the consumer may be gone
	serial uint64 // of the newest pull; answers to older pulls are ignored
	heard  time.Time
}

// expect prepares for a call of Next: one item of each line may arrive, and Next takes one of them.
func (w *Work) expect() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.room = len(w.lines)
}

// expectNone ends a call of Next: items that it did not take, and items that still arrive, are given back.
func (w *Work) expectNone() {
	w.mu.Lock()
	got := w.got
	w.got, w.room = nil, 0
	w.mu.Unlock()
	for _, d := range got {
		w.giveBack(d)
	}
}

// receive handles items and status messages of all lines, in the subscription's goroutine.
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

// status handles an answer without an item: 100 is a heartbeat, 404 and 408 say that there is no item, any
// other status is an error.
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
		changed, l.looked = !l.looked, true
		return changed
	}
	l.open, l.missed = false, !l.looked
	l.broken = status != "404" && status != "408"
	return true
}

// refresh closes the lines that the server may no longer know: all lines after a lost connection, and lines
// without a message for two heartbeats.
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
		if all || now.Sub(w.lines[i].heard) > 2*w.b.workBeat() {
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

func (w *Work) notOpen() []int {
	return w.those([]int{0, 1, 2}, func(l line) bool { return !l.open })
}

// those returns the lines for which is reports true.
func (w *Work) those(lines []int, is func(line) bool) (some []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, i := range lines {
		if is(w.lines[i]) {
			some = append(some, i)
		}
	}
	return some
}

func isOpen(l line) bool { return l.open }
func missed(l line) bool { return !l.open && l.missed && !l.broken }
func silent(l line) bool { return l.open && !l.looked }
