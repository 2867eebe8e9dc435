package journal

import (
	"context"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// pollEvery is how long a follower waits without a nudge before it reads the journal: nudges may be lost.
const pollEvery = time.Second

// Wait returns the task's fold once until is true of it, or the last fold and ctx's cause when ctx ends.
// until is called with the loaded fold and after every change. Wait uses a core subscription, no consumer.
func (j *Journal) Wait(ctx context.Context, id akitad.TaskID, until func(*Task) bool) (*Task, error) {
	t := NewTask(id)
	err := j.watch(ctx, id, func(next *akitad.Event) (done bool, err error) {
		switch {
		case next == nil || next.Seq > t.Seq && next.Prev != t.Seq:
			err = j.Refresh(ctx, t)
		case next.Seq <= t.Seq:
			return false, nil // until has seen this event
		default:
			err = t.Apply(*next)
		}
		return err == nil && until(t), err
	})
	return t, err
}

// Follow calls fn with the task's events after a stream sequence, oldest first, the stored ones and then
// each new one, until fn returns false or ctx ends.
func (j *Journal) Follow(ctx context.Context, id akitad.TaskID, after uint64, fn func(akitad.Event) bool) error {
	return j.watch(ctx, id, func(next *akitad.Event) (done bool, err error) {
		give := func(e akitad.Event) error {
			after = e.Seq
			if !done {
				done = !fn(e)
			}
			return nil
		}
		switch {
		case next == nil || next.Seq > after && next.Prev != after:
			err = j.read(ctx, id, after+1, give)
		case next.Seq > after:
			err = give(*next)
		}
		return done, err
	})
}

// watch calls look at once, after every event, and after every pollEvery without one, until look reports
// done. next is the new event; if it is nil, look must read the journal.
func (j *Journal) watch(ctx context.Context, id akitad.TaskID, look func(next *akitad.Event) (done bool, err error)) error {
	came := make(chan bus.Stored, 16)
	stop, err := j.bus.OnEvent(string(id), func(s bus.Stored) {
		select {
		case came <- s:
		default: // look finds the gap at the next event or poll
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	var next *akitad.Event
	for {
		if done, err := look(next); done || err != nil {
			return err
		}
		select {
		case s := <-came:
			poll.Reset(pollEvery)
			next = j.came(ctx, id, s)
		case <-poll.C:
			next = nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// came decodes an event; nil for a bare nudge, or if the payload cannot be read now.
func (j *Journal) came(ctx context.Context, id akitad.TaskID, s bus.Stored) *akitad.Event {
	if s.Seq == 0 {
		return nil
	}
	e, err := j.decode(ctx, id, s)
	if err != nil {
		return nil
	}
	return &e
}
