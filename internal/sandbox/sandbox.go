// Package sandbox runs a program that sees one folder, the system's read-only parts and nothing
// else: no network, no other process, no environment of the daemon, no file outside. It decides
// nothing about which programs may run.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/akitad/akitad"
	"go.uber.org/zap"
)

// Home is where the program finds its folder, whatever the folder's place on the host.
const Home = "/work"

// The rungs of the ladder, the first that works is used.
const (
	Bubblewrap = "bubblewrap" // the bwrap program
	Namespaces = "namespaces" // user namespaces made by ourselves; needs Init first in main
	Refused    = "refused"    // neither works: nothing is run
)

// Options of a Sandbox; the zero value works.
type Options struct {
	Hidden []string    // host paths that are never visible, even if below a visible one (the daemon's home)
	Rungs  []string    // the rungs to try, in order; default Bubblewrap, Namespaces
	Limits Limits      // used where a command sets none
	Max    int         // programs at a time, more wait; default 4
	Dial   dial        // opens what programs with a network ask their proxy for; nil: none has a network
	Log    *zap.Logger // default silent
}

// Limits of one run. Zero means the default.
type Limits struct {
	Time        time.Duration // wall clock, default 60 s
	MemoryBytes int64         // of all its processes together, default 1 GiB
	Processes   int           // at one time, default 128
	OutputBytes int           // shown of stdout, and of stderr, default 1 MiB each
	WholeBytes  int           // kept of either beside that, if it is longer, default 8 MiB each
	FileBytes   int64         // size of one file it writes, default 256 MiB
}

// Command is a program to run. Its environment is PATH, HOME, LANG and Env.
type Command struct {
	Argv    []string // a name is looked up in the fixed PATH
	Dir     string   // absolute host path of the only folder it may write; seen as Home
	Env     map[string]string
	Stdin   []byte
	Network bool // by a proxy for HTTP (port 80) and HTTPS (443) alone, over Options.Dial; refused with unavailable without that
	Limits  Limits

	// Begin is called when the program has its place, before it starts; an error of it is that of the run.
	Begin func() error

	proxy *os.File // where the socket of the proxy is handed out; nil without a network
}

// Output is what came of a run that was started.
type Output struct {
	Stdout, Stderr []byte
	Whole          Whole  // what Truncated leaves out, up to Limits.WholeBytes
	Truncated      bool   // one of them was longer than OutputBytes; its middle is left out
	ExitCode       int    // 128 + signal for a program that a signal ended, -1 if it was stopped
	TimedOut       bool   // stopped at Limits.Time
	Exceeded       string // the limit at which it was stopped: "memory" or "processes"
	Duration       time.Duration
}

// Whole is the output of a program that was longer than is shown. A part that was not is nil. Beyond the
// limit it is the beginning and the end too.
type Whole struct{ Stdout, Stderr []byte }

// Sandbox runs programs on the best rung of the ladder that this machine offers.
type Sandbox struct {
	opts   Options
	places chan struct{}

	mu     sync.Mutex
	chosen *rung
	why    string
	tried  time.Time
}

// New makes a sandbox. Nothing is tried before Level or Run is called.
func New(opts Options) *Sandbox {
	if opts.Log == nil {
		opts.Log = zap.NewNop()
	}
	if len(opts.Rungs) == 0 {
		opts.Rungs = []string{Bubblewrap, Namespaces}
	}
	return &Sandbox{opts: opts, places: make(chan struct{}, pick(opts.Max, 4))}
}

// Run runs a command to its end, as soon as there is a place for it, and stops all that it left running. A
// program that fails is no error: see Output. Errors: unavailable (no rung works), not_found (no such
// program), invalid_request, and the kind of ctx's end with the output so far.
func (s *Sandbox) Run(ctx context.Context, c Command) (Output, error) {
	if c.Network && s.opts.Dial == nil {
		return Output{}, akitad.Errorf(akitad.Unavailable, "sandbox: programs get no network here").WithHint("use the tools that fetch from the network instead")
	}
	if err := c.check(); err != nil {
		return Output{}, err
	}
	c.Limits = c.Limits.or(s.opts.Limits).or(defaults)
	r, err := s.rung()
	if err != nil {
		return Output{}, err
	}
	if err := s.enter(ctx); err != nil {
		return Output{ExitCode: -1}, err
	}
	defer func() { <-s.places }()
	if c.Begin != nil {
		if err := c.Begin(); err != nil {
			return Output{ExitCode: -1}, err
		}
	}
	out, err := s.run(ctx, r, c)
	if err != nil {
		return out, fmt.Errorf("sandbox (%s): %w", r.name, err)
	}
	return out, nil
}

// enter waits for a place.
func (s *Sandbox) enter(ctx context.Context) error {
	select {
	case s.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%d programs run already: %w", cap(s.places), ended(ctx))
	}
}

var defaults = Limits{Time: time.Minute, MemoryBytes: 1 << 30, Processes: 128, OutputBytes: 1 << 20, WholeBytes: 8 << 20, FileBytes: 256 << 20}

// or fills what is zero from d.
func (l Limits) or(d Limits) Limits {
	return Limits{
		Time: pick(l.Time, d.Time), MemoryBytes: pick(l.MemoryBytes, d.MemoryBytes), Processes: pick(l.Processes, d.Processes),
		OutputBytes: pick(l.OutputBytes, d.OutputBytes), WholeBytes: pick(l.WholeBytes, d.WholeBytes), FileBytes: pick(l.FileBytes, d.FileBytes),
	}
}

func pick[T int | int64 | time.Duration](v, d T) T {
	if v > 0 {
		return v
	}
	return d
}

func (c Command) check() error {
	switch {
	case len(c.Argv) == 0 || c.Argv[0] == "":
		return akitad.Errorf(akitad.InvalidRequest, "sandbox: no program named")
	case !filepath.IsAbs(c.Dir):
		return akitad.Errorf(akitad.InvalidRequest, "sandbox: the folder %q is not absolute", c.Dir)
	}
	if info, err := os.Lstat(c.Dir); err != nil || !info.IsDir() {
		return akitad.Errorf(akitad.InvalidRequest, "sandbox: %q is not a folder", c.Dir)
	}
	for name := range c.Env {
		if !validEnv(name) {
			return akitad.Errorf(akitad.InvalidRequest, "sandbox: %q cannot name a variable", name)
		}
	}
	return findProgram(c)
}

// ended returns ctx's end as an error of its kind.
func ended(ctx context.Context) error {
	kind := akitad.Cancelled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		kind = akitad.Timeout
	}
	return &akitad.Error{Kind: kind, Op: "run program", Err: context.Cause(ctx)}
}
