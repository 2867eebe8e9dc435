// Package app wires a process: New opens everything from top to bottom, Run serves, Close closes in reverse
// order. It has no logic that could be in a package below.
package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/controls"
	"github.com/akitad/akitad/internal/egress"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/knowledge"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/redact"
	"github.com/akitad/akitad/internal/sandbox"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/memory"
	"github.com/akitad/akitad/orchestrator"
	"github.com/akitad/akitad/pool"
	"github.com/akitad/akitad/tracing"
	"github.com/akitad/akitad/workspace"
)

// Parts says which parts a process runs.
type Parts struct {
	Orchestrate bool // accept, plan, dispatch, deliver
	Work        bool // claim and run tasks
	Serve       bool // the HTTP API and the channels
	Read        bool // only the HTTP API, to read what is there
}

// Options are the settings that are not in the configuration.
type Options struct {
	Parts Parts
	Model llm.Provider    // replaces the configured endpoints; nil: use those
	Hold  []time.Duration // pauses between tries while no endpoint answers; nil: the worker's default, one hour in total
	Log   *zap.Logger

	Version string // version of the program, shown by the HTTP API
}

// App is a wired process.
type App struct {
	Config       config.Config
	Bus          *bus.Bus
	Journal      *journal.Journal
	Controls     *controls.Controls
	Projection   *projection.Projection // nil without Orchestrate
	Orchestrator *orchestrator.Orchestrator
	Pool         *pool.Pool
	Profiles     *pool.Profiles
	Router       *llm.Router
	Tools        *tool.Registry
	Memory       *memory.Memory
	Knowledge    *knowledge.Base
	Workspace    *workspace.Workspace
	Sandbox      *sandbox.Sandbox
	Egress       *egress.Dialer
	Tracer       *tracing.Tracer
	Redact       *redact.Redactor
	Node         string
	Admin        *admin.Server           // nil without Serve
	Gateway      *channels.Gateway       // nil without a chat service
	Access       map[string]*access.Door // by channel: who may talk through it
	HookAddr     string                  // address of the hooks, if not that of Admin

	log     *zap.Logger
	known   *tool.Registry   // all tools, including those that are switched off
	health  *fallback.Ledger // of endpoints and profiles
	untold  chan notice      // what the owner must be told; nil without a chat service
	runs    []part
	closers []closer
}

type part struct {
	name string
	run  func(context.Context) error
}

type closer struct {
	name  string
	close func(context.Context) error
}

// New opens everything that the parts need, from top to bottom. If that fails, it closes what it has opened.
func New(ctx context.Context, cfg config.Config, opts Options) (*App, error) {
	a := &App{Config: cfg, log: cmp.Or(opts.Log, zap.NewNop())}
	if err := a.open(ctx, opts); err != nil {
		cctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return nil, errors.Join(err, a.Close(cctx))
	}
	return a, nil
}

