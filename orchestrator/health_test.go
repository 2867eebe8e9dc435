package orchestrator_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/tracing"
)

// A profile whose tasks failed three times lately is not tried first, over a restart too: its tasks go to
// the next agent at once, and say so.
func TestADegradedProfileIsNotTriedFirst(t *testing.T) {
	home := t.TempDir()
	script := llmtest.New(t).
		Always(llmtest.System("You are an analyst"), refused()).
		Always(llmtest.System("You are the assistant"), llmtest.Text("by the assistant"))
	tried := func() (n int) {
		for _, r := range script.Requests() {
			if r.Role == llm.RoleMain && strings.Contains(r.System, "You are an analyst") {
				n++
			}
		}
		return n
	}
	work := func(h *house) {
		t.Helper()
		got := h.do(akitad.TaskRequest{Text: "work", Profile: "analyst"})
		if got.State != akitad.Completed || len(got.Result.Degraded) != 1 || got.Result.Degraded[0].From != "analyst" {
			t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
		}
		for _, s := range h.whole(got.ID) {
			if err := tracing.Check(s); err != nil {
				t.Error(err)
			}
		}
	}
	h := startParts(t, home, script, whole, nil)
	for range 3 {
		work(h)
	}
	if n := tried(); n != 3 {
		t.Fatalf("the analyst was tried %d times", n)
	}
	work(h)
	h.stop()
	again := startParts(t, home, script, whole, nil)
	work(again)
	if n := tried(); n != 3 {
		t.Errorf("the analyst was tried %d times after it had failed often enough", n-3)
	}
}
