package llm_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/tracing"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// kinds makes a provider that fails with the kinds in turn; "" answers, and the last one stays.
func kinds(list ...akitad.Kind) llm.Provider { return &failing{kinds: list} }

type failing struct {
	kinds []akitad.Kind
	calls atomic.Int64
	after time.Duration
}

func (f *failing) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	n := int(f.calls.Add(1)) - 1
	kind := f.kinds[min(n, len(f.kinds)-1)]
	if kind == "" {
		return llm.Reply{Text: "answer", Usage: akitad.Usage{Input: 1000, Cached: 400, Output: 100, Calls: 1}}, nil
	}
	return llm.Reply{}, &akitad.Error{Kind: kind, Op: "ask", Err: &llm.ServerError{Message: "no", RetryAfter: f.after}}
}

func endpoint(name string, p llm.Provider) llm.Endpoint {
	return llm.Endpoint{Name: name, Protocol: "test", Model: "m-" + name, Provider: p}
}

func offline(serves bool) llm.Endpoint {
	e := endpoint("offline", kinds(""))
	e.Offline, e.Serves = true, func(llm.Request) bool { return serves }
	return e
}

func router(t *testing.T, opts llm.RouterOptions, endpoints ...llm.Endpoint) *llm.Router {
	t.Helper()
	r, err := llm.NewRouter(endpoints, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var main = llm.Request{Role: llm.RoleMain, Messages: []llm.Message{{Speaker: llm.User, Text: "hi"}}}

// inBubble runs f where waiting takes no time.
func inBubble(t *testing.T, f func(t *testing.T)) { t.Helper(); synctest.Test(t, f) }

func TestRoutes(t *testing.T) {
	const (
		bad  = akitad.Overloaded
		auth = akitad.Auth
	)
	for _, tt := range []struct {
		name     string
		a, b     []akitad.Kind // nil: there is no such endpoint
		off      *bool         // the offline engine and whether it serves the request; nil: none
		hold     bool
		endpoint string // "" means all failed
		kind     akitad.Kind
		calls    int
		degraded string // "layer from>to kind; ..."
	}{
		{name: "first time", a: []akitad.Kind{""}, b: []akitad.Kind{""}, endpoint: "a", calls: 1},
		{name: "twice 503, then it works", a: []akitad.Kind{bad, bad, ""}, b: []akitad.Kind{""}, endpoint: "a", calls: 3},
		{name: "503 for ever", a: []akitad.Kind{bad}, b: []akitad.Kind{""}, endpoint: "b", calls: 4, degraded: "endpoint a>b overloaded"},
		{name: "401 is not retried", a: []akitad.Kind{auth}, b: []akitad.Kind{""}, endpoint: "b", calls: 2, degraded: "endpoint a>b auth"},
		{name: "refused request", a: []akitad.Kind{akitad.InvalidRequest}, b: []akitad.Kind{""}, endpoint: "b", calls: 2, degraded: "endpoint a>b invalid_request"},
		{name: "filtered", a: []akitad.Kind{akitad.ContentFiltered}, b: []akitad.Kind{""}, endpoint: "b", calls: 2, degraded: "endpoint a>b content_filtered"},
		{name: "quota", a: []akitad.Kind{akitad.Quota}, b: []akitad.Kind{""}, endpoint: "b", calls: 2, degraded: "endpoint a>b quota"},
		{name: "no such model", a: []akitad.Kind{akitad.NotFound}, b: []akitad.Kind{""}, endpoint: "b", calls: 2, degraded: "endpoint a>b not_found"},
		{name: "slow for ever", a: []akitad.Kind{akitad.Timeout}, b: []akitad.Kind{""}, endpoint: "b", calls: 4, degraded: "endpoint a>b timeout"},
		{name: "cut off for ever", a: []akitad.Kind{akitad.Transport}, b: []akitad.Kind{""}, endpoint: "b", calls: 4, degraded: "endpoint a>b transport"},
		{name: "too many for ever", a: []akitad.Kind{akitad.RateLimited}, b: []akitad.Kind{""}, endpoint: "b", calls: 4, degraded: "endpoint a>b rate_limited"},
		{name: "over budget ends", a: []akitad.Kind{akitad.OverBudget}, b: []akitad.Kind{""}, kind: akitad.OverBudget, calls: 1},
		{name: "unknown once", a: []akitad.Kind{akitad.Unknown, ""}, b: []akitad.Kind{""}, endpoint: "a", calls: 2},
		{name: "unknown and then known", a: []akitad.Kind{akitad.Unknown, auth}, b: []akitad.Kind{""}, endpoint: "b", calls: 3, degraded: "endpoint a>b auth"},
		{name: "unknown", a: []akitad.Kind{akitad.Unknown, akitad.Unknown}, b: []akitad.Kind{""}, endpoint: "b", calls: 3, degraded: "endpoint a>b unknown"},
		{name: "a provider that says cancelled", a: []akitad.Kind{akitad.Cancelled}, b: []akitad.Kind{""}, endpoint: "b", calls: 4, degraded: "endpoint a>b transport"},
		{name: "overflow goes back", a: []akitad.Kind{akitad.ContextOverflow}, b: []akitad.Kind{""}, kind: akitad.ContextOverflow, calls: 1},
		{name: "both fail", a: []akitad.Kind{bad}, b: []akitad.Kind{auth}, kind: akitad.AllFailed, calls: 4},
		{name: "offline stands in", a: []akitad.Kind{bad}, b: []akitad.Kind{auth}, off: new(true), endpoint: "offline", calls: 5, degraded: "endpoint a>b overloaded; strategy b>offline auth"},
		{name: "offline cannot", a: []akitad.Kind{bad}, off: new(false), kind: akitad.AllFailed, calls: 3},
		{name: "offline may not", a: []akitad.Kind{bad}, off: new(true), hold: true, kind: akitad.AllFailed, calls: 3},
		{name: "offline alone", off: new(false), endpoint: "offline", calls: 1},
		{name: "offline alone and held", off: new(false), hold: true, endpoint: "offline", calls: 1},
		{name: "offline not needed", a: []akitad.Kind{""}, off: new(true), endpoint: "a", calls: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var list []llm.Endpoint
				if tt.a != nil {
					list = append(list, endpoint("a", kinds(tt.a...)))
				}
				if tt.b != nil {
					list = append(list, endpoint("b", kinds(tt.b...)))
				}
				if tt.off != nil {
					list = append(list, offline(*tt.off))
				}
				opts := llm.RouterOptions{}
				if tt.hold {
					opts.Offline = llm.OfflineHold
				}
				reply, err := router(t, opts, list...).Generate(t.Context(), main)
				if akitad.KindOf(err) != tt.kind || reply.Endpoint != tt.endpoint || degradedText(reply) != tt.degraded {
					t.Fatalf("endpoint %q, degraded %q, %v", reply.Endpoint, degradedText(reply), err)
				}
				if calls := made(list); calls != tt.calls {
					t.Errorf("%d calls, want %d", calls, tt.calls)
				}
				if err == nil && (reply.Usage.Calls != tt.calls || reply.Model != "m-"+tt.endpoint) {
					t.Errorf("usage %+v, model %q", reply.Usage, reply.Model)
				}
			})
		})
	}
}

