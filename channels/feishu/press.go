package feishu

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pace"
)

// presses are those that the service still waits for an answer to.
type presses struct {
	mu  sync.Mutex
	all map[string]*waiting
}

// waiting is one such press.
type waiting struct {
	toast chan string   // gets the words, at most one of them
	over  chan struct{} // closed when the service has its answer
}

const (
	// toastWithin is how long a press waits for its words after it was stored: the service wants its
	// answer within 3 s.
	toastWithin = time.Second
	// settleAfter is how long a card's rewriting waits for that answer, which would undo it.
	settleAfter = 3 * time.Second
)

func newPresses() *presses { return &presses{all: map[string]*waiting{}} }

func (p *presses) open(id string) *waiting {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &waiting{toast: make(chan string, 1), over: make(chan struct{})}
	p.all[id] = w
	return w
}

func (p *presses) close(id string, w *waiting) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all[id] == w {
		delete(p.all, id)
	}
	close(w.over)
}

func (p *presses) find(id string) *waiting {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all[id]
}

// words waits for what the person is to be shown and gives the service's answer with it.
func (w *waiting) words(ctx context.Context) []byte {
	timer := time.NewTimer(toastWithin)
	defer timer.Stop()
	select {
	case words := <-w.toast:
		if words != "" {
			return encode(map[string]any{"toast": map[string]string{"type": "info", "content": words}})
		}
	case <-timer.C:
	case <-ctx.Done():
	}
	return []byte("{}")
}

// Pressed shows words to who pressed, if the service still waits for them, and puts settled in the place
// of the message with the buttons. One that cannot be edited any more stays as it is, and is no error.
func (f *Feishu) Pressed(ctx context.Context, to akitad.Origin, p akitad.Press, words, settled string) error {
	if w := f.presses.find(p.Event); w != nil {
		select {
		case w.toast <- words:
		default:
		}
		timer := time.NewTimer(settleAfter)
		defer timer.Stop()
		select {
		case <-w.over:
		case <-timer.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if settled == "" || p.Message == "" {
		return nil
	}
	_, err := f.post(ctx, letter{to: place{chat: to.Chat}, class: pace.Notice, edit: p.Message, only: true, card: first(settled)})
	if editGone(err) {
		f.log.Debug("feishu card with buttons cannot be edited any more", zap.Error(err))
		return nil
	}
	return fail("settle a question", err)
}