func (a *App) open(ctx context.Context, opts Options) error {
	for _, step := range []struct {
		name string
		open func(context.Context, Options) error
	}{
		{"home", a.openHome},
		{"bus", a.openBus},
		{"tracing", a.openTracing},
		{"models", a.openModels},
		{"storage", a.openStorage},
		{"tools", a.openTools},
		{"spine", a.openSpine},
		{"channels", a.openChannels},
		{"admin", a.openAdmin},
	} {
		if err := step.open(ctx, opts); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// onClose registers how to close what was just opened.
func (a *App) onClose(name string, fn func(context.Context) error) {
	a.closers = append(a.closers, closer{name, fn})
}

// onRun registers a part that Run runs.
func (a *App) onRun(name string, fn func(context.Context) error) {
	a.runs = append(a.runs, part{name, fn})
}

func (a *App) openHome(context.Context, Options) error {
	for _, l := range config.WithoutEffect(a.Config) {
		a.log.Warn("a setting has no effect", zap.String("key", l.Key), zap.String("set", l.Source), zap.String("why", l.Note))
	}
	for name, advice := range Advice(a.Config) {
		a.log.Warn("an endpoint needs its owner", zap.String("endpoint", name), zap.String("advice", advice))
	}
	if err := config.EnsureHome(a.Config.Path.Home); err != nil {
		return err
	}
	unlock, err := lock(a.Config.Path.Lock)
	if err != nil {
		return err
	}
	a.onClose("lock", func(context.Context) error { return unlock() })
	a.Node, err = config.NodeName(a.Config.Path.Node)
	return err
}

func (a *App) openBus(ctx context.Context, _ Options) (err error) {
	a.Bus, err = bus.Open(ctx, bus.Options{
		Dir: a.Config.Path.Data, URL: a.Config.NATS.URL, Listen: a.Config.NATS.Listen, Durability: a.Config.Durability,
		ClaimTTL: a.Config.Claim.TTL, Replicas: a.Config.NATS.Replicas, Reserve: int64(a.Config.Disk.Reserve), Spans: a.Config.Tracing.Keep, Log: a.log.Named("bus"),
	})
	if err != nil {
		return err
	}
	a.onClose("bus", a.Bus.Close)
	if err := a.takeName(ctx); err != nil {
		return err
	}
	a.Journal = journal.New(a.Bus, a.Node)
	a.Controls, err = controls.Open(ctx, a.Bus, controls.Options{Log: a.log.Named("controls")})
	return err
}

func (a *App) openTracing(context.Context, Options) error {
	a.Redact = redact.New(secrets(a.Config)...)
	a.Tracer = tracing.New(spanSink{a.Bus}, tracing.Options{
		Service: "akitad", Node: a.Node, OTLP: a.Config.Tracing.OTLP, Redact: a.Redact.String, Log: a.log.Named("tracing"),
	})
	a.onClose("tracing", a.Tracer.Close)
	return nil
}

func (a *App) openStorage(_ context.Context, opts Options) (err error) {
	if a.Workspace, err = workspace.Open(a.workspaceRoot()); err != nil {
		return err
	}
	// The home is locked, and no program of this process runs there yet, so all that run are leftovers.
	if left, err := sandbox.Sweep(a.Config.Path.Files); left > 0 || err != nil {
		a.log.Warn("what an earlier process left running was ended", zap.Int("processes", left), zap.Error(err))
	}
	if a.Memory, err = memory.Open(a.Config.Path.Memory, a.memoryOptions()); err != nil {
		return err
	}
	a.openKnowledge()
	if opts.Parts.Orchestrate || opts.Parts.Read {
		if a.Projection, err = projection.Open(a.projectionPath()); err != nil {
			return err
		}
		if why := a.Projection.Rebuilt(); why != "" {
			a.log.Warn("the read model could not be used and is made again from the journals", zap.String("why", why))
		}
		a.onClose("projection", func(context.Context) error { return a.Projection.Close() })
	}
	if a.Profiles, err = pool.LoadProfiles(a.Config.Path.Agents); a.Profiles == nil {
		return err
	}
	if known := a.Profiles.Know(a.Router.Check); err == nil {
		err = known
	}
	if err != nil { // one bad file must not prevent the use of the others
		a.log.Warn("agent files that cannot be used are left out", zap.Error(err))
	}
	return nil
}

// openKnowledge opens the index of the owner's documents. Its file is opened at the first use.
func (a *App) openKnowledge() {
	a.Knowledge = knowledge.New(a.Config.Path.Index, knowledge.Options{
		Private: a.Config.Path.Home, Lost: func(text string) { a.log.Warn(text) },
	})
	a.onClose("knowledge", func(context.Context) error { return a.Knowledge.Close() })
}

// openSpine wires claims, workers and the orchestrator.
func (a *App) openSpine(ctx context.Context, opts Options) error {
	holder := claim.NewHolder(a.Bus, a.Journal, claim.Options{
		Node: a.Node, Incarnation: rand.Text(), Renew: a.Config.Claim.Renew, Log: a.log.Named("claim"),
	})
	if opts.Parts.Work && a.Config.Pool.Max > 0 {
		a.warm(ctx)
		a.openWorker(holder, opts.Hold)
	}
	if !opts.Parts.Orchestrate && !opts.Parts.Read {
		return nil
	}
	var err error
	a.Orchestrator, err = orchestrator.New(ctx, orchestrator.Deps{
		Bus: a.Bus, Journal: a.Journal, Holder: holder, Model: a.Router, Models: a.Router, Tools: a.Tools, Profiles: a.Profiles, Projection: a.Projection,
		Compiler: a.compiler(),
		Tracer:   a.Tracer, Log: a.log.Named("orchestrator"),
	}, orchestrator.Options{
		Owners: a.ownerIDs(),
		Grace:  a.Config.Stop.Grace, ClaimTTL: a.Config.Claim.TTL, Retention: a.Config.Retention, Folder: a.Config.Path.Flows,
		Day:     orchestrator.DayBudget{Tokens: a.Config.Budgets.PersonTokens, Money: a.Config.Budgets.PersonMoney, Warn: a.Config.Budgets.Warn},
		PlanAsk: a.Config.Plan == "ask", NoPlanner: a.Config.Plan == "off", Budget: a.budget(), Room: a.room().Check, Steer: a.Config.Queue == "steer",
	})
	if err == nil && opts.Parts.Orchestrate {
		a.onRun("orchestrator", a.Orchestrator.Run)
	}
	return err
}

// warm loads the unfinished tasks of an earlier process, before all workers load them at once.
func (a *App) warm(ctx context.Context) {
	began := time.Now()
	tasks, err := a.Journal.Warm(ctx)
	if tasks > 0 || err != nil {
		a.log.Info("read the unfinished tasks", zap.Int("tasks", tasks), zap.Duration("took", time.Since(began)), zap.Error(err))
	}
}

func (a *App) openWorker(holder *claim.Holder, hold []time.Duration) {
	a.Pool = pool.New(a.Profiles, a.openAgent, pool.Options{
		Max: a.Config.Pool.Max, PerProfile: a.Config.Pool.PerProfile, Idle: a.Config.Pool.Idle, Log: a.log.Named("pool"),
	})
	a.onClose("pool", a.Pool.Close)
	a.onRun("pool", a.Pool.Run)
	worker := pool.NewWorker(pool.Deps{
		Bus: a.Bus, Journal: a.Journal, Holder: holder, Pool: a.Pool, Profiles: a.Profiles, Model: a.Router, Tools: a.Tools,
		Workspace: a.Workspace, Controls: a.Controls, Health: a.health, Tracer: a.Tracer, Log: a.log.Named("worker"),
		Agent: agent.New(agent.Options{
			Model: a.Router, Tools: a.Tools, Core: a.core, Sources: []window.Source{memorySource{a.Memory, a.Config.Memory.Top}}, PutBytes: a.Bus.PutArtifact, Filter: a.filter(), Live: a.live,
			Tracer: a.Tracer, Log: a.log.Named("agent"), Warn: a.Config.Budgets.Warn, Context: a.context(), Limits: a.Router.Limits,
			Unfiltered: a.Config.Context.Filter == "off", Unsupervised: a.Config.Supervise == "off", Ends: a.callEnds,
		}),
	}, pool.WorkerOptions{
		Node: a.Node, Grace: a.Config.Stop.Grace, RoundsChat: a.Config.Rounds.Chat, RoundsTask: a.Config.Rounds.Task, Hold: hold,
		Budget: a.budget(), Ends: a.callEnds,
	})
	a.onRun("worker", worker.Run)
	a.onRun("memory", giveBack)
}

// budget returns the limits of a root task and all tasks below it.
func (a *App) budget() guard.Limits {
	b := a.Config.Budgets
	return guard.Limits{Input: b.InputTokens, Calls: b.Calls, Active: b.Active, Tasks: b.Tasks}
}

// Run runs all parts until ctx ends or a part fails, and returns when all of them have ended.
func (a *App) Run(ctx context.Context) error {
	eg, ctx := errgroup.WithContext(ctx)
	for _, p := range a.runs {
		eg.Go(func() error {
			if err := p.run(ctx); err != nil && ctx.Err() == nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			return nil
		})
	}
	return eg.Wait()
}

// Close closes everything that New has opened, in reverse order.
func (a *App) Close(ctx context.Context) (err error) {
	for _, c := range slices.Backward(a.closers) {
		if cerr := c.close(ctx); cerr != nil {
			err = errors.Join(err, fmt.Errorf("close %s: %w", c.name, cerr))
		}
	}
	a.closers = nil
	return err
}
