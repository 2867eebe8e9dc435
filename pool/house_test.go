package pool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/pool"
	"github.com/akitad/akitad/workspace"
)

// house is a worker on a bus of its own, without an orchestrator: tests hand out the items.
type house struct {
	t     *testing.T
	bus   *bus.Bus
	j     *journal.Journal
	pool  *pool.Pool
	ws    *workspace.Workspace
	model llm.Provider
	tools *tool.Registry
	prof  *pool.Profiles
	dir   string // of profile files
	stop  func()
}

func newHouse(t *testing.T, model llm.Provider, tools ...tool.Tool) *house {
	t.Helper()
	h := &house{t: t, bus: bustest.New(t), model: model, dir: t.TempDir()}
	h.j = journal.New(h.bus, "n")
	var err error
	if h.prof, err = pool.LoadProfiles(h.dir); err != nil {
		t.Fatal(err)
	}
	if h.tools, err = tool.NewRegistry(tools...); err != nil {
		t.Fatal(err)
	}
	if h.ws, err = workspace.Open(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	return h
}

// run starts a worker; it ends with the test, or when h.stop is called.
func (h *house) run(opts pool.WorkerOptions) *house {
	h.t.Helper()
	opts.Node = "n"
	if opts.Grace == 0 {
		opts.Grace = time.Second
	}
	all := h.tools.All()
	h.pool = pool.New(h.prof, func(context.Context, akitad.Profile) ([]tool.Tool, func(context.Context) error, error) {
		return all, nil, nil
	}, pool.Options{})
	w := pool.NewWorker(pool.Deps{
		Bus: h.bus, Journal: h.j, Pool: h.pool, Profiles: h.prof, Model: h.model, Tools: h.tools, Workspace: h.ws,
		Holder: claim.NewHolder(h.bus, h.j, claim.Options{Node: "n", Incarnation: "i", Renew: 3 * patience}),
		Agent:  agent.New(agent.Options{Model: h.model, Tools: h.tools, PutBytes: h.bus.PutArtifact}),
	}, opts)
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()
	h.stop = sync.OnceFunc(func() {
		cancel()
		err := errors.Join(<-ran, h.pool.Close(context.Background()))
		if err != nil {
			h.t.Error(err)
		}
	})
	h.t.Cleanup(h.stop)
	return h
}

func (h *house) submit(name string, sub journal.SubmittedData) akitad.TaskID {
	h.t.Helper()
	id := akitad.DeriveTaskID(h.t.Name(), name)
	if sub.Root = id; sub.Parent != "" {
		sub.Root = sub.Parent
	}
	if sub.Folder == "" {
		sub.Folder = "folder"
	}
	if sub.Profile == "" {
		sub.Profile = "assistant"
	}
	sub.Origin.Lang = "en"
	if _, _, err := h.j.Create(h.t.Context(), id, sub); err != nil {
		h.t.Fatal(err)
	}
	return id
}

// dispatch puts a pending task's item into its profile's queue. A root task counts as planned.
func (h *house) dispatch(id akitad.TaskID) {
	h.t.Helper()
	t := h.load(id)
	if !t.Handed {
		h.append(id, journal.Woken, journal.WokenData{To: t.Sub.Profile})
		t = h.load(id)
	}
	item := claim.Item{Activation: t.Activation, Session: t.Sub.Session}
	if err := h.bus.PublishWork(h.t.Context(), t.Profile, "normal", string(id), fmt.Sprintf("%s-%d", id, t.Activation), item.Body(), ""); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) load(id akitad.TaskID) *journal.Task {
	h.t.Helper()
	t, err := h.j.Load(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return t
}

func (h *house) append(id akitad.TaskID, kind akitad.EventKind, data any) {
	h.t.Helper()
	once := false
	err := h.j.Decide(h.t.Context(), h.load(id), func(*journal.Task) *journal.Decision {
		if once {
			return nil
		}
		once = true
		return &journal.Decision{Kind: kind, Data: data}
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) until(id akitad.TaskID, wanted func(*journal.Task) bool) *journal.Task {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	t, err := h.j.Wait(ctx, id, wanted)
	if err != nil {
		h.t.Fatalf("%s is %s (%s) after %d rounds, %+v: %v", id, t.State, t.Reason, len(t.Rounds), t.Error, err)
	}
	return t
}

func (h *house) ended(id akitad.TaskID) *journal.Task { return h.until(id, (*journal.Task).Final) }

func waits(t *journal.Task) bool { return t.State == akitad.Waiting || t.Final() }

// do dispatches a task and waits for its end.
func (h *house) do(name string, sub journal.SubmittedData) *journal.Task {
	h.t.Helper()
	id := h.submit(name, sub)
	h.dispatch(id)
	return h.ended(id)
}

// idle waits until so many instances lie idle: one goes back shortly after its task has ended.
func (h *house) idle(n int) {
	h.t.Helper()
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for deadline := time.After(patience); ; {
		got := 0
		for _, s := range h.pool.Stats() {
			got += s.Idle
		}
		if got == n {
			return
		}
		select {
		case <-poll.C:
		case <-deadline:
			h.t.Fatalf("%d instances are idle, want %d", got, n)
		}
	}
}

// file gives the content of a file in the folder.
func (h *house) file(name string) string {
	h.t.Helper()
	dir, err := h.ws.Dir("folder")
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = dir.Close() }()
	body, err := dir.ReadFile(name)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(body)
}

func (h *house) write(name, content string) {
	h.t.Helper()
	dir, err := h.ws.Dir("folder")
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = dir.Close() }()
	if err := dir.WriteFile(name, []byte(content)); err != nil {
		h.t.Fatal(err)
	}
}

// artifact stores bytes as a given or a changed file.
func (h *house) artifact(name, content, mode string) akitad.File {
	h.t.Helper()
	hash, err := h.bus.PutArtifact(h.t.Context(), []byte(content))
	if err != nil {
		h.t.Fatal(err)
	}
	return akitad.File{Name: name, Artifact: hash, Size: int64(len(content)), Mode: mode}
}

func (h *house) profile(name, text string) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.dir, name+".md"), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// fake is a tool of a test.
type fake struct {
	info tool.Info
	call func(context.Context, tool.Input) (tool.Result, error)
	mu   *sync.Mutex
	n    *int
}

func newFake(name string, mark func(*tool.Info), call func(context.Context, tool.Input) (tool.Result, error)) fake {
	f := fake{info: tool.Info{Name: name, Description: name, Schema: json.RawMessage(`{"type":"object"}`)}, call: call, mu: &sync.Mutex{}, n: new(int)}
	if mark != nil {
		mark(&f.info)
	}
	return f
}

func (f fake) Info() tool.Info { return f.info }

func (f fake) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	f.mu.Lock()
	*f.n++
	f.mu.Unlock()
	return f.call(ctx, in)
}

func (f fake) calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return *f.n
}

func says(text string) func(context.Context, tool.Input) (tool.Result, error) {
	return func(context.Context, tool.Input) (tool.Result, error) { return tool.Result{Text: text}, nil }
}

func readonly(i *tool.Info) { i.Readonly = true }
