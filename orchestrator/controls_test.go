package orchestrator_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func (h *house) pauseProfile(name string) {
	h.t.Helper()
	if err := h.Controls.Pause(h.t.Context(), name); err != nil {
		h.t.Fatal(err)
	}
}

// pauseHere pauses a profile and waits until the worker of this house knows.
func (h *house) pauseHere(name string) {
	h.t.Helper()
	h.pauseProfile(name)
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		info, _, err := h.Bus.AskHere(h.t.Context(), name)
		if err == nil && strings.Contains(string(info), `"paused":true`) {
			return
		}
		if time.Now().After(deadline) {
			h.t.Fatalf("the worker does not know of the pause: %s %v", info, err)
		}
	}
}

// force sets a strategy and waits until the houses follow it.
func force(name, follows string, houses ...*house) {
	first := houses[0]
	first.t.Helper()
	if err := first.Controls.Force(first.t.Context(), name); err != nil {
		first.t.Fatal(err)
	}
	for _, h := range houses {
		h.follows(follows)
	}
}

func (h *house) follows(strategy string) {
	h.t.Helper()
	for deadline := time.Now().Add(patience); h.Router.Strategy() != strategy; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			h.t.Fatalf("strategy %s, want %s", h.Router.Strategy(), strategy)
		}
	}
}

func (h *house) resumeProfile(name string) {
	h.t.Helper()
	if err := h.Controls.Resume(h.t.Context(), name); err != nil {
		h.t.Fatal(err)
	}
}

// A paused profile ends its running round and begins no other; its tasks wait, also over a restart, while
// other profiles work on. Resumed, all go on where they were.
func TestAPausedProfileTakesNoWork(t *testing.T) {
	home, held := t.TempDir(), llmtest.NewHold()
	script := llmtest.New(t).
		On(opens("running"), llmtest.Calls(llmtest.Call("time", map[string]any{})).Held(held), llmtest.Text("ran")).
		On(opens("queued"), llmtest.Text("waited")).
		Always(opens("other"), llmtest.Text("free"))
	h := startParts(t, home, script, whole, nil)
	running := h.submit(akitad.TaskRequest{Text: "running", Profile: "analyst"})
	<-held.Arrived()
	h.pauseHere("analyst")
	queued := h.submit(akitad.TaskRequest{Text: "queued", Profile: "analyst"})
	h.until(queued, func(t *journal.Task) bool { return t.Handed })
	held.Release()
	got := h.until(running, func(t *journal.Task) bool { return t.State == akitad.Pending && len(t.Rounds) == 1 || t.Final() })
	if got.Reason != akitad.ReasonPaused {
		t.Fatalf("%s (%s) after %d rounds", got.State, got.Reason, len(got.Rounds))
	}
	if other := h.do(akitad.TaskRequest{Text: "other"}); other.State != akitad.Completed {
		t.Errorf("another profile: %s %+v", other.State, other.Error)
	}
	h.stop()
	again := startParts(t, home, script, whole, nil)
	if other := again.do(akitad.TaskRequest{Text: "other again"}); other.State != akitad.Completed {
		t.Errorf("another profile after a restart: %s", other.State)
	}
	for id, claims := range map[akitad.TaskID]int{running: 2, queued: 1} { // one of them the orchestrator's
		if got := again.load(id); got.State != akitad.Pending || got.Claims != claims {
			t.Errorf("%s is %s (%s) after %d claims, want %d", got.Sub.Text, got.State, got.Reason, got.Claims, claims)
		}
	}
	again.resumeProfile("analyst")
	if a, b := again.ended(running), again.ended(queued); a.State != akitad.Completed || b.State != akitad.Completed || len(a.Rounds) != 1 {
		t.Errorf("running %s %+v, queued %s %+v", a.State, a.Error, b.State, b.Error)
	}
}

