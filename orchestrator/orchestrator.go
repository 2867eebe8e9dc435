package orchestrator

import (
	"cmp"
	"context"
	"errors"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/lane"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/sleep"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
)

// Deps has what an Orchestrator needs.
type Deps struct {
	Bus        *bus.Bus
	Journal    *journal.Journal
	Holder     *claim.Holder
	Compiler   *compiler.Compiler
	Model      llm.Provider // for the planner role
	Models     Models       // the models that requests and plans may name; nil: any role
	Tools      *tool.Registry
	Profiles   Profiles
	Projection *projection.Projection
	Tracer     *tracing.Tracer
	Log        *zap.Logger
}

// Profiles are the kinds of agent that exist.
type Profiles interface {
	// Described returns the name and description of each profile, sorted by name.
	Described() []llm.BriefProfile
	// Find returns a profile by name; the error says why it cannot be used.
	Find(name string) (akitad.Profile, error)
}

// Models are the models that a task may ask for.
type Models interface {
	// Models returns the names of the roles and endpoints.
	Models() []string
	// Tags returns the tags of all endpoints.
	Tags() []string
	// Check returns an error for an unknown model, or for tags that no endpoint has.
	Check(model string, tags []string) error
}

// Options of an Orchestrator. The zero value works.
type Options struct {
	Owners map[string]string // by channel, the id of the person who may decide about every task; optional

	Grace     time.Duration // how long running plans may continue after Run's ctx has ended, default 10 s
	ClaimTTL  time.Duration // a silent task without a work item is woken after twice this, default 30 s
	Sweep     time.Duration // how often the sweep runs, default 1 minute
	NoPlanner bool          // split no task, except by a person's plan
	Retention time.Duration // how long an ended task is kept, default 30 days
	MaxQueue  int           // maximum number of waiting tasks of one session, default 100
	Parallel  int           // maximum number of tasks that are compiled or planned at once, default 32
	Default   string        // profile of root tasks, default assistant
	Folder    string        // folder of the flows; empty for none
	Day       DayBudget     // budget of one person per day
	Budget    guard.Limits  // limits of a root task's tree
	PlanAsk   bool          // every plan of the planner waits for a person's approval
	Steer     bool          // a message in a chat whose session is busy corrects the running task instead of waiting

	// Room returns a *disk.Low if the disk is too full for new work. Take and StartFlow return that error.
	// A nil Room means that there is always room.
	Room func() error
}

// Orchestrator is the orchestration on one node. Several nodes may run one at the same time.
type Orchestrator struct {
	Deps
	opts      Options
	sessions  *bus.KV
	accepts   *lane.Lanes
	accepting chan struct{} // has one element for each message that is being accepted
	dispatch  *lane.Lanes
	wakes     *lane.Lanes
	swept     waits // of the sweep alone
}

// maxInFlight is the maximum number of events in dispatch, and of messages received but not accepted.
const maxInFlight = 256

// maxAccepting is the maximum number of messages that are accepted at the same time.
const maxAccepting = 3

// New returns an orchestrator; Run starts it.
func New(ctx context.Context, d Deps, opts Options) (*Orchestrator, error) {
	opts.Grace = cmp.Or(opts.Grace, 10*time.Second)
	opts.ClaimTTL = cmp.Or(opts.ClaimTTL, 30*time.Second)
	opts.Sweep = cmp.Or(opts.Sweep, time.Minute)
	opts.Retention = cmp.Or(opts.Retention, 30*24*time.Hour)
	opts.MaxQueue = cmp.Or(opts.MaxQueue, 100)
	opts.Parallel = cmp.Or(opts.Parallel, 32)
	opts.Default = cmp.Or(opts.Default, "assistant")
	d.Log = cmp.Or(d.Log, zap.NewNop())
	kv, err := d.Bus.KV(ctx, "sessions")
	if err != nil {
		return nil, err
	}
	return &Orchestrator{
		Deps: d, opts: opts, sessions: kv, accepts: lane.New(maxInFlight), dispatch: lane.New(maxInFlight), wakes: lane.New(maxInFlight),
		accepting: make(chan struct{}, maxAccepting),
	}, nil
}

// Run serves until ctx ends, and returns when everything that it started has ended. Every part is a durable
// consumer or reads the journal first, so that a stop at any point loses nothing.
func (o *Orchestrator) Run(ctx context.Context) error {
	eg, ctx := errgroup.WithContext(ctx)
	eg.Go(func() error { return o.acceptAll(ctx) })
	eg.Go(func() error { return o.dispatchAll(ctx) })
	eg.Go(func() error { return o.wakeAll(ctx) })
	eg.Go(func() error { return o.planAll(ctx) })
	eg.Go(func() error { return o.feed(ctx) })
	eg.Go(func() error { return o.sweepAll(ctx) })
	eg.Go(func() error { return o.collectDaily(ctx) })
	return eg.Wait()
}

// insist repeats do, which must be idempotent, until it succeeds or ctx ends. It keeps the delivery
// meanwhile: if it were given back, the next one of the same lane could overtake it.
func (o *Orchestrator) insist(ctx context.Context, d *bus.Delivery, what string, do func() error) bool {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := claim.Survive(do)
		if err == nil {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		if broken, ok := errors.AsType[*claim.Broken](err); ok {
			o.Log.Error(what+" panicked", zap.String("subject", d.Subject()), zap.ByteString("stack", broken.Stack))
		}
		o.Log.Warn(what+" failed and is repeated", zap.String("subject", d.Subject()), zap.Error(err))
		if err := d.InProgress(); err != nil {
			o.Log.Debug("delivery not kept", zap.Error(err))
		}
		sleep.For(ctx, wait)
	}
}

// ack settles a delivery. If that fails, it is delivered again and recognised.
func (o *Orchestrator) ack(d *bus.Delivery) {
	if err := d.Done(); err != nil {
		o.Log.Debug("delivery not settled", zap.String("subject", d.Subject()), zap.Error(err))
	}
}
