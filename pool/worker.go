package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/controls"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/policy"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
	"github.com/akitad/akitad/workspace"
)

// Deps is what a worker works with.
type Deps struct {
	Bus       *bus.Bus
	Journal   *journal.Journal
	Holder    *claim.Holder
	Pool      *Pool
	Profiles  *Profiles
	Agent     *agent.Agent
	Model     llm.Provider   // for model steps of a plan
	Tools     *tool.Registry // for tool steps of a plan
	Workspace *workspace.Workspace
	Controls  *controls.Controls // which profiles are paused; nil for none
	Health    *fallback.Ledger   // how profiles do; nil keeps no record
	Tracer    *tracing.Tracer
	Log       *zap.Logger
}

// WorkerOptions bound a worker. The zero value works.
type WorkerOptions struct {
	Node       string
	Grace      time.Duration   // how long running rounds may go on after stop, default 10 s
	RoundsChat int             // default agent.RoundsChat
	RoundsTask int             // default agent.RoundsTask
	Budget     guard.Limits    // of a root task and everything below it; zero means none
	Hold       []time.Duration // pauses between tries while no endpoint answers, default 30 s to 5 min, an hour in all
}

// Worker claims tasks of every profile it knows, as long as instances are free for them.
type Worker struct {
	Deps
	opts WorkerOptions
	gate *gate
}

// NewWorker gives a worker; Run starts it.
func NewWorker(d Deps, opts WorkerOptions) *Worker {
	opts.Grace = cmp.Or(opts.Grace, 10*time.Second)
	opts.RoundsChat = cmp.Or(opts.RoundsChat, agent.RoundsChat)
	opts.RoundsTask = cmp.Or(opts.RoundsTask, agent.RoundsTask)
	if opts.Hold == nil {
		opts.Hold = defaultHold()
	}
	d.Log = cmp.Or(d.Log, zap.NewNop())
	return &Worker{Deps: d, opts: opts, gate: newGate()}
}

// defaultHold waits an hour in all, in growing steps.
func defaultHold() []time.Duration {
	out := []time.Duration{30 * time.Second, time.Minute}
	for total := 90 * time.Second; total < time.Hour; total += 5 * time.Minute {
		out = append(out, min(5*time.Minute, time.Hour-total))
	}
	return out
}

// Run pulls work for every profile until ctx ends. Then no new round begins, running rounds have the
// grace time to end, and what is left is cut off and given back.
func (w *Worker) Run(ctx context.Context) error {
	stop, err := w.serveFolders(ctx)
	if err != nil {
		return err
	}
	defer stop()
	work, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	eg, pull := errgroup.WithContext(ctx)
	defer context.AfterFunc(pull, func() { // ctx has ended, or one of the pulls has failed
		w.gate.stop()
		time.AfterFunc(w.opts.Grace, func() { cut(claim.ErrShutdown) })
	})()
	if w.Controls != nil {
		eg.Go(func() error { return w.Controls.Follow(pull, w.gate.set) })
	}
	eg.Go(func() error {
		known := map[string]bool{}
		for pull.Err() == nil {
			for _, profile := range w.Profiles.Names() {
				if !known[profile] {
					known[profile] = true
					eg.Go(func() error { return w.pull(pull, work, profile) })
				}
			}
			pause(pull, lookEvery)
		}
		return nil
	})
	return eg.Wait()
}

// How often a worker looks for profiles that it does not serve yet, as a person may add one at any time; and
// again at what cannot be used or taken now.
const (
	lookEvery   = 3 * time.Second
	againFailed = 10 * time.Second
	againShut   = 100 * time.Millisecond // the gate is about to know
)

// pull takes items of one profile while an instance is free for it: an item without one goes back
// at once, and pulling rests until there is room again.
func (w *Worker) pull(ctx, work context.Context, profile string) error {
	queue, err := w.openQueue(ctx, profile)
	if err != nil && ctx.Err() != nil {
		return nil // stopped before it began
	}
	if err != nil {
		return fmt.Errorf("open the queue of %s: %w", profile, err)
	}
	defer queue.Close()
	stop, err := w.Bus.ServeHere(profile, func() []byte { return w.here(profile) })
	if err != nil {
		return err
	}
	defer stop()
	var eg errgroup.Group
	for ctx.Err() == nil {
		w.pullOne(ctx, work, queue, profile, &eg)
	}
	return eg.Wait()
}