// An endpoint to be avoided is asked when no other answers, and whoever reads the answer is told.
func TestAvoid(t *testing.T) {
	well, sick := []akitad.Kind{""}, []akitad.Kind{akitad.Auth}
	for _, tt := range []struct {
		name, avoid, endpoint, degraded string
		a, b                            []akitad.Kind
	}{
		{"the other one answers", "a", "b", "endpoint a>b loop", well, well},
		{"the other one cannot", "a", "a", "", well, sick},
		{"it comes last anyway", "b", "a", "", well, well},
		{"there is none of that name", "c", "a", "", well, well},
	} {
		req := main
		req.Avoid = tt.avoid
		reply, err := router(t, llm.RouterOptions{}, endpoint("a", kinds(tt.a...)), endpoint("b", kinds(tt.b...))).Generate(t.Context(), req)
		if err != nil || reply.Endpoint != tt.endpoint || degradedText(reply) != tt.degraded {
			t.Errorf("%s: endpoint %q, degraded %q, %v", tt.name, reply.Endpoint, degradedText(reply), err)
		}
	}
	req := main
	req.Avoid = "a"
	if reply, err := router(t, llm.RouterOptions{}, endpoint("a", kinds(""))).Generate(t.Context(), req); err != nil || reply.Endpoint != "a" {
		t.Errorf("alone: %q, %v", reply.Endpoint, err)
	}
}

