package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
	"github.com/akitad/akitad/internal/tool"
)

// Factory opens the tools of a new instance of a profile. shut, which may be nil, closes what they hold.
type Factory func(ctx context.Context, p akitad.Profile) (tools []tool.Tool, shut func(context.Context) error, err error)

// Options are the limits of a Pool. The zero value works.
type Options struct {
	Max        int           // maximum number of instances, default 256
	PerProfile int           // maximum number of instances of one profile, default 64
	Idle       time.Duration // how long an unused instance stays open, default 30 minutes
	Reap       time.Duration // how often idle instances are closed, default 60 seconds
	Log        *zap.Logger
}

// Pool lends instances of profiles to tasks. It is safe for concurrent use.
type Pool struct {
	open     Factory
	profiles *Profiles
	opts     Options

	mu     sync.Mutex
	live   map[string][]*Instance // all open instances, by profile
	idle   map[string][]*Instance // those that can be lent, most recently used last
	stats  map[string]*Stats
	serial map[string]int
	free   chan struct{} // closed and replaced whenever capacity may have come free
	closed bool
}

// Stats counts the instances and the tasks of one profile.
type Stats struct {
	Profile string  `json:"profile"`
	Opened  int     `json:"opened"`
	Reused  int     `json:"reused"`
	Busy    int     `json:"busy"`
	Idle    int     `json:"idle"`
	Closed  int     `json:"closed"`
	Done    int     `json:"done"`   // completed tasks
	Failed  int     `json:"failed"` // tasks that ended in an error, at a limit, or in a loop
	Success float64 `json:"success_rate"`
}

// New returns an empty pool.
func New(profiles *Profiles, open Factory, opts Options) *Pool {
	opts.Max = cmp.Or(opts.Max, 256)
	opts.PerProfile = cmp.Or(opts.PerProfile, 64)
	opts.Idle = cmp.Or(opts.Idle, 30*time.Minute)
	opts.Reap = cmp.Or(opts.Reap, time.Minute)
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	return &Pool{
		open: open, profiles: profiles, opts: opts, live: map[string][]*Instance{}, idle: map[string][]*Instance{},
		stats: map[string]*Stats{}, serial: map[string]int{}, free: make(chan struct{}),
	}
}

// ErrFull says that no instance is idle and no further one may be opened.
var ErrFull = errors.New("the pool is full")

// Acquire lends an instance of the profile: an idle one, preferably the one that served this session last, else a new
// one within the limits. It does not wait: with none to lend it returns ErrFull, after which WaitFree says when to ask
// again. An unknown profile is of kind not_found, a closed pool of kind unavailable. The caller must Release the
// instance.
func (p *Pool) Acquire(ctx context.Context, profile string, session akitad.SessionKey) (*Instance, error) {
	prof, err := p.profiles.Find(profile)
	if err != nil {
		return nil, err
	}
	i, stale, err := p.reserve(prof, session)
	p.closeAll(ctx, stale)
	if err != nil || i.opened {
		return i, err
	}
	// Opened outside of the lock: a slow factory must not stall other profiles.
	i.Tools, i.shut, err = p.open(ctx, prof)
	if err != nil {
		p.drop(i)
		return nil, fmt.Errorf("open an agent of %s: %w", profile, err)
	}
	i.opened = true
	return i, nil
}

// reserve takes an idle instance, or registers a new one, which has no tools yet. It also returns the
// instances that must be closed first: outdated ones, or one of another profile.
func (p *Pool) reserve(prof akitad.Profile, session akitad.SessionKey) (i *Instance, stale []*Instance, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, nil, akitad.Errorf(akitad.Unavailable, "the pool is closed")
	}
	stale = p.takeOutdated(prof)
	st := p.stat(prof.Name)
	if i = p.takeIdle(prof.Name, session); i != nil {
		st.Reused++
	} else {
		if !p.roomFor(prof.Name) {
			other := p.evict(prof.Name)
			if other == nil {
				return nil, stale, ErrFull
			}
			stale = append(stale, other)
		}
		p.serial[prof.Name]++
		st.Opened++
		i = &Instance{ID: fmt.Sprintf("%s-%d", prof.Name, p.serial[prof.Name]), Profile: prof}
		p.live[prof.Name] = append(p.live[prof.Name], i)
	}
	i.uses++
	i.lastFor = session
	st.Busy++
	return i, stale, nil
}

// roomFor reports whether another instance of the profile may be opened.
func (p *Pool) roomFor(profile string) bool {
	return p.total() < p.opts.Max && len(p.live[profile]) < p.opts.PerProfile
}

func (p *Pool) total() int {
	n := 0
	for _, l := range p.live {
		n += len(l)
	}
	return n
}

// takeIdle prefers the instance that served the session last, else the one used most recently.
func (p *Pool) takeIdle(profile string, session akitad.SessionKey) *Instance {
	idle := p.idle[profile]
	if len(idle) == 0 {
		return nil
	}
	at := len(idle) - 1
	if session != "" {
		if own := slices.IndexFunc(idle, func(i *Instance) bool { return i.lastFor == session }); own >= 0 {
			at = own
		}
	}
	i := idle[at]
	p.idle[profile] = slices.Delete(idle, at, at+1)
	return i
}

