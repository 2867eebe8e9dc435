package llm

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/tracing"
	"go.uber.org/zap"
)

// The strategies beside the names of the endpoints.
const (
	StrategyAuto    = "auto"    // endpoints in role order, then what is remembered, then the offline engine
	StrategyMemory  = "memory"  // what is remembered alone
	StrategyOffline = "offline" // the offline engine alone
	StrategyHold    = "hold"    // nobody: every request waits with its caller
)

// What happens to a request that no endpoint can answer.
const (
	OfflineAnswer = "answer" // the offline engine answers what it serves
	OfflineHold   = "hold"   // it does not; the caller holds the request
)

// RouterOptions are what a Router can do without.
type RouterOptions struct {
	Policy  fallback.Policy  // tries and backoff at one endpoint
	Health  *fallback.Ledger // default: in memory
	Offline string           // OfflineAnswer (default) or OfflineHold
	Ceiling time.Duration    // longest one attempt may take, streaming included; default 10 minutes
	Tracer  *tracing.Tracer
	Log     *zap.Logger
	Now     func() time.Time
	Random  func() float64 // in [0, 1), for backoff

	// Owner is told when an endpoint refuses its key: at once, then not again until it has worked
	// or an hour has passed. It must not block.
	Owner func(ctx context.Context, endpoint string, err error)
}

// Router is a Provider that serves each role by its endpoints in order: it tries again, goes on to
// the next, leaves sick ones alone, and ends with the offline engine. It is safe for use by many
// goroutines.
type Router struct {
	byName  map[string]*endpoint
	order   []*endpoint // as given
	roles   map[Role][]*endpoint
	memory  *endpoint // nil if there is none
	offline *endpoint // nil if there is none
	opts    RouterOptions

	mu       sync.Mutex
	strategy string
	told     map[string]time.Time // endpoint -> when the owner was last told
}

// NewRouter makes a router. A role that is not in roles is served like RoleMain, and RoleMain, if it
// is not there, by all endpoints in the order given. An offline endpoint comes last for every role,
// whether it is named or not.
func NewRouter(endpoints []Endpoint, roles map[Role][]string, opts RouterOptions) (*Router, error) {
	r := &Router{
		byName: map[string]*endpoint{}, roles: map[Role][]*endpoint{}, told: map[string]time.Time{},
		strategy: StrategyAuto, opts: opts.withDefaults(),
	}
	for _, e := range endpoints {
		if err := r.add(e); err != nil {
			return nil, err
		}
	}
	if len(r.order) == 0 && r.offline == nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "there is no endpoint").WithHint("configure one, or add the offline engine")
	}
	for _, role := range slices.Sorted(maps.Keys(roles)) {
		if err := r.assign(role, roles[role]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (o RouterOptions) withDefaults() RouterOptions {
	if o.Health == nil {
		o.Health = fallback.NewLedger(nil, fallback.Rules{})
	}
	if o.Ceiling <= 0 {
		o.Ceiling = 10 * time.Minute
	}
	if o.Offline == "" {
		o.Offline = OfflineAnswer
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.Owner == nil {
		o.Owner = func(context.Context, string, error) {}
	}
	return o
}

func (r *Router) add(given Endpoint) error {
	e, err := newEndpoint(given)
	if err != nil {
		return err
	}
	if r.byName[e.Name] != nil {
		return akitad.Errorf(akitad.InvalidRequest, "endpoint %s is given twice", e.Name)
	}
	r.byName[e.Name] = e
	switch {
	case !e.Offline:
		r.order = append(r.order, e)
	case e.Memory:
		r.memory = e
	case r.offline == nil:
		r.offline = e
	default:
		return akitad.Errorf(akitad.InvalidRequest, "there are two offline engines: %s and %s", r.offline.Name, e.Name)
	}
	return nil
}

func (r *Router) assign(role Role, names []string) error {
	if len(names) == 0 {
		return akitad.Errorf(akitad.InvalidRequest, "role %s has no endpoint", role).WithHint("name one, or leave the role out")
	}
	list := make([]*endpoint, 0, len(names))
	for _, name := range names {
		e := r.byName[name]
		if e == nil {
			return akitad.Errorf(akitad.InvalidRequest, "role %s names an unknown endpoint %q", role, name).
				WithHint("known endpoints: " + strings.Join(slices.Sorted(maps.Keys(r.byName)), ", "))
		}
		if !e.Offline && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	r.roles[role] = list
	return nil
}

// serving gives the endpoints of a role in order, without the offline engine.
func (r *Router) serving(role Role) []*endpoint {
	if list, ok := r.roles[role]; ok {
		return list
	}
	if list, ok := r.roles[RoleMain]; ok {
		return list
	}
	return r.order
}

// First gives the endpoint that is the role's first choice, for its window and output limit.
func (r *Router) First(role Role) Endpoint {
	if list := r.serving(role); len(list) > 0 {
		return list[0].Endpoint
	}
	if r.offline != nil {
		return r.offline.Endpoint
	}
	return Endpoint{}
}

// Limits are what the models of a role take, as far as it is known.
type Limits struct {
	Endpoint  string // the role's first choice
	Window    int    // tokens of input and output together, of the smallest; 0 if none is known
	MaxOutput int    // tokens of a reply, of the smallest; 0 if none is known
}

// Limits gives what a request may have whichever of the endpoints that it is for answers. The offline
// engine takes anything.
func (r *Router) Limits(req Request) Limits {
	l := Limits{Endpoint: r.Leads(req).Name}
	for _, e := range r.chosen(req) {
		l.Window, l.MaxOutput = least(l.Window, e.Window), least(l.MaxOutput, e.MaxOutput)
	}
	return l
}

// least gives the smaller one of two numbers of which 0 means unknown.
func least(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// Strategy gives the strategy in force.
func (r *Router) Strategy() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.strategy
}

// Strategies lists what SetStrategy takes.
func (r *Router) Strategies() []string {
	names := []string{StrategyAuto}
	if r.memory != nil {
		names = append(names, StrategyMemory)
	}
	if r.offline != nil {
		names = append(names, StrategyOffline)
	}
	names = append(names, StrategyHold)
	for _, e := range r.order {
		names = append(names, e.Name)
	}
	return names
}

// SetStrategy forces a strategy for every request from now on: StrategyAuto, StrategyMemory, StrategyOffline,
// StrategyHold, or the name of one endpoint, which then is tried alone. An unknown one is an error and changes nothing.
func (r *Router) SetStrategy(name string) error {
	if known := r.Strategies(); !slices.Contains(known, name) {
		return akitad.Errorf(akitad.InvalidRequest, "unknown strategy %q", name).
			WithHint("known strategies: " + strings.Join(known, ", "))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.strategy = name
	return nil
}

// Status is how an endpoint stands.
type Status struct {
	Endpoint
	InFlight int
	Health   fallback.Health
	Tally    Tally
}

// Status gives every endpoint, in the order given, the offline engine last.
func (r *Router) Status(ctx context.Context) ([]Status, error) {
	all := slices.Clone(r.order)
	if r.offline != nil {
		all = append(all, r.offline)
	}
	out := make([]Status, 0, len(all))
	for _, e := range all {
		h, err := r.opts.Health.Health(ctx, healthName(e))
		if err != nil {
			return nil, fmt.Errorf("endpoint status: %w", err)
		}
		out = append(out, Status{Endpoint: e.Endpoint, InFlight: len(e.slots), Health: h, Tally: e.tally.now()})
	}
	return out, nil
}

func healthName(e *endpoint) string { return "endpoint." + e.Name }
