package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/workspace"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

const taskID = akitad.TaskID("t_aaaaaaaaaaaaaaaaaaaaaaaa")

// failer is what tests and property checks have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
}

// book is a journal in memory, folded like the real one.
type book struct {
	t      failer
	mu     sync.Mutex
	task   *journal.Task
	events []akitad.Event
	fail   func(akitad.EventKind) error // nil: every append succeeds
}

func newBook(t failer, sub journal.SubmittedData) *book {
	sub.Root, sub.Profile, sub.Origin.Lang = taskID, "assistant", "en"
	b := &book{t: t, task: journal.NewTask(taskID)}
	b.add(0, journal.Submitted, sub)
	b.claim()
	return b
}

func (b *book) claim() { b.add(0, journal.Claimed, journal.ClaimedData{Node: "n"}) }

func (b *book) add(epoch uint64, kind akitad.EventKind, payload any) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	data, err := json.Marshal(payload)
	if err != nil {
		b.t.Fatal(err)
	}
	e := akitad.Event{V: 1, Prev: b.task.Seq, Seq: b.task.Seq + 1, Kind: kind, Epoch: epoch, At: time.Now(), Data: data}
	if err := b.task.Apply(e); err != nil {
		b.t.Fatal(err)
	}
	b.events = append(b.events, e)
}

func (b *book) Append(ctx context.Context, kind akitad.EventKind, payload any) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if b.fail != nil {
		if err := b.fail(kind); err != nil {
			return err
		}
	}
	b.add(b.Snapshot().Epoch, kind, payload)
	return nil
}

func (b *book) Snapshot() *journal.Task {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.task.Snapshot()
}

func (b *book) steer(words string) { b.add(0, journal.Steered, journal.SteeredData{Text: words}) }

func (b *book) answer(call, words string) {
	b.add(0, journal.Answered, journal.AnsweredData{Call: call, Observation: akitad.Observation{Text: words}})
}

// again is the journal as another process reads it, after the first one died, claimed anew.
func (b *book) again() *book {
	b.t.Helper()
	c := &book{t: b.t, task: journal.NewTask(taskID)}
	for _, e := range b.events {
		if err := c.task.Apply(e); err != nil {
			b.t.Fatal(err)
		}
		c.events = append(c.events, e)
	}
	c.claim()
	return c
}

// fake is a tool of a test.
type fake struct {
	info tool.Info
	call func(context.Context, tool.Input) (tool.Result, error)
}

func (f fake) Info() tool.Info { return f.info }

func (f fake) Call(ctx context.Context, in tool.Input) (tool.Result, error) { return f.call(ctx, in) }

const anySchema = `{"type":"object","properties":{"n":{"type":"integer"},"what":{"type":"string"}}}`

func saying(name, text string, change func(*tool.Info)) fake {
	f := fake{info: tool.Info{Name: name, Description: name, Schema: json.RawMessage(anySchema)}}
	f.call = func(context.Context, tool.Input) (tool.Result, error) { return tool.Result{Text: text}, nil }
	if change != nil {
		change(&f.info)
	}
	return f
}

func readonly(i *tool.Info) { i.Readonly = true }

func safe(i *tool.Info) { i.Readonly, i.ParallelSafe = true, true }

// counted is a tool that counts its calls by their argument what.
type counted struct {
	fake
	mu sync.Mutex
	n  map[string]int
}

func count(name string, change func(*tool.Info)) *counted {
	c := &counted{fake: saying(name, "", change), n: map[string]int{}}
	c.call = func(_ context.Context, in tool.Input) (tool.Result, error) {
		var a struct{ What string }
		if err := json.Unmarshal(in.Args, &a); err != nil {
			return tool.Result{}, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.n[a.What]++
		return tool.Result{Text: name + " " + a.What}, nil
	}
	return c
}

func (c *counted) calls(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n[what]
}

// rig is an agent with its tools and what it keeps.
type rig struct {
	opts  agent.Options // where a test needs others
	agent *agent.Agent
	turn  agent.Turn
	kept  *kept
}

type kept struct {
	mu     sync.Mutex
	bodies map[string]string
	err    error
}

func (k *kept) put(ctx context.Context, body []byte) (string, error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return "", k.err
	}
	hash := akitad.Digest(string(body))
	k.bodies[hash] = string(body)
	return hash, nil
}

func newRig(t *testing.T, model llm.Provider, tools ...tool.Tool) *rig {
	t.Helper()
	w, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, err := w.Dir("folder")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dir.Close() })
	k := &kept{bodies: map[string]string{}}
	return &rig{agent: newAgent(t, model, k, tools), turn: agent.Turn{Profile: akitad.Profile{Name: "assistant", Prompt: "You are a test."}, Tools: tools, Dir: dir}, kept: k}
}

func newAgentWith(t *testing.T, model llm.Provider, k *kept, sources []window.Source) *agent.Agent {
	t.Helper()
	reg, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	return agent.New(agent.Options{Model: model, Tools: reg, PutBytes: k.put, Sources: sources})
}

func newAgent(t *testing.T, model llm.Provider, k *kept, tools []tool.Tool) *agent.Agent {
	t.Helper()
	reg, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	return agent.New(agent.Options{Model: model, Tools: reg, PutBytes: k.put})
}

// newRigTold is newRig whose agent tells of the tools that end their processes.
func newRigTold(t *testing.T, model llm.Provider, told func(tool string), tools ...tool.Tool) *rig {
	t.Helper()
	r := newRig(t, model, tools...)
	reg, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	r.agent = agent.New(agent.Options{Model: model, Tools: reg, PutBytes: r.kept.put, Ends: func(_ context.Context, _ akitad.TaskID, tool string) { told(tool) }})
	return r
}

func (r *rig) run(t *testing.T, b *book) agent.Outcome {
	t.Helper()
	out, err := r.agent.Run(t.Context(), r.turn, b)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// results gives the observations of a round, as "call: text".
func results(b *book, round int) []string {
	var out []string
	for _, o := range b.Snapshot().Rounds[round].Results {
		out = append(out, fmt.Sprintf("%s: %s", o.Call, o.Text))
	}
	return out
}