// openQueue makes what an earlier run of this node left behind available at once.
func (w *Worker) openQueue(ctx context.Context, profile string) (*bus.Work, error) {
	queue, err := w.Bus.OpenWork(ctx, profile)
	if err != nil {
		return nil, err
	}
	if err := queue.Reset(ctx); err != nil {
		queue.Close()
		return nil, err
	}
	return queue, nil
}

func (w *Worker) pullOne(ctx, work context.Context, queue *bus.Work, profile string, eg *errgroup.Group) {
	w.gate.waitOpen(ctx, profile)
	if w.Pool.WaitFree(ctx, profile) != nil {
		return
	}
	if _, err := w.Profiles.Find(profile); err != nil {
		w.Log.Warn("profile cannot be used, its tasks wait", zap.String("profile", profile), zap.Error(err))
		pause(ctx, againFailed)
		return
	}
	d, err := queue.Next(ctx)
	if err != nil {
		if ctx.Err() == nil {
			w.Log.Warn("no work item", zap.String("profile", profile), zap.Error(err))
			pause(ctx, time.Second)
		}
		return
	}
	item, err := claim.ParseItem(d.Body())
	if err != nil {
		w.Log.Warn("work item without an activation", zap.String("subject", d.Subject()), zap.Error(err)) // serving it will settle it
	}
	if !w.mayTake(ctx, profile) {
		w.giveBack(d, ErrFull)
		pause(ctx, againShut)
		return
	}
	i, err := w.Pool.TryAcquire(work, profile, item.Session)
	if err != nil {
		w.giveBack(d, err)
		return
	}
	eg.Go(func() error {
		defer w.Pool.Release(context.WithoutCancel(work), i)
		w.Holder.Serve(work, d, func(ctx context.Context, c *claim.Claim) error { return w.serve(ctx, c, i) })
		return nil
	})
}

// giveBack returns an item that cannot be served now. A full pool is no news; anything else is.
func (w *Worker) giveBack(d *bus.Delivery, err error) {
	delay := time.Duration(0)
	if !errors.Is(err, ErrFull) {
		w.Log.Warn("no instance for a work item", zap.String("subject", d.Subject()), zap.Error(err))
		delay = time.Second
	}
	if err := d.Nak(delay); err != nil {
		w.Log.Warn("work item not given back", zap.Error(err))
	}
}

