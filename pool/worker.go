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
	"github.com/akitad/akitad/internal/sleep"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
	"github.com/akitad/akitad/workspace"
)

// Deps has what a Worker needs.
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
	Health    *fallback.Ledger   // the health of profiles; nil keeps no record
	Tracer    *tracing.Tracer
	Log       *zap.Logger
}

// WorkerOptions are the limits of a Worker. The zero value works.
type WorkerOptions struct {
	Node       string
	Grace      time.Duration   // how long running rounds may continue after Run's ctx has ended, default 10 s
	RoundsChat int             // default agent.RoundsChat
	RoundsTask int             // default agent.RoundsTask
	Budget     guard.Limits    // of a root task and all tasks below it; zero means no limits
	Hold       []time.Duration // pauses between tries while no endpoint answers; default from 30 s to 5 min, one hour in total

	Ends func(ctx context.Context, task akitad.TaskID, tool string) // is told of a tool whose call has ended each process that made it; may be nil
}

// Worker claims and runs tasks of every profile that it knows, as long as instances are free.
type Worker struct {
	Deps
	opts WorkerOptions
	gate *gate
}

// NewWorker returns a worker; Run starts it.
func NewWorker(d Deps, opts WorkerOptions) *Worker {
	opts.Grace = cmp.Or(opts.Grace, 10*time.Second)
	opts.RoundsChat = cmp.Or(opts.RoundsChat, agent.RoundsChat)
	opts.RoundsTask = cmp.Or(opts.RoundsTask, agent.RoundsTask)
	if opts.Hold == nil {
		opts.Hold = defaultHold()
	}
	if opts.Ends == nil {
		opts.Ends = func(context.Context, akitad.TaskID, string) {}
	}
	d.Log = cmp.Or(d.Log, zap.NewNop())
	return &Worker{Deps: d, opts: opts, gate: newGate()}
}

// defaultHold returns growing pauses of one hour in total.
func defaultHold() []time.Duration {
	out := []time.Duration{30 * time.Second, time.Minute}
	for total := 90 * time.Second; total < time.Hour; total += 5 * time.Minute {
		out = append(out, min(5*time.Minute, time.Hour-total))
	}
	return out
}

// Run pulls work for every profile until ctx ends. Then no new round begins; running rounds may continue for
// the grace time; the remaining ones are cancelled and their tasks given back.
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
			sleep.For(pull, lookEvery)
		}
		return nil
	})
	return eg.Wait()
}

// How often a worker looks for new profiles, which a person may add at any time, and how long it waits after
// a profile cannot be used or taken.
const (
	lookEvery   = 3 * time.Second
	againFailed = 10 * time.Second
	againShut   = 100 * time.Millisecond // until the gate has heard of the pause
)

// pull takes work items of one profile while an instance is free for it. An item for which there is no
// instance goes back at once.
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

// openQueue opens the profile's queue, and makes the items that an earlier run of this node had claimed
// available at once.
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
		sleep.For(ctx, againFailed)
		return
	}
	d, err := queue.Next(ctx)
	if err != nil {
		if ctx.Err() == nil {
			w.Log.Warn("no work item", zap.String("profile", profile), zap.Error(err))
			sleep.For(ctx, time.Second)
		}
		return
	}
	item, err := claim.ParseItem(d.Body())
	if err != nil {
		w.Log.Warn("work item without an activation", zap.String("subject", d.Subject()), zap.Error(err)) // serving it will settle it
	}
	if !w.mayTake(ctx, profile) {
		w.giveBack(d, ErrFull)
		sleep.For(ctx, againShut)
		return
	}
	i, err := w.Pool.Acquire(work, profile, item.Session)
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

// giveBack gives back an item that cannot be served now. Reasons other than a full pool are logged.
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

// here returns this node's answer to the question who can run a profile: the node's name, its counts, and
// the profile's fallback chain.
func (w *Worker) here(profile string) []byte {
	info := nodeInfo{Node: w.opts.Node, Agents: w.Pool.Stats()}
	if p, err := w.Profiles.Find(profile); err == nil {
		info.Fallback = p.Fallback
	}
	info.Paused, _ = w.gate.paused(profile)
	return hereInfo(info)
}

// serve advances one claimed task on an instance, until the task ends, waits or is given back.
func (w *Worker) serve(ctx context.Context, c *claim.Claim, i *Instance) error {
	t := c.Snapshot()
	if t.AskedCancel {
		return w.cancelled(ctx, c, i)
	}
	ctx = c.TellStalls(w.Tracer.InTask(ctx, t.Sub.Root, t.SpanTask()), w.Log)
	if gone, err := w.divert(ctx, c, i); gone && !errors.Is(err, errGoOn) {
		return err
	}
	if err := w.prepare(ctx, t, i); err != nil {
		return w.settle(ctx, c, i, agent.Outcome{}, err)
	}
	var spent agent.Outcome // usage that no event records yet
	for {
		out, err := w.runOnce(ctx, c, i)
		out.Usage, out.Bills = out.Usage.Add(spent.Usage), out.Bills.Add(spent.Bills...)
		if again := w.settle(ctx, c, i, out, err); !errors.Is(again, errGoOn) {
			return again
		}
		spent = out
	}
}

// prepare binds the instance to the task's folder and brings the folder's files up to date.
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

// runOnce returns the recorded result of a step that was done before under its idempotency key. Otherwise it
// runs the task and prepares its result for the end. While it runs, no other task may write the files that
// it writes. That must end before the task's end is recorded, because a following task may begin at once.
func (w *Worker) runOnce(ctx context.Context, c *claim.Claim, i *Instance) (agent.Outcome, error) {
	t, err := c.Mine()
	if err != nil {
		return agent.Outcome{}, err
	}
	defer i.Dir.Begin(t.ID)()
	out, err := w.recall(ctx, t)
	if err != nil || out.Recorded {
		return out, err
	}
	out, err = w.run(ctx, c, i)
	if err == nil && out.Result != nil {
		err = w.finish(ctx, c, i, &out)
	}
	return out, err
}

// run does the work of the task: the loop of its profile, one tool call, or one model call.
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

// toolsFor returns the instance's tools that the task may call. It leaves out those that the policy forbids
// for the person who asked; submit_result for a root task without a schema, which answers by its last
// reply; and replan, unless the task is a step of a plan that can be rewritten.
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

// rounds returns the maximum number of rounds: that of the request, else of the profile, else RoundsChat for
// an unsplit task from a chat and RoundsTask for every other.
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