func made(list []llm.Endpoint) (n int) {
	for _, e := range list {
		n += int(e.Provider.(*failing).calls.Load())
	}
	return n
}

func degradedText(r llm.Reply) string {
	var parts []string
	for _, d := range r.Degraded {
		parts = append(parts, fmt.Sprintf("%s %s>%s %s", d.Layer, d.From, d.To, d.Kind))
	}
	return strings.Join(parts, "; ")
}

func TestAllFailedNamesEverything(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		_, err := router(t, llm.RouterOptions{}, endpoint("a", kinds(akitad.Overloaded)), endpoint("b", kinds(akitad.Auth))).Generate(t.Context(), main)
		failed, ok := errors.AsType[*llm.AllFailed](err)
		if !ok {
			t.Fatalf("no AllFailed in %v", err)
		}
		if want := "ask a model: no endpoint could answer: a (3 tries): overloaded: ask: no; b (1 try): auth: ask: no"; err.Error() != want {
			t.Errorf("got  %s\nwant %s", err, want)
		}
		if !failed.Temporary() || failed.Common() != akitad.AllFailed || failed.Role != llm.RoleMain {
			t.Errorf("temporary %v, common %s", failed.Temporary(), failed.Common())
		}
		_, err = router(t, llm.RouterOptions{}, endpoint("b", kinds(akitad.Auth))).Generate(t.Context(), main)
		failed, _ = errors.AsType[*llm.AllFailed](err)
		if failed.Temporary() || failed.Common() != akitad.Auth || akitad.FailureOf(err).Hint == "" {
			t.Errorf("%v: temporary %v, common %s", err, failed.Temporary(), failed.Common())
		}
	})
}

func TestBackoffAndRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after time.Duration
		next  []llm.Endpoint // after the one that asks
		waits time.Duration
		calls int64
		err   bool
	}{
		{"half of 1 s, half of 2 s", 0, nil, 1500 * time.Millisecond, 3, true},
		{"as the server asks", 50 * time.Second, nil, 100 * time.Second, 3, true},
		{"not as long as it asks", 10 * time.Minute, nil, 0, 1, true},
		{"as it asks, though there is another", 20 * time.Second, []llm.Endpoint{endpoint("b", kinds(""))}, 40 * time.Second, 3, false},
		{"longer than the cap: the other", 50 * time.Second, []llm.Endpoint{endpoint("b", kinds(""))}, 0, 1, false},
		{"longer than the cap: the offline engine is not worth it", 50 * time.Second, []llm.Endpoint{offline(true)}, 100 * time.Second, 3, false},
	} {
		inBubble(t, func(t *testing.T) {
			p := &failing{kinds: []akitad.Kind{akitad.RateLimited}, after: tt.after}
			start := time.Now()
			_, err := router(t, llm.RouterOptions{Random: func() float64 { return 0.5 }}, append([]llm.Endpoint{endpoint("a", p)}, tt.next...)...).Generate(t.Context(), main)
			if took := time.Since(start); took != tt.waits || p.calls.Load() != tt.calls || (err != nil) != tt.err {
				t.Errorf("%s: took %v with %d calls, want %v with %d", tt.name, took, p.calls.Load(), tt.waits, tt.calls)
			}
		})
	}
}

