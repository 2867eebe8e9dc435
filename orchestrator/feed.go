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
)

// feedEvery is how often the read model is brought up to date: listings may lag a second.
const feedEvery = 300 * time.Millisecond

// feed keeps the read model: it collects which tasks have new events and now and then writes a row
// for each from its fold, with the cursor in the same transaction.
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

// cursor gives up to where the read model knows the journals. One that is ahead of them is of others, as when
// they were restored from an older copy, and is made again.
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
	news   chan struct{} // holds one when something is dirty
	mu     sync.Mutex
	dirty  map[akitad.TaskID]uint64 // the newest event of each
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

// run writes some time after there is something to write. A failure is on the log and tried again, ever more seldom: listings lag, and
// everything else goes on.
func (f *feeder) run(ctx context.Context) error {
	wait := feedEvery
	for {
		select {
		case <-f.news:
		case <-ctx.Done():
			return nil
		}
		pause(ctx, wait)
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

// take gives what is to be written and starts over.
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

// flush writes a row for each task that has new events. The cursor stays where it is while one of them
// cannot be read, and the others are written all the same.
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

// load gives a task as of its event seq, one that does not exist if it was purged since.
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