// takeOutdated removes and returns idle instances of an older version of the profile's file.
func (p *Pool) takeOutdated(prof akitad.Profile) []*Instance {
	var out []*Instance
	for _, i := range slices.Clone(p.idle[prof.Name]) {
		if i.Profile.Hash != prof.Hash {
			p.forget(i)
			out = append(out, i)
		}
	}
	return out
}

// evict removes and returns the longest idle instance of another profile, if the limit on all instances is
// what prevents a new one.
func (p *Pool) evict(profile string) *Instance {
	if len(p.live[profile]) >= p.opts.PerProfile {
		return nil
	}
	var oldest *Instance
	for _, idle := range p.idle {
		if len(idle) > 0 && (oldest == nil || idle[0].lastUsed.Before(oldest.lastUsed)) {
			oldest = idle[0]
		}
	}
	if oldest != nil {
		p.forget(oldest)
	}
	return oldest
}

// forget removes an instance from the pool's lists. The caller holds mu.
func (p *Pool) forget(i *Instance) {
	name := i.Profile.Name
	is := func(x *Instance) bool { return x == i }
	p.idle[name] = slices.DeleteFunc(p.idle[name], is)
	p.live[name] = slices.DeleteFunc(p.live[name], is)
	p.stat(name).Closed++
	p.announce()
}

// drop removes an instance whose factory failed.
func (p *Pool) drop(i *Instance) {
	p.mu.Lock()
	defer p.mu.Unlock()
	st := p.stat(i.Profile.Name)
	st.Busy--
	st.Opened--
	st.Closed--
	p.forget(i)
}

// Release takes an instance back and resets it. An instance that cannot be reset, or that the pool may no
// longer keep, is closed.
func (p *Pool) Release(ctx context.Context, i *Instance) {
	err := i.reset()
	p.mu.Lock()
	p.stat(i.Profile.Name).Busy--
	keep := err == nil && !p.closed && p.total() <= p.opts.Max
	if keep {
		i.lastUsed = time.Now()
		p.idle[i.Profile.Name] = append(p.idle[i.Profile.Name], i)
		p.announce()
	} else {
		p.forget(i)
	}
	p.mu.Unlock()
	if err != nil {
		p.opts.Log.Warn("instance could not be reset and is closed", zap.String("instance", i.ID), zap.Error(err))
	}
	if !keep {
		p.closeAll(ctx, []*Instance{i})
	}
}

// announce tells waiters that capacity may have come free. The caller holds mu.
func (p *Pool) announce() {
	close(p.free)
	p.free = make(chan struct{})
}

// WaitFree waits until an instance of the profile can be lent, or returns ctx's cause.
func (p *Pool) WaitFree(ctx context.Context, profile string) error {
	for {
		p.mu.Lock()
		ok, changed := p.couldLend(profile), p.free
		p.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (p *Pool) couldLend(profile string) bool {
	if len(p.idle[profile]) > 0 || p.roomFor(profile) {
		return true
	}
	if len(p.live[profile]) >= p.opts.PerProfile {
		return false
	}
	for _, idle := range p.idle {
		if len(idle) > 0 {
			return true
		}
	}
	return false
}

// Settled counts the end of a task for the profile's success rate.
func (p *Pool) Settled(profile string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if st := p.stat(profile); ok {
		st.Done++
	} else {
		st.Failed++
	}
}

func (p *Pool) stat(profile string) *Stats {
	st := p.stats[profile]
	if st == nil {
		st = &Stats{Profile: profile}
		p.stats[profile] = st
	}
	return st
}

// Stats returns the counts of every profile that was used, sorted by name.
func (p *Pool) Stats() []Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Stats, 0, len(p.stats))
	for name, st := range p.stats {
		s := *st
		s.Idle = len(p.idle[name])
		if n := s.Done + s.Failed; n > 0 {
			s.Success = float64(s.Done) / float64(n)
		}
		out = append(out, s)
	}
	sorting.By(out, func(a, b Stats) int { return cmp.Compare(a.Profile, b.Profile) })
	return out
}

// Run closes instances that have been idle for Options.Idle, until ctx ends. It does not touch busy
// instances; Close closes the remaining ones.
func (p *Pool) Run(ctx context.Context) error {
	tick := time.NewTicker(p.opts.Reap)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.closeAll(ctx, p.takeIdleSince(time.Now().Add(-p.opts.Idle)))
		case <-ctx.Done():
			return nil
		}
	}
}

// Close closes every idle instance. Busy ones are closed when they are released.
func (p *Pool) Close(ctx context.Context) error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	return p.closeAll(ctx, p.takeIdleSince(time.Now().Add(time.Hour)))
}

func (p *Pool) takeIdleSince(before time.Time) []*Instance {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*Instance
	for _, idle := range p.idle {
		for _, i := range idle {
			if i.lastUsed.Before(before) {
				out = append(out, i)
			}
		}
	}
	for _, i := range out {
		p.forget(i)
	}
	return out
}

func (p *Pool) closeAll(ctx context.Context, instances []*Instance) error {
	var errs []error
	for _, i := range instances {
		if err := i.close(ctx); err != nil {
			p.opts.Log.Warn("instance not closed cleanly", zap.String("instance", i.ID), zap.Error(err))
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
