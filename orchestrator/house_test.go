package orchestrator_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/sandbox"
)

// patience is how long a test waits for what takes milliseconds.
const patience = time.Minute

func TestMain(m *testing.M) {
	sandbox.Init()
	leaktest.Main(m)
}

// house is a whole process on a scripted model, in a home of its own.
type house struct {
	*app.App
	t    *testing.T
	stop func()
}

var whole = app.Parts{Orchestrate: true, Work: true}

func start(t *testing.T, model llm.Provider) *house {
	t.Helper()
	return startParts(t, t.TempDir(), model, whole, nil)
}

func startParts(t *testing.T, home string, model llm.Provider, parts app.Parts, change func(*config.Config)) *house {
	t.Helper()
	cfg, err := config.Load(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Compiler, cfg.Stop.Grace = "twin", time.Second
	cfg.Claim.Renew, cfg.Claim.TTL = 3*patience, 10*patience // nothing that a test waits for comes by the clock alone
	if change != nil {
		change(&cfg)
	}
	a, err := app.New(t.Context(), cfg, app.Options{Parts: parts, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	end := sync.OnceFunc(func() {
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	return &house{a, t, end}
}

func (h *house) submit(req akitad.TaskRequest) akitad.TaskID {
	h.t.Helper()
	id, err := h.Orchestrator.Submit(h.t.Context(), "http", req)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

func (h *house) until(id akitad.TaskID, wanted func(*journal.Task) bool) *journal.Task {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	t, err := h.Journal.Wait(ctx, id, wanted)
	if err != nil {
		h.t.Fatalf("%s is %s (%s) after %d rounds, %d claims, %+v: %v", id, t.State, t.Reason, len(t.Rounds), t.Claims, t.Error, err)
	}
	return t
}

func (h *house) ended(id akitad.TaskID) *journal.Task {
	h.t.Helper()
	return h.until(id, (*journal.Task).Final)
}

func (h *house) do(req akitad.TaskRequest) *journal.Task {
	h.t.Helper()
	return h.ended(h.submit(req))
}

// say accepts a chat message, as if it came through the door.
func (h *house) say(nr int, words string, change func(*akitad.Message)) akitad.TaskID {
	h.t.Helper()
	m := akitad.Message{
		ID: fmt.Sprint("m", nr), Task: akitad.DeriveTaskID("chat", fmt.Sprint(nr)), Session: akitad.DeriveSessionKey("chat"), Text: words,
		Origin: akitad.Origin{Channel: "telegram", Chat: "1", Sender: "7", Message: fmt.Sprint(nr), Lang: "en"}, At: time.Now(),
	}
	if change != nil {
		change(&m)
	}
	if err := h.Orchestrator.Accept(h.t.Context(), m); err != nil {
		h.t.Fatal(err)
	}
	return m.Task
}

func (h *house) load(id akitad.TaskID) *journal.Task {
	h.t.Helper()
	t, err := h.Journal.Load(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return t
}

// append adds an event as somebody without a claim does, whoever else appends meanwhile.
func (h *house) append(id akitad.TaskID, kind akitad.EventKind, data any) {
	h.t.Helper()
	err := h.Journal.Decide(h.t.Context(), h.load(id), func(*journal.Task) *journal.Decision {
		return &journal.Decision{Kind: kind, Data: data}
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// create opens a delegated task's journal by hand.
func (h *house) create(name string, sub journal.SubmittedData) akitad.TaskID {
	h.t.Helper()
	id := akitad.DeriveTaskID(h.t.Name(), name)
	sub.Root, sub.Folder, sub.Text = id, "folder", "go"
	if sub.Profile == "" {
		sub.Profile = "assistant"
	}
	if _, _, err := h.Journal.Create(h.t.Context(), id, sub); err != nil {
		h.t.Fatal(err)
	}
	return id
}

func (h *house) events(id akitad.TaskID, kind akitad.EventKind) (n int) {
	h.t.Helper()
	h.each(id, func(e akitad.Event) {
		if e.Kind == kind {
			n++
		}
	})
	return n
}

// each calls look with every event of a task.
func (h *house) each(id akitad.TaskID, look func(akitad.Event)) {
	h.t.Helper()
	if err := h.Journal.Events(h.t.Context(), id, 0, func(e akitad.Event) error { look(e); return nil }); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) flow(name, text string) {
	h.t.Helper()
	if err := os.MkdirAll(h.Config.Path.Flows, 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.Config.Path.Flows, name+".yaml"), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func given(name, content string) []akitad.InputFile {
	return []akitad.InputFile{{Name: name, Content: []byte(content)}}
}

func submitResult(args map[string]any) llmtest.Turn {
	return llmtest.Calls(llmtest.Call("submit_result", args))
}

// profile makes a kind of agent in a home that is not open yet, or open.
func profile(t *testing.T, home, name, front string) {
	t.Helper()
	dir := filepath.Join(home, "agents")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "---\nname: " + name + "\ndescription: one of a test\n" + front + "---\nYou are " + name + ".\n"
	if err := os.WriteFile(filepath.Join(dir, name+".md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
