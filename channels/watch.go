package channels

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/sleep"
)

// watches are the tasks whose progress is being shown, each by goroutines of its own.
type watches struct {
	mu sync.Mutex
	on map[akitad.TaskID]*watch
	wg sync.WaitGroup
}

type watch struct {
	cancel context.CancelFunc
	ended  chan struct{}
}

func newWatches() *watches { return &watches{on: map[akitad.TaskID]*watch{}} }

// start runs show unless the task is being watched already.
func (w *watches) start(ctx context.Context, id akitad.TaskID, show func(context.Context)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on[id] != nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	this := &watch{cancel: cancel, ended: make(chan struct{})}
	w.on[id] = this
	w.wg.Go(func() {
		show(ctx)
		cancel()
		w.mu.Lock()
		delete(w.on, id)
		w.mu.Unlock()
		close(this.ended)
	})
}

// stop ends a task's watch and returns when nothing of it is on its way any more.
func (w *watches) stop(id akitad.TaskID) {
	w.mu.Lock()
	this := w.on[id]
	w.mu.Unlock()
	if this != nil {
		this.cancel()
		<-this.ended
	}
}

// wait returns when no task is watched any more. The contexts that start was given must have ended.
func (w *watches) wait() { w.wg.Wait() }

// watchOpen shows the progress of tasks that an earlier run had begun to show.
func (d *desk) watchOpen(ctx context.Context) {
	if d.opts.Open == nil {
		return
	}
	ids, err := d.opts.Open(ctx, d.ch.Name())
	if err != nil {
		d.log.Warn("open tasks not known", zap.Error(err))
	}
	for _, id := range ids {
		t, err := d.journal.Load(ctx, id)
		if err == nil && d.ours(t) && !t.Final() && t.Placeholder != "" {
			d.watch(ctx, t)
		}
	}
}

// watch shows a task's progress in its chat until it ends or the watch is stopped. Progress may be
// lost; the answer is the outbox's business.
func (d *desk) watch(ctx context.Context, t *journal.Task) {
	if t.Placeholder == "" {
		return
	}
	d.watches.start(ctx, t.ID, func(ctx context.Context) {
		var busy atomic.Bool
		var beside sync.WaitGroup
		shown := newDisplay(func(line string) { d.show(ctx, t, line) })
		bctx, cancel := context.WithCancel(ctx)
		beside.Go(func() { d.typing(bctx, t.Sub.Origin, &busy) })
		beside.Go(func() { shown.run(bctx) })
		err := d.follow(ctx, t, &busy, shown)
		cancel()
		beside.Wait()
		if err != nil && ctx.Err() == nil {
			d.log.Warn("progress not followed", zap.String("task", string(t.ID)), zap.Error(err))
		}
	})
}

// follow reads the journal from its beginning. It shows the last line of what was there when t was
// loaded, as work may have gone on while the placeholder was on its way, and every line after that.
func (d *desk) follow(ctx context.Context, t *journal.Task, busy *atomic.Bool, shown *display) error {
	show, last := newProgress(t), ""
	return d.journal.Follow(ctx, t.ID, 0, func(e akitad.Event) bool {
		if line := show.line(e); line != "" || show.ended {
			last = line
		}
		busy.Store(show.busy)
		past := e.Seq < t.Seq
		if last != "" && !past && ctx.Err() == nil {
			shown.set(last)
			last = ""
		}
		return (past || !show.ended) && ctx.Err() == nil
	})
}

// show rewrites the placeholder. It is not broken off by the end of the watch: what is on its way must
// have arrived before the answer is sent.
func (d *desk) show(ctx context.Context, t *journal.Task, line string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), showTimeout)
	defer cancel()
	if err := d.ch.Progress(ctx, t.Sub.Origin, t.Placeholder, line); err != nil {
		d.log.Debug("progress not shown", zap.String("task", string(t.ID)), zap.Error(err))
	}
}

const (
	showTimeout = 10 * time.Second
	// typingEvery is for how long a chat service shows that somebody is typing (Telegram: 5 s).
	typingEvery = 5 * time.Second
)

// typing shows that the bot is at work, while it is.
func (d *desk) typing(ctx context.Context, to akitad.Origin, busy *atomic.Bool) {
	c, ok := As[Companion](d.ch)
	if !ok {
		return
	}
	tick := time.NewTicker(typingEvery)
	defer tick.Stop()
	for sleep.For(ctx, showEvery); ctx.Err() == nil; { // an answer within the second needs none
		if busy.Load() {
			if err := c.Typing(ctx, to); err != nil && ctx.Err() == nil {
				d.log.Debug("typing not shown", zap.Error(err))
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
