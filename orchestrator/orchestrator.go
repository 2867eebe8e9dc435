package orchestrator

import (
	"cmp"
	"context"
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
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
)

// Deps is what an orchestrator works with.
type Deps struct {
	Bus        *bus.Bus
	Journal    *journal.Journal
	Holder     *claim.Holder
	Compiler   *compiler.Compiler
	Model      llm.Provider // for the planner role
	Models     Models       // what requests and plans may name; nil: any role
	Tools      *tool.Registry
	Profiles   Profiles
	Projection *projection.Projection
	Tracer     *tracing.Tracer
	Log        *zap.Logger
}

// Profiles tells which kinds of agent exist.
type Profiles interface {
	// Described gives each profile's name and description, in order of name.
	Described() []llm.BriefProfile
	// Find gives a profile, or says why there is none that can be used.
	Find(name string) (akitad.Profile, error)
}

// Models tells which models a task may ask for.
type Models interface {
	// Models lists the roles and endpoints.
	Models() []string
	// Tags lists the tags of endpoints.
	Tags() []string
	// Check refuses a model or tags that no endpoint has.
	Check(model string, tags []string) error
}

// Options tune an orchestrator. The zero value works.
type Options struct {
	Owners map[string]string // by channel, the id of who may decide on anybody's task; a channel may have none

	Grace     time.Duration // how long running plans may go on after stop, default 10 s
	ClaimTTL  time.Duration // after twice this a silent task without a work item is woken, default 30 s
	Sweep     time.Duration // how often, default 1 minute
	NoPlanner bool          // nothing is split but by a person's plan
	Retention time.Duration // how long a settled task is kept, default 30 days
	MaxQueue  int           // messages that one session may have waiting, default 100
	Parallel  int           // tasks compiled or planned at once, default 32
	Default   string        // profile of root tasks, default assistant
	Folder    string        // where flows are found; empty for none
	Day       DayBudget     // of one person
	Budget    guard.Limits  // of a root task's tree
	PlanAsk   bool          // every plan that a planner writes waits for a person's approval
	Steer     bool          // words in a chat whose session is busy correct the running task, in place of waiting

	// Room says by a *disk.Low that the disk is too full for new work of a person in a chat: Take and
	// StartFlow then give that error. Nil: there is room.
	Room func() error
}

// Orchestrator is one node's share of the orchestration; several may run beside each other.
type Orchestrator struct {
	Deps
	opts      Options
	sessions  *bus.KV
	accepts   *lane.Lanes
	accepting chan struct{} // holds one for each message that is being accepted
	dispatch  *lane.Lanes
	swept     waits // of the sweep alone
}

// maxInFlight bounds the events that are being dispatched and the messages being accepted.
const maxInFlight = 256

// maxAccepting bounds the messages that are being accepted at the same time.
const maxAccepting = 3

// New gives an orchestrator; Run starts it.
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
		Deps: d, opts: opts, sessions: kv, accepts: lane.New(maxInFlight), dispatch: lane.New(maxInFlight),
		accepting: make(chan struct{}, maxAccepting),
	}, nil
}

// Run serves until ctx ends and returns when everything it began has ended. Every part is a durable
// consumer or looks at the journal first, so that stopping anywhere loses nothing.
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

// insist repeats do, which is idempotent, until it succeeds or ctx ends, keeping the delivery on
// loan meanwhile: giving it back would let the next one of its lane pass.
func (o *Orchestrator) insist(ctx context.Context, d *bus.Delivery, what string, do func() error) bool {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := do()
		if err == nil {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		o.Log.Warn(what+" failed and is repeated", zap.String("subject", d.Subject()), zap.Error(err))
		if err := d.InProgress(); err != nil {
			o.Log.Debug("delivery not kept", zap.Error(err))
		}
		pause(ctx, wait)
	}
}

// ack settles a delivery; one that cannot be settled comes again and is recognised.
func (o *Orchestrator) ack(d *bus.Delivery) {
	if err := d.Done(); err != nil {
		o.Log.Debug("delivery not settled", zap.String("subject", d.Subject()), zap.Error(err))
	}
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
