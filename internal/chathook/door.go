// Package chathook has what channels share that a chat service calls over HTTP, and that call it with
// an access token. It knows no chat service.
package chathook

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

// Take hands a message over; it was taken when that returns nil.
type Take func(akitad.Message) error

// Door lets calls in while a channel runs. The zero Door is shut, and logs nothing.
type Door struct {
	Refusals

	mu    sync.Mutex
	take  Take // nil while Run is not running
	calls sync.WaitGroup
}

// Run keeps the door open until ctx ends, and returns when all who are inside have left.
func (d *Door) Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error {
	d.mu.Lock()
	if d.take != nil {
		d.mu.Unlock()
		return akitad.Errorf(akitad.InvalidRequest, "it runs already")
	}
	d.take = func(m akitad.Message) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return receive(ctx, m)
	}
	d.mu.Unlock()
	<-ctx.Done()
	d.mu.Lock()
	d.take = nil
	d.mu.Unlock()
	d.calls.Wait()
	return nil
}

// Enter gives what hands messages over, and what is to be called at the end; nil if the door is shut.
func (d *Door) Enter() (take Take, leave func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.take == nil {
		return nil, nil
	}
	d.calls.Add(1)
	return d.take, d.calls.Done
}

// Health is nil while the door is open.
func (d *Door) Health() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.take == nil {
		return errors.New("is not running")
	}
	return nil
}

// Serve answers a call with what read makes of it: a message, or nothing that a person said, or a *Refused.
// It is 200 if the message was taken or need not come again, and 503 if it is to come again.
func (d *Door) Serve(w http.ResponseWriter, read func() (m akitad.Message, ok bool, err error)) {
	take, leave := d.Enter()
	if take == nil {
		http.Error(w, "not running", http.StatusServiceUnavailable)
		return
	}
	defer leave()
	m, ok, err := read()
	if d.Answer(w, err) || !ok {
		return
	}
	log := d.Log
	if log == nil {
		log = zap.NewNop()
	}
	switch err := take(m); {
	case err == nil:
	case akitad.KindOf(err) == akitad.InvalidRequest:
		log.Error("message refused; passed over", zap.String("event", m.ID), zap.Error(err))
	default:
		log.Warn("message not taken", zap.String("event", m.ID), zap.Error(err))
		http.Error(w, "not taken now", http.StatusServiceUnavailable)
	}
}
