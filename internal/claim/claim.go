// Package claim is the right of one worker to advance one task: taken from a work item, kept alive,
// lost when somebody else takes over, given back at a round boundary. Orchestrators and pool
// workers hold claims alike; what they do under one is theirs.
package claim

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// Reasons for which the context of a claim's work ends, and which its writers return.
var (
	// ErrLost says that another claim or an end stands in the journal: stop, write nothing and do
	// not acknowledge the work item, which is another worker's by now.
	ErrLost = errors.New("the claim was taken over")
	// ErrCancelAsked says that a person or the API wants the task cancelled.
	ErrCancelAsked = errors.New("cancel was requested")
	// ErrShutdown says that the process is stopping: give the task back at once.
	ErrShutdown = errors.New("the worker is shutting down")
	// ErrMoot says that the event is no longer what the fold calls for: decide again.
	ErrMoot = errors.New("the task has moved on")
)

// Claim is a held claim. Its methods are safe for concurrent use.
type Claim struct {
	journal *journal.Journal
	epoch   uint64
	fresh   time.Duration // how long what the journal said is relied on by Sure

	mu   sync.Mutex
	task *journal.Task
	said time.Time // when the journal was last asked, and said that the claim is held
	ends context.CancelCauseFunc
}

// ID names the claimed task.
func (c *Claim) ID() akitad.TaskID { return c.task.ID }

// Epoch is the sequence of the claim's own event.
func (c *Claim) Epoch() uint64 { return c.epoch }

// See calls look with the task's fold as it is known now. look must not keep or change it.
func (c *Claim) See(look func(*journal.Task)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	look(c.task)
}

// Snapshot gives a copy of the fold that later events do not change.
func (c *Claim) Snapshot() *journal.Task {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.task.Snapshot()
}

// Append adds an event under this claim. What others appended in between (a steer, an answer) does
// not stop it; a lost claim does (ErrLost).
func (c *Claim) Append(ctx context.Context, kind akitad.EventKind, payload any) error {
	return c.AppendIf(ctx, kind, payload, func(*journal.Task) bool { return true })
}

// AppendIf is Append for events that hold only while still is true of the fold; when an event that
// came in between has made it false, nothing is written and ErrMoot is returned.
func (c *Claim) AppendIf(ctx context.Context, kind akitad.EventKind, payload any, still func(*journal.Task) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if err := c.held(); err != nil {
			return err
		}
		if !still(c.task) {
			return ErrMoot
		}
		asked := time.Now()
		err := c.journal.Append(ctx, c.task, c.epoch, kind, payload)
		if err == nil {
			c.said = asked
		}
		if !errors.Is(err, journal.ErrConflict) {
			return err
		}
	}
}

// Refresh folds what others appended and ends the work's context if that ends the claim.
func (c *Claim) Refresh(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refresh(ctx)
}

func (c *Claim) refresh(ctx context.Context) error {
	asked := time.Now()
	if err := c.journal.Refresh(ctx, c.task); err != nil {
		return err
	}
	c.said = asked
	c.heed()
	return nil
}

// heed ends the work's context if what is known ends the claim.
func (c *Claim) heed() {
	switch {
	case c.held() != nil:
		c.ends(ErrLost)
	case c.task.AskedCancel:
		c.ends(ErrCancelAsked)
	}
}

// Sure returns once the claim is known to be held: at once if the journal said so a moment ago, else
// after asking it, which takes as long as the bus is away. A process that was stopped for a while does
// not know it, and must begin nothing that others would see before it has looked. The error is ErrLost
// if the claim is gone.
func (c *Claim) Sure(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.said) > c.fresh {
		if err := c.refresh(ctx); err != nil {
			return err
		}
	}
	return c.held()
}

// knows reports whether the fold holds the event with that sequence already.
func (c *Claim) knows(seq uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return seq != 0 && seq <= c.task.Seq
}

// held reports a claim that is gone: only "the epoch in the fold is mine" stops a stale worker, the
// fence alone would accept it after a reload.
func (c *Claim) held() error {
	if c.task.Final() || c.task.Epoch != c.epoch {
		return fmt.Errorf("%s: %w (epoch %d, mine %d)", c.task.ID, ErrLost, c.task.Epoch, c.epoch)
	}
	return nil
}
