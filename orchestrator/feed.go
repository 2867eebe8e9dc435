package orchestrator

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/sleep"
)

// feedEvery is how often the read model is updated. Listings may lag by a second.
const feedEvery = 300 * time.Millisecond

// feed updates the read model: it collects the tasks with new events, and every feedEvery writes a row for
// each, with the cursor in the same transaction.
func (o *Orchestrator) feed(ctx context.Context) error {
	cursor, err := o.cursor(ctx)
	if err != nil {
		return err
	}
	f := &feeder{o: o, news: make(chan struct{}, 1), dirty: map[akitad.TaskID]uint64{}, cursor: cursor}
	eg, ctx := errgroup.WithContext(ctx)
	eg.Go(func() error {
		return o.Bus.FollowTasks(ctx, []string{"akita.task.>"}, cursor+1, f.saw)
	})
	eg.Go(func() error { return f.run(ctx) })
	return eg.Wait()
}

// cursor returns the sequence up to which the read model has the journals. If it is ahead of them, because
// they were restored from an older copy, the read model is rebuilt.
func (o *Orchestrator) cursor(ctx context.Context) (uint64, error) {
	cursor, err := o.Projection.Cursor(ctx)
	if err != nil || cursor == 0 {
		return cursor, err
	}
	_, newest, err := o.Bus.Backlog(ctx)
	if err != nil || cursor <= newest {
		return cursor, err
	}
	o.Log.Warn("the read model is ahead of the journals and is made again", zap.Uint64("known", cursor), zap.Uint64("newest", newest))
	return 0, o.Projection.Reset(ctx)
}

type feeder struct {
	o      *Orchestrator
	news   chan struct{} // has one element if there are dirty tasks
	mu     sync.Mutex
	dirty  map[akitad.TaskID]uint64 // tasks to write, with the sequence of their newest event
	cursor uint64
}

func (f *feeder) saw(s bus.Stored) error {
	id := akitad.TaskID(strings.Split(s.Subject, ".")[2])
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dirty[id] = s.Seq
	f.cursor = s.Seq
	f.tell()
	return nil
}

// tell wakes run.
func (f *feeder) tell() {
	select {
	case f.news <- struct{}{}:
	default: // it knows
	}
}

// run writes the dirty tasks. A failure is logged and tried again with a growing pause: listings lag
// meanwhile, and everything else continues.
func (f *feeder) run(ctx context.Context) error {
	wait := feedEvery
	for {
		select {
		case <-f.news:
		case <-ctx.Done():
			return nil
		}
		sleep.For(ctx, wait)
		if ctx.Err() != nil {
			return nil
		}
		if err := f.flush(ctx); err != nil && ctx.Err() == nil {
			wait = min(max(2*wait, time.Second), 30*time.Second)
			f.o.Log.Warn("listings are not up to date", zap.Duration("again_in", wait), zap.Error(err))
			continue
		}
		wait = feedEvery
	}
}

// take returns the dirty tasks and clears them.
func (f *feeder) take() (map[akitad.TaskID]uint64, uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dirty := f.dirty
	f.dirty = map[akitad.TaskID]uint64{}
	return dirty, f.cursor
}

func (f *feeder) putBack(some map[akitad.TaskID]uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, seq := range some {
		f.dirty[id] = max(f.dirty[id], seq)
	}
	f.tell()
}

// flush writes a row for each task with new events. If one of them cannot be read, the others are written,
// but the cursor does not move.
func (f *feeder) flush(ctx context.Context) error {
	dirty, cursor := f.take()
	if len(dirty) == 0 {
		return nil
	}
	rows := make([]projection.Row, 0, len(dirty))
	var errs []error
	for id, seq := range dirty {
		t, err := f.load(ctx, id, seq)
		if err != nil {
			f.putBack(map[akitad.TaskID]uint64{id: seq})
			errs, cursor = append(errs, err), 0
			continue
		}
		if t.Exists() {
			rows = append(rows, row(t))
		}
	}
	if err := f.o.Projection.Apply(ctx, rows, cursor); err != nil {
		f.putBack(dirty)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// load returns a task with its event seq, or a fold that does not exist if the task was purged.
func (f *feeder) load(ctx context.Context, id akitad.TaskID, seq uint64) (*journal.Task, error) {
	t, err := f.o.Journal.LoadAt(ctx, id, seq)
	if !errors.Is(err, journal.ErrBehind) || t.Exists() {
		return t, err
	}
	gone, failed := f.o.Journal.Gone(ctx, id, seq)
	if gone {
		return t, nil
	}
	return t, errors.Join(err, failed)
}

func row(t *journal.Task) projection.Row {
	v := t.View()
	return projection.Row{
		ID: t.ID, Root: v.Root, Parent: v.Parent, Depth: v.Depth, State: v.State, Reason: v.Reason, Profile: v.Profile, Session: v.Session,
		Channel: v.Origin.Channel, Sender: v.Origin.Sender, Text: v.Text, Created: v.Created, Updated: t.Updated, Started: v.Started,
		Ended: v.Ended, Priority: v.Priority, Rounds: v.Rounds, Attempts: v.Attempts, Usage: v.Usage, Seq: t.Seq, Settled: t.Final(), Delivered: t.Delivered,
		Spent: spent(t),
	}
}

func spent(t *journal.Task) []projection.Spent {
	out := make([]projection.Spent, len(t.Ledger))
	for i, b := range t.Ledger {
		out[i] = projection.Spent{Day: b.Day, Bill: b.Bill}
	}
	return out
}
