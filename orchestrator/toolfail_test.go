package orchestrator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A program that ends badly fails its step: the step is tried again, what needs it is blocked or the plan
// goes on without it, the message has the end of the output, and its key is free for the next run.
func TestAProgramThatEndsBadlyFailsItsStep(t *testing.T) {
	h := start(t, llmtest.New(t))
	got := h.do(akitad.TaskRequest{Session: "s", Plan: `steps:
  - {id: bad, tool: run_shell, retry: 1, with: {command: "echo x >>tries; echo it broke >&2; exit 3"}}
  - {id: next, tool: time, needs: [bad]}
`})
	switch {
	case got.State != akitad.Failed || got.Error.Kind != akitad.ToolFailed:
		t.Fatalf("%s %+v %+v", got.State, got.Error, got.Result)
	case !strings.Contains(got.Error.Message, "it broke"), !strings.Contains(got.Error.Message, "exit code 3"):
		t.Errorf("it does not say why: %s", got.Error.Message)
	case h.file(got, "tries") != "x\nx\n":
		t.Errorf("tries: %q, want two", h.file(got, "tries"))
	}
	steps := got.View().Steps
	if steps[0].State != "failed" || steps[1].State != "blocked" {
		t.Errorf("steps %+v", steps)
	}
	if len(got.Files) == 0 || got.Files[0].Name != "tries" {
		t.Errorf("what the failed step wrote is not on record: %+v", got.Files)
	}
	const pay = `steps:
  - {id: pay, tool: run_shell, on_error: skip, idempotency_key: once, with: {command: "echo x >>paid; test -e open"}}
  - {id: open, tool: run_shell, needs: [pay], with: {command: "touch open; cat paid"}}
`
	for run, want := range []string{"x\n", "x\nx\n", "x\nx\n"} { // fails; is run again and holds; is not run again
		if got := h.do(akitad.TaskRequest{Session: "pay", Plan: pay}); got.State != akitad.Completed || h.file(got, "paid") != want {
			t.Errorf("run %d: %s %+v, paid %q, want %q", run+1, got.State, got.Error, h.file(got, "paid"), want)
		}
	}
}

// What a step had written when its flow was cancelled is undone like everything else, the step is shown
// as cancelled, and its file is on record.
func TestRollbackAfterACancelInMidStep(t *testing.T) {
	h := start(t, llmtest.New(t))
	id := h.submit(akitad.TaskRequest{Plan: `steps:
  - {id: slow, tool: run_shell, with: {command: "echo a >>trail.txt; sleep 50"}}
`})
	started := h.until(id, func(t *journal.Task) bool { return len(t.Children) == 1 })
	for deadline := time.Now().Add(patience); h.file(started, "trail.txt") == "-"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the step does not begin")
		}
	}
	if err := h.Orchestrator.Cancel(t.Context(), id, "test"); err != nil {
		t.Fatal(err)
	}
	h.ended(id)
	h.rollback(id, []string{}, []string{"trail.txt"})
	got := h.until(id, func(t *journal.Task) bool { return t.Children[0].Done && t.RolledBack })
	if s := got.View().Steps[0]; s.State != "cancelled" || len(got.Files) != 1 || got.View().RolledBack == nil {
		t.Errorf("step %+v, files %+v, rolled back %v", s, got.Files, got.View().RolledBack)
	}
}

// A paused plan is shown as paused while its step runs on.
func TestAPausedPlanIsShownAsPaused(t *testing.T) {
	h := start(t, llmtest.New(t))
	id := h.submit(akitad.TaskRequest{Plan: "steps:\n  - {id: slow, tool: run_shell, with: {command: sleep 50}}\n"})
	h.until(id, func(t *journal.Task) bool { return t.Reason == akitad.ReasonChildren })
	if err := h.Orchestrator.Pause(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if v := h.load(id).View(); v.State != akitad.Waiting || v.Reason != akitad.ReasonPaused {
		t.Errorf("%s (%s)", v.State, v.Reason)
	}
	if err := h.Orchestrator.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	h.until(id, func(t *journal.Task) bool { return t.View().Reason == akitad.ReasonChildren })
	if err := h.Orchestrator.Cancel(t.Context(), id, "test"); err != nil {
		t.Fatal(err)
	}
}
