// Package chathook has what channels share that a chat service calls over HTTP, and that call it with
// an access token. It knows no chat service.
package chathook

import (
	"context"
	"errors"
	"sync"

	"github.com/akitad/akitad"
)

// Take hands a message over; it was taken when that returns nil.
type Take func(akitad.Message) error

// Door lets calls in while a channel runs. The zero Door is shut.
type Door struct {
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
