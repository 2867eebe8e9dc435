package orchestrator_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// between does something to a home in which nobody works or dispatches.
func between(t *testing.T, home string, model llm.Provider, do func(*house)) {
	t.Helper()
	h := startParts(t, home, model, app.Parts{Read: true}, func(c *config.Config) { c.Admin.Listen = "127.0.0.1:0" })
	do(h)
	h.stop()
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// twoRounds is a task that stops in the middle of its first model call and ends with what it is told last.
func twoRounds(t *testing.T) (*llmtest.Script, *llmtest.Hold) {
	held := llmtest.NewHold()
	look := llmtest.Calls(llmtest.Call("time", map[string]any{}))
	return llmtest.New(t).
		Always(opens("other"), llmtest.Text("other")).
		On(llmtest.Begins("work"), look.Held(held), look, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			return llm.Reply{Text: "told: " + r.Messages[len(r.Messages)-1].Text, Finish: llm.FinishStop}, nil
		})), held
}

// A pause outlives the process that was told of it, whether the task was running or had come to rest.
func TestAPauseOutlivesARestart(t *testing.T) {
	for _, when := range []string{"at rest", "in a round"} {
		t.Run(when, func(t *testing.T) {
			home := t.TempDir()
			script, held := twoRounds(t)
			h := startParts(t, home, script, whole, nil)
			id := h.submit(akitad.TaskRequest{Text: "work"})
			<-held.Arrived()
			ok(t, h.Orchestrator.Pause(t.Context(), id))
			if when == "at rest" {
				held.Release()
				h.until(id, waits)
			}
			h.stop()
			if when == "in a round" {
				held.Release()
			}
			again := startParts(t, home, script, whole, nil)
			got := again.until(id, waits)
			again.do(akitad.TaskRequest{Text: "other"})
			if got.Reason != akitad.ReasonPaused || again.load(id).State != akitad.Waiting {
				t.Fatalf("after the restart it is %s (%s)", got.State, got.Reason)
			}
			again.stop()
			between(t, home, script, func(h *house) { ok(t, h.Orchestrator.Resume(t.Context(), id)) })
			if got := startParts(t, home, script, whole, nil).ended(id); got.State != akitad.Completed {
				t.Errorf("%s %+v", got.State, got.Error)
			}
		})
	}
}

// A correction that came while the process was down, or just before, is seen by the next round.
func TestASteerOutlivesARestart(t *testing.T) {
	for _, when := range []string{"before the stop", "while it is down"} {
		t.Run(when, func(t *testing.T) {
			home := t.TempDir()
			script, held := twoRounds(t)
			h := startParts(t, home, script, whole, nil)
			id := h.submit(akitad.TaskRequest{Text: "work"})
			<-held.Arrived()
			if when == "before the stop" {
				ok(t, h.Orchestrator.Steer(t.Context(), id, "only Tuesdays"))
			}
			h.stop()
			if when != "before the stop" {
				between(t, home, script, func(h *house) { ok(t, h.Orchestrator.Steer(t.Context(), id, "only Tuesdays")) })
			}
			held.Release()
			got := startParts(t, home, script, whole, nil).ended(id)
			seen := ""
			for _, r := range script.Requests() {
				seen += r.Messages[len(r.Messages)-1].Text
			}
			if got.State != akitad.Completed || strings.Count(seen, "only Tuesdays") == 0 || got.SteersSeen != 1 {
				t.Errorf("%s %+v, %d steers seen", got.State, got.Error, got.SteersSeen)
			}
		})
	}
}

// A cancel that comes while nobody works ends the task, and what it had delegated, without another model
// call.
func TestACancelOutlivesARestart(t *testing.T) {
	home, held := t.TempDir(), llmtest.NewHold()
	script := llmtest.New(t).
		On(llmtest.Begins("alone"), llmtest.Text("never").Held(held)).
		On(llmtest.Begins("parent"), llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "child"}))).
		On(llmtest.Begins("child"), llmtest.Text("never").Held(held))
	h := startParts(t, home, script, whole, nil)
	alone, parent := h.submit(akitad.TaskRequest{Text: "alone"}), h.submit(akitad.TaskRequest{Text: "parent"})
	<-held.Arrived()
	<-held.Arrived()
	child := h.until(parent, waits).Children[0].ID
	h.stop()
	between(t, home, script, func(h *house) {
		ok(t, h.Orchestrator.Cancel(t.Context(), alone, "test"))
		ok(t, h.Orchestrator.Cancel(t.Context(), parent, "test"))
	})
	asked := len(script.Requests())
	again := startParts(t, home, script, whole, nil)
	for _, id := range []akitad.TaskID{alone, parent, child} {
		if got := again.ended(id); got.State != akitad.WasCancelled {
			t.Errorf("%s is %s", got.Sub.Text, got.State)
		}
	}
	if n := len(script.Requests()); n > asked+1 { // the child may have been begun again before its parent's end was seen
		t.Errorf("%d model calls after the cancel", n-asked)
	}
}

// A cancel reaches a model call and a running program three levels down, long before either would end, and
// is final.
func TestACancelIsQuickAndFinal(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).
		On(llmtest.Begins("top"), llmtest.Calls(
			llmtest.Call("delegate", map[string]any{"profile": "operator", "goal": "program"}),
			llmtest.Call("delegate", map[string]any{"profile": "assistant", "goal": "middle"}))).
		On(llmtest.Begins("middle"), llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "deep"}))).
		On(llmtest.Begins("deep"), llmtest.Text("never").Held(held)).
		On(llmtest.Begins("program"), llmtest.Calls(llmtest.Call("run_shell", map[string]any{"command": "echo begun > begun.txt; sleep 100 & sleep 100; echo ended > ended.txt"})))
	h := start(t, script)
	id := h.submit(akitad.TaskRequest{Text: "top"})
	<-held.Arrived()
	top := h.until(id, waits)
	h.until(id, func(t *journal.Task) bool { return h.file(t, "begun.txt") != "-" })
	ok(t, h.Orchestrator.Cancel(t.Context(), id, "test"))
	all := []akitad.TaskID{id, top.Children[0].ID, top.Children[1].ID, h.load(top.Children[1].ID).Children[0].ID}
	for _, one := range all {
		if got := h.ended(one); got.State != akitad.WasCancelled {
			t.Errorf("%s is %s", got.Sub.Text, got.State)
		}
	}
	ok(t, h.Orchestrator.Cancel(t.Context(), id, "again"))
	if h.file(top, "ended.txt") != "-" || h.events(id, journal.Cancelled) != 1 {
		t.Error("a cancel is not final")
	}
}
