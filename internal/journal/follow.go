package journal

import (
	"context"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// pollEvery is for how long a follower hears nothing before it reads by itself: nudges are not durable; the journal
// is.
const pollEvery = time.Second

// Wait loads the task and returns once until is true of it, or with ctx's error and the last fold.
// until is asked after every change. It costs one core subscription, no consumer.
func (j *Journal) Wait(ctx context.Context, id akitad.TaskID, until func(*Task) bool) (*Task, error) {
	t := NewTask(id)
	err := j.watch(ctx, id, func(next *akitad.Event) (done bool, err error) {
		switch {
		case next == nil || next.Seq > t.Seq && next.Prev != t.Seq:
			err = j.Refresh(ctx, t)
		case next.Seq <= t.Seq:
			return false, nil // it was asked about already
		default:
			err = t.Apply(*next)
		}
		return err == nil && until(t), err
	})
	return t, err
}

// Follow gives the task's events after a stream sequence as they come, oldest first, until fn
// returns false or ctx ends.
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

// watch calls look at once, after every event, and after every second without one, until it says done. It hands over the
// event where it has one, so that what follows on what is known need not be read; nil says to read.
func (j *Journal) watch(ctx context.Context, id akitad.TaskID, look func(next *akitad.Event) (done bool, err error)) error {
	came := make(chan bus.Stored, 16)
	stop, err := j.bus.OnEvent(string(id), func(s bus.Stored) {
		select {
		case came <- s:
		default: // the next one shows the gap, or the poll
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

// came reads an event that was handed on; nil if it is none, or if its payload cannot be had now.
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
