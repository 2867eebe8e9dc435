package journal

import (
	"context"
	"time"

	"github.com/akitad/akitad"
)

// pollEvery bounds how long a lost nudge can delay a follower. Nudges are not durable; the journal is.
const pollEvery = time.Second

// Wait loads the task and returns once until is true of it, or with ctx's error and the last fold.
// until is asked after every change. It costs one core subscription, no consumer.
func (j *Journal) Wait(ctx context.Context, id akitad.TaskID, until func(*Task) bool) (*Task, error) {
	t := NewTask(id)
	err := j.watch(ctx, id, func() (bool, error) {
		if err := j.Refresh(ctx, t); err != nil {
			return false, err
		}
		return until(t), nil
	})
	return t, err
}

// Follow gives the task's events after a stream sequence as they come, oldest first, until fn
// returns false or ctx ends.
func (j *Journal) Follow(ctx context.Context, id akitad.TaskID, after uint64, fn func(akitad.Event) bool) error {
	return j.watch(ctx, id, func() (done bool, err error) {
		err = j.read(ctx, id, after+1, func(e akitad.Event) error {
			after = e.Seq
			if !done {
				done = !fn(e)
			}
			return nil
		})
		return done, err
	})
}

// watch calls look at once, after every nudge, and every second, until it says done.
func (j *Journal) watch(ctx context.Context, id akitad.TaskID, look func() (done bool, err error)) error {
	nudged := make(chan struct{}, 1)
	stop, err := j.bus.OnNudge(string(id), func(uint64) {
		select {
		case nudged <- struct{}{}:
		default: // one pending nudge is enough
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		if done, err := look(); done || err != nil {
			return err
		}
		select {
		case <-nudged:
		case <-poll.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
