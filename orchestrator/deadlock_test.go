package orchestrator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// Two steps that each hold the idempotency key that a step below the other one needs: one of those fails, and
// says who holds what.
func TestStepsDoNotWaitForEachOther(t *testing.T) {
	both := llmtest.NewHold()
	h := start(t, llmtest.New(t).
		On(llmtest.Begins("left"), runFlow("second").Held(both), submitResult(map[string]any{"text": "left"})).
		On(llmtest.Begins("right"), runFlow("first").Held(both), submitResult(map[string]any{"text": "right"})).
		On(opens("go"), llmtest.Text("both are done")))
	h.flow("first", "steps:\n  - {id: inner, tool: time, idempotency_key: one}\n")
	h.flow("second", "steps:\n  - {id: inner, tool: time, idempotency_key: two}\n")
	id := h.submit(akitad.TaskRequest{Text: "go", Plan: `
steps:
  - {id: a, agent: assistant, goal: left, parallel: true, idempotency_key: one}
  - {id: b, agent: assistant, goal: right, parallel: true, idempotency_key: two}
`})
	for range 2 { // both steps run, and have their keys
		select {
		case <-both.Arrived():
		case <-time.After(patience):
			t.Fatal("the steps do not run")
		}
	}
	both.Release()
	got := h.ended(id)
	var said []string
	for _, c := range got.Children {
		for _, below := range h.load(c.ID).Children {
			if below.Error != nil {
				said = append(said, below.Error.Message)
			}
		}
	}
	all := strings.Join(said, "\n")
	for _, part := range []string{"wait for each other", "step inner (t_", `"one"`, `"two"`, "step a (" + string(got.Children[0].ID), "step b (" + string(got.Children[1].ID)} {
		if !strings.Contains(all, part) {
			t.Errorf("%q is not said in %q", part, all)
		}
	}
	if got.State != akitad.Completed {
		t.Errorf("%s %+v, failed: %q", got.State, got.Error, all)
	}
}
