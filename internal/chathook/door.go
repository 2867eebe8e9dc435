// Package chathook has what channels share that a chat service calls over HTTP, and that call it with
// an access token. It knows no chat service.
package chathook

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

// Receive hands a message over; it was taken when that returns nil.
type Receive = func(context.Context, akitad.Message) error

// Door lets calls in while a channel runs. The zero Door is shut, and logs nothing.
type Door struct {
	Refusals

	mu      sync.Mutex
	ctx     context.Context // of the Run that keeps it open; nil while it is shut
	receive Receive
	calls   sync.WaitGroup
}

// Run keeps the door open until ctx ends, and returns when all who are inside have left.
func (d *Door) Run(ctx context.Context, receive Receive) error {
	if !d.Open(ctx, receive) {
		return akitad.Errorf(akitad.InvalidRequest, "it runs already")
	}
	<-ctx.Done()
	d.Shut()
	return nil
}

// Open lets calls in until Shut; false means that it was open already, and nothing has changed. What they hand
// over ends with ctx.
func (d *Door) Open(ctx context.Context, receive Receive) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ctx != nil {
		return false
	}
	d.ctx, d.receive = ctx, receive
	return true
}

// Shut lets nobody in any more, and returns when all who are inside have left.
func (d *Door) Shut() {
	d.mu.Lock()
	d.ctx, d.receive = nil, nil
	d.mu.Unlock()
	d.calls.Wait()
}

// Enter returns what a call hands messages over by, and what is to be called at its end. Of a door that is shut ctx
// is nil.
func (d *Door) Enter() (ctx context.Context, receive Receive, leave func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ctx == nil {
		return nil, nil, nil
	}
	d.calls.Add(1)
	return d.ctx, d.receive, d.calls.Done
}

// Health is nil while the door is open.
func (d *Door) Health() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ctx == nil {
		return errors.New("is not running")
	}
	return nil
}

// Serve answers a call with what read makes of it: a message, or nothing that a person said, or a *Refused.
// It is 200 if the message was taken or need not come again, and 503 if it is to come again. taken says that it
// need not.
func (d *Door) Serve(w http.ResponseWriter, read func() (m akitad.Message, ok bool, err error)) (taken bool) {
	ctx, receive, leave := d.Enter()
	if ctx == nil {
		http.Error(w, "not running", http.StatusServiceUnavailable)
		return false
	}
	defer leave()
	m, ok, err := read()
	if d.Answer(w, err) || !ok {
		return false
	}
	if err = ctx.Err(); err == nil {
		err = receive(ctx, m)
	}
	log := cmp.Or(d.Log, zap.NewNop())
	switch {
	case err == nil:
	case akitad.KindOf(err) == akitad.InvalidRequest:
		log.Error("message refused; passed over", zap.String("event", m.ID), zap.Error(err))
	default:
		log.Warn("message not taken", zap.String("event", m.ID), zap.Error(err))
		http.Error(w, "not taken now", http.StatusServiceUnavailable)
		return false
	}
	return true
}

// Body reads what a call has, of at most so many bytes; else the error is a *Refused.
func Body(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if r.Method != http.MethodPost {
		return nil, &Refused{Status: http.StatusMethodNotAllowed, Why: "not a POST"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		return nil, &Refused{Status: http.StatusRequestEntityTooLarge, Why: "the body is too large or was broken off"}
	}
	return body, nil
}