// A pause on one node holds on all.
func TestAPauseHoldsOnEveryNode(t *testing.T) {
	url := bustest.Server(t)
	shared := func(c *config.Config) { c.NATS.URL = url }
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("done"))
	control := startParts(t, t.TempDir(), script, app.Parts{Orchestrate: true}, shared)
	for range 2 {
		startParts(t, t.TempDir(), script, app.Parts{Work: true}, shared)
	}
	if got := control.do(akitad.TaskRequest{Text: "before", Profile: "analyst"}); got.State != akitad.Completed {
		t.Fatal(got.State)
	}
	control.pauseProfile("analyst")
	var ids []akitad.TaskID
	for _, words := range []string{"one", "two", "three"} {
		ids = append(ids, control.submit(akitad.TaskRequest{Text: words, Profile: "analyst"}))
	}
	for range 5 {
		control.do(akitad.TaskRequest{Text: "meanwhile"})
	}
	for _, id := range ids {
		got := control.load(id)
		if byAnalyst := slices.Contains(got.Nodes, got.Claim.Node); got.Final() || byAnalyst {
			t.Errorf("%s is %s, claimed by %q", got.Sub.Text, got.State, got.Nodes)
		}
	}
	control.resumeProfile("analyst")
	for _, id := range ids {
		control.ended(id)
	}
}

// A task that is cancelled while its profile is paused ends at once.
func TestCancelUnderAPause(t *testing.T) {
	h := start(t, llmtest.New(t))
	h.pauseProfile("analyst")
	id := h.submit(akitad.TaskRequest{Text: "work", Profile: "analyst"})
	h.until(id, func(t *journal.Task) bool { return t.Handed })
	if err := h.Orchestrator.Cancel(t.Context(), id, "test"); err != nil {
		t.Fatal(err)
	}
	if got := h.ended(id); got.State != akitad.WasCancelled {
		t.Error(got.State)
	}
}

// What is forced on one node holds on all, without and after a restart.
func TestAForcedStrategyReachesEveryNode(t *testing.T) {
	url := bustest.Server(t)
	shared := func(c *config.Config) {
		c.NATS.URL, c.Offline = url, "answer"
		c.Endpoints = []config.Endpoint{
			{Name: "a", Protocol: "openai", BaseURL: "http://127.0.0.1:1/v1", APIKey: config.NewSecret("sk-0123456789abcdef"), Model: "m"},
			{Name: "offline", Protocol: "offline"},
		}
		c.Roles = config.Roles{Main: []string{"a", "offline"}, Compiler: []string{"a", "offline"}, Planner: []string{"a"}, Summarizer: []string{"a"}, Judge: []string{"a"}}
	}
	home := t.TempDir()
	control := startParts(t, t.TempDir(), nil, app.Parts{Orchestrate: true}, shared)
	worker := startParts(t, home, nil, app.Parts{Work: true}, shared)
	force(llm.StrategyOffline, llm.StrategyOffline, control, worker)
	worker.stop()
	worker = startParts(t, home, nil, app.Parts{Work: true}, shared)
	worker.follows(llm.StrategyOffline)
	got := control.do(akitad.TaskRequest{Text: "How many lines of a.log contain ERROR?", Files: given("a.log", "INFO a\nERROR b\nERROR c\n")})
	if got.State != akitad.Completed || !strings.Contains(got.Result.Text, "2") {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	force("a", "a", control, worker)
	force("nosuch", llm.StrategyAuto, control, worker) // an endpoint that they do not have
	force(llm.StrategyHold, llm.StrategyHold, control, worker)
	force("", llm.StrategyAuto, control, worker)
}

// While everything is held, tasks wait and say so once; released, they go on.
func TestTheHoldStrategy(t *testing.T) {
	h := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("answered")))
	force(llm.StrategyHold, llm.StrategyHold, h)
	id := h.submit(akitad.TaskRequest{Text: "work"})
	got := h.until(id, waits)
	if got.Reason != akitad.ReasonRetry || got.WaitNote == "" {
		t.Fatalf("%s (%s) %+v, note %q", got.State, got.Reason, got.Error, got.WaitNote)
	}
	force("", llm.StrategyAuto, h)
	h.append(id, journal.Woken, journal.WokenData{Reason: "its time, without the wait"})
	if got := h.ended(id); got.State != akitad.Completed || got.Result.Text != "answered" {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
}