// here answers who can run a profile, with the node's name, its counts, and who comes after the profile.
func (w *Worker) here(profile string) []byte {
	info := nodeInfo{Node: w.opts.Node, Agents: w.Pool.Stats()}
	if p, err := w.Profiles.Find(profile); err == nil {
		info.Fallback = p.Fallback
	}
	info.Paused, _ = w.gate.paused(profile)
	return hereInfo(info)
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// serve advances one claimed task on an instance until it ends, waits or is given back.
func (w *Worker) serve(ctx context.Context, c *claim.Claim, i *Instance) error {
	t := c.Snapshot()
	if t.AskedCancel {
		return w.cancelled(ctx, c, i)
	}
	ctx = c.TellStalls(w.Tracer.InTask(ctx, t.Sub.Root, t.SpanTask()), w.Log)
	if gone, err := w.divert(ctx, c, i); gone && !errors.Is(err, errGoOn) {
		return err
	}
	i.Session = t.Sub.Session
	if err := w.prepare(ctx, t, i); err != nil {
		return w.settle(ctx, c, i, agent.Outcome{}, err)
	}
	var spent agent.Outcome // whose usage no event holds
	for {
		out, err := w.runOnce(ctx, c, i)
		out.Usage, out.Bills = out.Usage.Add(spent.Usage), out.Bills.Add(spent.Bills...)
		if again := w.settle(ctx, c, i, out, err); !errors.Is(again, errGoOn) {
			return again
		}
		spent = out
	}
}

// prepare binds the instance to the task's folder, with the files that belong there.
func (w *Worker) prepare(ctx context.Context, t *journal.Task, i *Instance) (err error) {
	if i.Dir, err = w.Workspace.Dir(t.Sub.Folder); err == nil {
		err = w.restorable(i.Dir, t)
	}
	if err == nil {
		err = w.placeFiles(ctx, i.Dir, t)
	}
	if err == nil {
		err = w.restoreFiles(ctx, i.Dir, t)
	}
	switch kind := akitad.KindOf(err); {
	case err == nil:
		return nil
	case kind.Temporary(), kind == akitad.Unavailable, kind == akitad.Overloaded, kind == akitad.Unknown, kind == akitad.Cancelled:
		return fmt.Errorf("%w: place files: %w", agent.ErrStore, err)
	}
	return fmt.Errorf("%w: place files: %w", errHopeless, err)
}

// runOnce gives the recorded result of a step that was done before under its idempotency key, else it
// runs the task and makes its result ready for the end. A file that it writes is not another task's to
// write meanwhile; it is again before the task's end is on record, as who follows may begin at once then.
func (w *Worker) runOnce(ctx context.Context, c *claim.Claim, i *Instance) (agent.Outcome, error) {
	defer i.Dir.Begin(c.Snapshot().ID)()
	out, err := w.recall(ctx, c.Snapshot())
	if err != nil || out.Recorded {
		return out, err
	}
	out, err = w.run(ctx, c, i)
	if err == nil && out.Result != nil {
		err = w.finish(ctx, c, i, &out)
	}
	return out, err
}

// run does what the task is: a loop of its profile, one tool call, or one model call.
func (w *Worker) run(ctx context.Context, c *claim.Claim, i *Instance) (agent.Outcome, error) {
	t := c.Snapshot()
	if limit := stepTimeout(t); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, akitad.Errorf(akitad.Timeout, "the step took longer than %s", limit))
		defer cancel()
	}
	switch s := t.Sub.Step; {
	case s != nil && s.Tool != "":
		return w.toolStep(ctx, c, i)
	case s != nil && s.Kind() == "model":
		return w.modelStep(ctx, t)
	}
	earlier, err := w.earlier(ctx, t)
	if err != nil {
		return agent.Outcome{}, fmt.Errorf("%w: read the session: %w", agent.ErrStore, err)
	}
	return w.Agent.Run(ctx, agent.Turn{
		Profile: i.Profile, Tools: surely(c, w.toolsFor(i, t)), Dir: i.Dir, Earlier: earlier, Rounds: w.rounds(i.Profile, t), Stop: w.gate.end(i.Profile.Name),
		Budget: (&meter{w: w}).read, Known: w.known,
	}, c)
}

// toolsFor leaves out what makes no sense for the task, and what whoever asked for it may not have
// called: a root task answers by its last words, and only a step whose plan can be rewritten may ask for
// that, whatever tools its profile names.
func (w *Worker) toolsFor(i *Instance, t *journal.Task) []tool.Tool {
	out := make([]tool.Tool, 0, len(i.Tools)+1)
	for _, have := range i.Tools {
		switch have.Info().Name {
		case "submit_result":
			if t.IsRoot() && len(t.Sub.Schema) == 0 {
				continue
			}
		case "replan":
			continue
		}
		if policy.Check(t.Sub.Origin, have.Info().ForPolicy()) == nil {
			out = append(out, have)
		}
	}
	if replan, ok := w.Tools.Get("replan"); ok && t.Sub.MayReplan {
		out = append(out, replan)
	}
	return out
}

// rounds gives the cap: what the request says, else the profile, else 15 for a short task from chat
// and 30 for every other.
func (w *Worker) rounds(p akitad.Profile, t *journal.Task) int {
	n := cmp.Or(p.Rounds, w.opts.RoundsTask)
	if p.Rounds == 0 && t.IsRoot() && (t.Sub.Chat || t.Sub.Origin.Interactive()) && t.Planned != nil && t.Planned.Plan == nil {
		n = w.opts.RoundsChat
	}
	if b := t.Sub.Budget; b != nil && b.Rounds > 0 {
		n = b.Rounds
	}
	return n
}

func stepTimeout(t *journal.Task) time.Duration {
	if t.Sub.Step == nil {
		return 0
	}
	d, err := time.ParseDuration(t.Sub.Step.Timeout)
	if err != nil {
		return 0 // the plan's validation refuses a bad one
	}
	return d
}
