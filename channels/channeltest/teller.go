package channeltest

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// again is how long after a refusal an event is told once more.
const again = 10 * time.Millisecond

// Teller calls the hook of a channel with one event after the other, each until it is taken.
type Teller struct {
	more chan struct{}

	mu    sync.Mutex
	queue []func() *http.Request
	hook  http.Handler
}

// NewTeller returns a teller that works until the test ends.
func NewTeller(tb testing.TB) *Teller {
	t := &Teller{more: make(chan struct{}, 1)}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		t.run(done)
	}()
	tb.Cleanup(func() {
		close(done)
		<-ended
	})
	return t
}

// Tell queues an event; call gives a new request for it each time.
func (t *Teller) Tell(call func() *http.Request) {
	t.mu.Lock()
	t.queue = append(t.queue, call)
	t.mu.Unlock()
	t.wake()
}

// Serve says whose hook is called from now on.
func (t *Teller) Serve(hook http.Handler) {
	t.mu.Lock()
	t.hook = hook
	t.mu.Unlock()
	t.wake()
}

func (t *Teller) wake() {
	select {
	case t.more <- struct{}{}:
	default:
	}
}

func (t *Teller) next() (hook http.Handler, call func() *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) > 0 && t.hook != nil {
		return t.hook, t.queue[0]
	}
	return nil, nil
}

func (t *Teller) run(done chan struct{}) {
	for {
		var later <-chan time.Time
		if hook, call := t.next(); call != nil {
			w := httptest.NewRecorder()
			hook.ServeHTTP(w, call())
			if w.Code == http.StatusOK {
				t.mu.Lock()
				t.queue = t.queue[1:]
				t.mu.Unlock()
				continue
			}
			later = time.After(again)
		}
		select {
		case <-done:
			return
		case <-t.more:
		case <-later:
		}
	}
}