func TestCancelEndsABackoff(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(100*time.Millisecond, func() { cancel(errors.New("the person said stop")) })
		p := &failing{kinds: []akitad.Kind{akitad.RateLimited}, after: 20 * time.Second}
		_, err := router(t, llm.RouterOptions{}, endpoint("a", p), endpoint("b", kinds(""))).Generate(ctx, main)
		if akitad.KindOf(err) != akitad.Cancelled || !strings.Contains(err.Error(), "the person said stop") {
			t.Errorf("got %v", err)
		}
	})
}

func TestADeadlineOfTheCallerIsNobodysFault(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ledger := fallback.NewLedger(nil, fallback.Rules{})
		_, err := router(t, llm.RouterOptions{Health: ledger}, endpoint("a", hanging{}), endpoint("b", kinds(""))).Generate(ctx, main)
		if akitad.KindOf(err) != akitad.Timeout {
			t.Errorf("got %v", err)
		}
		if h, _ := ledger.Health(t.Context(), "endpoint.a"); !h.Clean() {
			t.Errorf("health %+v", h)
		}
	})
}

// hanging never answers.
type hanging struct{}

func (hanging) Generate(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	<-ctx.Done()
	return llm.Reply{}, ctx.Err()
}

func TestAHangFailsOver(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		start := time.Now()
		r := router(t, llm.RouterOptions{Ceiling: time.Minute, Policy: fallback.Policy{Tries: 1}}, endpoint("a", hanging{}), endpoint("b", kinds("")))
		reply, err := r.Generate(t.Context(), main)
		if err != nil || degradedText(reply) != "endpoint a>b timeout" || time.Since(start) != time.Minute {
			t.Errorf("after %v: %q, %v", time.Since(start), degradedText(reply), err)
		}
	})
}

func TestDegradedEndpointsComeLastUntilAProbeSucceeds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := &failing{kinds: []akitad.Kind{akitad.Overloaded}}
		r := router(t, llm.RouterOptions{Policy: fallback.Policy{Base: time.Nanosecond}}, endpoint("a", a), endpoint("b", kinds("")))
		ask := func(wantCalls int64, wantDegraded string) {
			t.Helper()
			before := a.calls.Load()
			reply, err := r.Generate(t.Context(), main)
			if got := a.calls.Load() - before; err != nil || got != wantCalls || degradedText(reply) != wantDegraded {
				t.Errorf("%d calls of a, degraded %q, %v; want %d, %q", got, degradedText(reply), err, wantCalls, wantDegraded)
			}
		}
		const over = "endpoint a>b overloaded"
		for range 3 {
			ask(3, over) // three requests fail at a, three tries each
		}
		ask(0, over) // degraded: passed over, and said so
		time.Sleep(30 * time.Second)
		ask(1, over) // one probe, no retries
		ask(0, over)
		time.Sleep(59 * time.Second)
		ask(0, over)
		time.Sleep(time.Second)
		a.kinds = []akitad.Kind{""}
		ask(1, "") // the probe succeeds
		ask(1, "") // and heals
	})
}

func TestAllDegradedIsStillTried(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		a := &failing{kinds: []akitad.Kind{akitad.Transport}}
		r := router(t, llm.RouterOptions{}, endpoint("a", a))
		for range 4 {
			if _, err := r.Generate(t.Context(), main); akitad.KindOf(err) != akitad.AllFailed {
				t.Fatal(err)
			}
		}
		if got := a.calls.Load(); got != 10 {
			t.Errorf("%d calls, want 3 x 3, then one", got)
		}
		a.kinds = []akitad.Kind{""}
		if reply, err := r.Generate(t.Context(), main); err != nil || len(reply.Degraded) > 0 {
			t.Errorf("%+v, %v", reply.Degraded, err)
		}
	})
}

func TestTheRequestsFaultIsNotTheEndpoints(t *testing.T) {
	ledger := fallback.NewLedger(nil, fallback.Rules{})
	r := router(t, llm.RouterOptions{Health: ledger}, endpoint("a", kinds(akitad.InvalidRequest, akitad.ContentFiltered, akitad.ContextOverflow)))
	for range 3 {
		_, _ = r.Generate(t.Context(), main)
	}
	if h, _ := ledger.Health(t.Context(), "endpoint.a"); !h.Clean() {
		t.Errorf("health %+v", h)
	}
}

func TestOwnerIsToldOfARefusedKeyOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var told []string
		a := &failing{kinds: []akitad.Kind{akitad.Auth}}
		r := router(t, llm.RouterOptions{Owner: func(_ context.Context, name string, err error) {
			told = append(told, name+" "+string(akitad.KindOf(err)))
		}}, endpoint("a", a), endpoint("b", kinds("")))
		for range 2 {
			_, _ = r.Generate(t.Context(), main)
		}
		if want := []string{"a auth"}; !reflect.DeepEqual(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
		time.Sleep(time.Hour)
		_, _ = r.Generate(t.Context(), main)
		if len(told) != 2 {
			t.Errorf("told %q after an hour", told)
		}
	})
}

func TestStrategies(t *testing.T) {
	a, b := endpoint("a", kinds("")), endpoint("b", kinds(""))
	r := router(t, llm.RouterOptions{Offline: llm.OfflineHold}, a, b, offline(false))
	for _, tt := range []struct{ set, endpoint, degraded string }{
		{"auto", "a", ""},
		{"offline", "offline", "endpoint a>b unavailable; strategy b>offline unavailable"},
		{"b", "b", "endpoint a>b unavailable"},
		{"a", "a", ""},
		{"auto", "a", ""},
	} {
		if err := r.SetStrategy(tt.set); err != nil {
			t.Fatal(err)
		}
		reply, err := r.Generate(t.Context(), main)
		if err != nil || reply.Endpoint != tt.endpoint || degradedText(reply) != tt.degraded || r.Strategy() != tt.set {
			t.Errorf("%s: endpoint %q, degraded %q, %v", tt.set, reply.Endpoint, degradedText(reply), err)
		}
	}
	if err := r.SetStrategy("c"); akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(akitad.FailureOf(err).Hint, "auto, offline, hold, a, b") {
		t.Errorf("unknown strategy: %v", err)
	}
	if err := r.SetStrategy("hold"); err != nil {
		t.Fatal(err)
	}
	_, err := r.Generate(t.Context(), main)
	if all, ok := errors.AsType[*llm.AllFailed](err); !ok || !all.Temporary() || len(all.Tried) != 3 || all.Tried[0].Tries != 0 || !strings.Contains(err.Error(), "strategy hold is set") {
		t.Errorf("held: %v", err)
	}
	req := main
	req.Offline = true
	if reply, err := r.Generate(t.Context(), req); err != nil || reply.Endpoint != "offline" || len(reply.Degraded) > 0 {
		t.Errorf("asked for offline: %+v, %v", reply, err)
	}
}

// What is remembered comes before the offline engine, also where that may not answer, and can be forced.
func TestMemoryAsAStrategy(t *testing.T) {
	remembers := endpoint("memory", kinds(""))
	remembers.Offline, remembers.Memory = true, true
	remembers.Serves = func(req llm.Request) bool { return req.Messages[0].Text == "mine?" }
	mine := llm.Request{Role: llm.RoleMain, Messages: []llm.Message{{Speaker: llm.User, Text: "mine?"}}}
	for _, tt := range []struct {
		name, set, offline string
		a                  akitad.Kind
		req                llm.Request
		endpoint, degraded string
	}{
		{"an endpoint answers", "auto", "answer", "", mine, "a", ""},
		{"memory before the offline engine", "auto", "answer", akitad.Auth, mine, "memory", "strategy a>memory auth"},
		{"memory where the engine may not", "auto", "hold", akitad.Auth, mine, "memory", "strategy a>memory auth"},
		{"memory does not hold it", "auto", "answer", akitad.Auth, main, "offline", "strategy a>offline auth"},
		{"held", "auto", "hold", akitad.Auth, main, "", ""},
		{"forced", "memory", "hold", "", mine, "memory", "strategy a>memory unavailable"},
		{"forced, and it does not hold it", "memory", "answer", "", main, "memory", "strategy a>memory unavailable"},
		{"forced, another role", "memory", "answer", "", llm.Request{Role: llm.RolePlanner, Messages: mine.Messages}, "offline", "strategy a>offline unavailable"},
		{"asked for offline", "memory", "answer", "", llm.Request{Role: llm.RoleMain, Offline: true, Messages: mine.Messages}, "offline", ""},
	} {
		r := router(t, llm.RouterOptions{Offline: tt.offline}, endpoint("a", kinds(tt.a)), remembers, offline(true))
		if err := r.SetStrategy(tt.set); err != nil {
			t.Fatal(err)
		}
		reply, err := r.Generate(t.Context(), tt.req)
		if reply.Endpoint != tt.endpoint || degradedText(reply) != tt.degraded || (err != nil) != (tt.endpoint == "") {
			t.Errorf("%s: %q, degraded %q, %v", tt.name, reply.Endpoint, degradedText(reply), err)
		}
	}
	r := router(t, llm.RouterOptions{}, endpoint("a", kinds("")))
	if err := r.SetStrategy("memory"); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("there is no memory: %v", err)
	}
}

