package app_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// two makes a house's endpoints a and b, in this order.
func two(a, b *llmtest.Server) func(*config.Config) {
	return func(c *config.Config) {
		key := config.NewSecret("sk-test-0123456789abcdef")
		c.Endpoints = []config.Endpoint{
			{Name: "a", Protocol: "openai", BaseURL: a.URL(), APIKey: key, Model: "m"}, {Name: "b", Protocol: "openai", BaseURL: b.URL(), APIKey: key, Model: "m"},
		}
		names := []string{"a", "b"}
		c.Roles = config.Roles{Main: names, Compiler: names, Planner: names, Summarizer: names, Judge: names}
	}
}

// ask lets the router answer one request.
func ask(t *testing.T, a *app.App) llm.Reply {
	t.Helper()
	reply, err := a.Router.Generate(t.Context(), llm.Request{Role: llm.RoleMain, Messages: []llm.Message{{Speaker: llm.User, Text: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

// An endpoint that failed three times is still not tried first after a restart.
func TestHealthOutlivesARestart(t *testing.T) {
	a, b := answering(t, "from a").Always(llmtest.Status(401, "bad key")), answering(t, "from b")
	home := t.TempDir()
	t.Run("before", func(t *testing.T) {
		h := startParts(t, home, nil, app.Parts{Orchestrate: true, Work: true}, two(a, b))
		for range 3 {
			if got := ask(t, h); got.Endpoint != "b" || len(got.Degraded) != 1 {
				t.Errorf("%+v", got)
			}
		}
	})
	asked := len(a.Seen())
	if asked != 3 {
		t.Fatalf("a was asked %d times", asked)
	}
	h := startParts(t, home, nil, app.Parts{Orchestrate: true, Work: true}, two(a, b))
	if got := ask(t, h); got.Endpoint != "b" || len(got.Degraded) != 1 || !strings.Contains(got.Degraded[0].Reason, "degraded since") {
		t.Errorf("%+v", got)
	}
	if len(a.Seen()) != asked {
		t.Error("it was tried first after the restart")
	}
}

// store reads and writes health where every node does.
type store struct{ kv *bus.KV }

func (s store) Load(ctx context.Context, name string) ([]byte, uint64, error) {
	return s.kv.Get(ctx, name)
}

func (s store) Save(ctx context.Context, name string, body []byte, rev uint64) error {
	_, err := s.kv.Update(ctx, name, body, rev)
	return err
}

// When a degraded endpoint may be probed, one request of one node probes it and all others go elsewhere;
// once it has answered, every node tries it first again.
func TestOneProbeOverAllNodes(t *testing.T) {
	held := llmtest.NewHold()
	a := llmtest.NewServer(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("from a").Held(held)), llmtest.Options{})
	b := answering(t, "from b")
	url := bustest.Server(t)
	var nodes []*app.App
	for range 2 {
		nodes = append(nodes, startParts(t, t.TempDir(), nil, app.Parts{Work: true}, func(c *config.Config) {
			two(a, b)(c)
			c.NATS.URL = url
		}))
	}
	kv, err := nodes[0].Bus.KV(t.Context(), "health")
	if err != nil {
		t.Fatal(err)
	}
	ledger := fallback.NewLedger(store{kv}, fallback.Rules{})
	for range 3 { // long enough ago that a probe is due
		if _, err := ledger.Failed(t.Context(), "endpoint.a", time.Now().Add(-time.Minute), akitad.Transport, "it was away"); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	var probes, others atomic.Int32
	for _, n := range nodes {
		for range 10 {
			wg.Go(func() {
				reply := ask(t, n)
				if reply.Endpoint == "a" {
					probes.Add(1)
				} else if others.Add(1) == 19 { // all that do not probe have been served meanwhile
					held.Release()
				}
			})
		}
	}
	wg.Wait()
	if probes.Load() != 1 || others.Load() != 19 {
		t.Errorf("%d probes, %d others", probes.Load(), others.Load())
	}
	for _, n := range nodes { // what one node has found out reaches the other within a second
		got := ask(t, n)
		for deadline := time.Now().Add(patience); got.Endpoint != "a" && time.Now().Before(deadline); got = ask(t, n) {
		}
		if got.Endpoint != "a" || len(got.Degraded) != 0 {
			t.Errorf("after the probe: %+v", got)
		}
	}
}
