// Package claim implements the exclusive right of one worker to advance one task. A claim is taken for a
// work item, renewed, lost when another worker takes over, and given back between rounds.
// Orchestrators and pool workers use it in the same way. It does not know what the work is.
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

// Causes with which the context of the work under a claim ends, and errors of its appends.
var (
	// ErrLost says that the journal has a later claim or an end. The holder must stop, write nothing and
	// not acknowledge the work item, which belongs to another worker now.
	ErrLost = errors.New("the claim was taken over")
	// ErrCancelAsked says that cancelling the task was requested.
	ErrCancelAsked = errors.New("cancel was requested")
	// ErrShutdown says that the process is stopping. The task is to be given back at once.
	ErrShutdown = errors.New("the worker is shutting down")
	// ErrMoot says that the condition of AppendIf is no longer true. The caller must decide again.
	ErrMoot = errors.New("the task has moved on")
)

// Claim is a claim that this process holds. Its methods are safe for concurrent use.
type Claim struct {
	journal *journal.Journal
	epoch   uint64
	fresh   time.Duration // for how long Sure relies on the last reading of the journal

	mu   sync.Mutex
	task *journal.Task
	said time.Time // when the journal was last asked and showed that the claim is held
	ends context.CancelCauseFunc
}

// Snapshot returns a copy of the fold that later events do not change.
func (c *Claim) Snapshot() *journal.Task {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.task.Snapshot()
}

// Mine is Snapshot for what is to be recorded as of this claim: ErrLost if another has taken the task over, as far as this
// process knows. A fold that was read since has the other's epoch.
func (c *Claim) Mine() (*journal.Task, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.task.Epoch != c.epoch {
		return nil, fmt.Errorf("%s: %w (epoch %d, mine %d)", c.task.ID, ErrLost, c.task.Epoch, c.epoch)
	}
	return c.task.Snapshot(), nil
}

// Append appends an event under this claim. It succeeds also when others have appended in between (a
// steer, an answer), but fails with ErrLost when the claim is lost.
func (c *Claim) Append(ctx context.Context, kind akitad.EventKind, payload any) error {
	return c.AppendIf(ctx, kind, payload, func(*journal.Task) bool { return true })
}

// AppendIf is Append for an event that is valid only while still is true of the fold. If an event in
// between has made it false, nothing is appended and AppendIf returns ErrMoot.
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

// Refresh reads what others appended, and ends the context of the work if the claim is lost or a cancel was
// requested.
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

// heed ends the context of the work if the fold shows that the claim is lost or a cancel was requested.
func (c *Claim) heed() {
	switch {
	case c.held() != nil:
		c.ends(ErrLost)
	case c.task.AskedCancel:
		c.ends(ErrCancelAsked)
	}
}

// Sure returns nil once it is certain that the claim is held: at once if the journal was read recently,
// else after reading it, which lasts until the bus answers. It must be called before an action with
// effects outside the journal, because the process may have been stopped for a while. The error is
// ErrLost if the claim is lost.
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

// knows reports whether the fold has the event with that sequence.
func (c *Claim) knows(seq uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return seq != 0 && seq <= c.task.Seq
}

// held returns ErrLost if the claim is lost. The check of the epoch is needed: the fence alone would accept
// the appends of a stale worker that has reloaded the journal.
func (c *Claim) held() error {
	if c.task.Final() || c.task.Epoch != c.epoch {
		return fmt.Errorf("%s: %w (epoch %d, mine %d)", c.task.ID, ErrLost, c.task.Epoch, c.epoch)
	}
	return nil
}
