package orchestrator

import (
	"context"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
)

// feedEvery is how often the read model is brought up to date: listings may lag a second.
const feedEvery = 100 * time.Millisecond

// feed keeps the read model: it collects which tasks have new events and now and then writes a row
// for each from its fold, with the cursor in the same transaction.
func (o *Orchestrator) feed(ctx context.Context) error {
	cursor, err := o.Projection.Cursor(ctx)
	if err != nil {
		return err
	}
	f := &feeder{o: o, dirty: map[akitad.TaskID]bool{}, cursor: cursor}
	eg, ctx := errgroup.WithContext(ctx)
	eg.Go(func() error {
		return o.Bus.FollowTasks(ctx, []string{"akita.task.>"}, cursor+1, f.saw)
	})
	eg.Go(func() error { return f.run(ctx) })
	return eg.Wait()
}

type feeder struct {
	o      *Orchestrator
	mu     sync.Mutex
	dirty  map[akitad.TaskID]bool
	cursor uint64
}

func (f *feeder) saw(s bus.Stored) error {
	id := akitad.TaskID(strings.Split(s.Subject, ".")[2])
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dirty[id] = true
	f.cursor = s.Seq
	return nil
}

func (f *feeder) run(ctx context.Context) error {
	tick := time.NewTicker(feedEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := f.flush(ctx); err != nil && ctx.Err() == nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// take gives what is to be written and starts over; a failed write puts it back.
func (f *feeder) take() (map[akitad.TaskID]bool, uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dirty := f.dirty
	f.dirty = map[akitad.TaskID]bool{}
	return dirty, f.cursor
}

func (f *feeder) flush(ctx context.Context) error {
	dirty, cursor := f.take()
	if len(dirty) == 0 {
		return nil
	}
	rows := make([]projection.Row, 0, len(dirty))
	for id := range dirty {
		t, err := f.o.Journal.Load(ctx, id)
		if err != nil {
			return err
		}
		if t.Exists() {
			rows = append(rows, row(t))
		}
	}
	return f.o.Projection.Apply(ctx, rows, cursor)
}

func row(t *journal.Task) projection.Row {
	v := t.View()
	return projection.Row{
		ID: t.ID, Root: v.Root, Parent: v.Parent, Depth: v.Depth, State: v.State, Reason: v.Reason, Profile: v.Profile, Session: v.Session,
		Channel: v.Origin.Channel, Sender: v.Origin.Sender, Text: v.Text, Created: v.Created, Updated: t.Updated, Started: v.Started,
		Ended: v.Ended, Priority: v.Priority, Rounds: v.Rounds, Usage: v.Usage, Seq: t.Seq, Settled: t.Final(), Delivered: t.Delivered,
	}
}