func TestRolesAndCost(t *testing.T) {
	a, b := endpoint("a", kinds("")), endpoint("b", kinds(""))
	b.Price, b.Window = llm.Price{Input: 10, Cached: 1, Output: 30}, 1000
	r, err := llm.NewRouter([]llm.Endpoint{a, b}, map[llm.Role][]string{llm.RoleMain: {"a"}, llm.RolePlanner: {"b", "a"}}, llm.RouterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for role, want := range map[llm.Role]string{llm.RoleMain: "a", llm.RolePlanner: "b", llm.RoleJudge: "a"} {
		reply, err := r.Generate(t.Context(), llm.Request{Role: role})
		if err != nil || reply.Endpoint != want || r.First(role).Name != want {
			t.Errorf("%s: %q, %v; want %q", role, reply.Endpoint, err, want)
		}
	}
	reply, _ := r.Generate(t.Context(), llm.Request{Role: llm.RolePlanner})
	if want := (600*10 + 400*1 + 100*30) / 1e6; reply.Usage.Cost != want {
		t.Errorf("cost %v, want %v", reply.Usage.Cost, want)
	}
}

func TestBadEndpoints(t *testing.T) {
	good := endpoint("a", kinds(""))
	for name, tt := range map[string]struct {
		list  []llm.Endpoint
		roles map[llm.Role][]string
	}{
		"none":         {},
		"twice":        {list: []llm.Endpoint{good, good}},
		"bad name":     {list: []llm.Endpoint{endpoint("A b", kinds(""))}},
		"no provider":  {list: []llm.Endpoint{endpoint("a", nil)}},
		"two offline":  {list: []llm.Endpoint{offline(true), {Name: "other", Provider: kinds(""), Offline: true}}},
		"unknown name": {list: []llm.Endpoint{good}, roles: map[llm.Role][]string{llm.RoleMain: {"b"}}},
		"no names":     {list: []llm.Endpoint{good}, roles: map[llm.Role][]string{llm.RoleMain: {}}},
	} {
		if _, err := llm.NewRouter(tt.list, tt.roles, llm.RouterOptions{}); akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInflightIsBounded(t *testing.T) {
	hold := llmtest.NewHold()
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("ok").Held(hold))
	e := endpoint("a", script)
	e.MaxInflight = 2
	r := router(t, llm.RouterOptions{}, e)
	done := make(chan error, 3)
	for range 2 {
		go func() { _, err := r.Generate(t.Context(), main); done <- err }()
		<-hold.Arrived()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := r.Generate(ctx, main); akitad.KindOf(err) != akitad.Timeout {
		t.Errorf("a third request: %v", err)
	}
	status, err := r.Status(t.Context())
	if err != nil || status[0].InFlight != 2 {
		t.Errorf("status %+v, %v", status, err)
	}
	go func() { _, err := r.Generate(t.Context(), main); done <- err }()
	hold.Release()
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestMaxOutputOfTheEndpoint(t *testing.T) {
	for _, tt := range []struct{ asked, limit, want int }{{0, 0, 0}, {0, 50, 50}, {20, 50, 20}, {90, 50, 50}, {90, 0, 90}} {
		script := llmtest.New(t, llmtest.Text("ok"))
		e := endpoint("a", script)
		e.MaxOutput = tt.limit
		req := main
		req.MaxOutput = tt.asked
		if _, err := router(t, llm.RouterOptions{}, e).Generate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if got := script.Requests()[0].MaxOutput; got != tt.want {
			t.Errorf("asked for %d with limit %d: %d, want %d", tt.asked, tt.limit, got, tt.want)
		}
	}
}

// halfway streams a piece and fails, then answers.
type halfway struct{ calls int }

func (h *halfway) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	h.calls++
	req.OnText("piece ")
	if h.calls == 1 {
		return llm.Reply{}, akitad.Errorf(akitad.Transport, "cut")
	}
	req.OnText("whole")
	return llm.Reply{Text: "piece whole"}, nil
}

func TestStreamedTextOfAFailedAttemptIsTakenBack(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var live string
		req := main
		req.OnText, req.OnReset = func(s string) { live += s }, func() { live = "" }
		reply, err := router(t, llm.RouterOptions{}, endpoint("a", &halfway{})).Generate(t.Context(), req)
		if err != nil || live != reply.Text {
			t.Errorf("live %q, text %q, %v", live, reply.Text, err)
		}
	})
}

func TestSpans(t *testing.T) {
	sink := &tracing.Memory{}
	tracer := tracing.New(sink, tracing.Options{})
	ctx := tracer.InTask(t.Context(), "t_abcdefghijklmnopqrstuvwx", "t_abcdefghijklmnopqrstuvwx")
	r := router(t, llm.RouterOptions{Tracer: tracer, Policy: fallback.Policy{Base: time.Nanosecond}},
		endpoint("a", kinds(akitad.Overloaded)), endpoint("b", kinds("")))
	if _, err := r.Generate(ctx, main); err != nil {
		t.Fatal(err)
	}
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, s := range sink.Spans() {
		if err := tracing.Check(s); err != nil {
			t.Error(err)
		}
	}
	var got []string
	for _, s := range sink.Find(akitad.SpanLLM) {
		got = append(got, fmt.Sprintf("%s %v %v %s", s.Name, s.Attributes["endpoint"], s.Attributes["attempt"], s.Status))
	}
	want := []string{"chat m-a a 1 ERROR", "chat m-a a 2 ERROR", "chat m-a a 3 ERROR", "chat m-b b 1 OK"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	decisions := sink.Find(akitad.SpanDecision)
	if len(decisions) != 1 || decisions[0].Attributes["choice"] != "b" || decisions[0].Attributes["type"] != "fallback" {
		t.Errorf("decisions %+v", decisions)
	}
	last := sink.Find(akitad.SpanLLM)[3].Attributes
	if fmt.Sprint(last[tracing.KeyTokensIn], last[tracing.KeyCached], last[tracing.KeyTokensOut]) != "1000 400 100" {
		t.Errorf("tokens in %v", last)
	}
}

// To find out whether the offline engine can serve takes long: it is not asked while an endpoint answers.
func TestTheOfflineEngineIsAskedLast(t *testing.T) {
	asked := 0
	off := endpoint("offline", kinds(""))
	off.Offline, off.Serves = true, func(llm.Request) bool { asked++; return true }
	r := router(t, llm.RouterOptions{Policy: fallback.Policy{Tries: 1}}, endpoint("a", kinds("", akitad.Auth)), off)
	for i, want := range []string{"a", "offline"} {
		reply, err := r.Generate(t.Context(), main)
		if err != nil || reply.Endpoint != want || asked != i {
			t.Errorf("%q answers (%v), and the engine was asked %d times, want %q and %d", reply.Endpoint, err, asked, want, i)
		}
	}
}
