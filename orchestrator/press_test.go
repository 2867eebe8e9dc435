package orchestrator_test

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/orchestrator"
)

// A plan is approved by a press, once; the question stays known with its answer.
func TestAPressApprovesAPlan(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text("steps: []")).Always(llmtest.Any, llmtest.Text("done"))
	h := startParts(t, t.TempDir(), script, whole, func(c *config.Config) { owned(c); c.Plan = "ask" })
	id := h.say(1, "go", nil)
	asked := orchestrator.Questions(h.until(id, unapproved))
	if len(asked) != 1 || len(asked[0].Choices) != 2 || asked[0].Call() == "" || len(asked[0].ID) > 60 {
		t.Fatalf("asked %+v", asked)
	}
	q := asked[0]
	if got, past, err := h.Orchestrator.Asked(t.Context(), q.ID); err != nil || past != nil || got.Text != q.Text {
		t.Errorf("open: %+v, %+v, %v", got, past, err)
	}
	for _, message := range []string{"press-1", "press-2", "press-1"} {
		if err := h.Orchestrator.Press(t.Context(), q.ID, q.Choices[0], message); err != nil {
			t.Fatal(err)
		}
	}
	if got := h.ended(id); got.State != akitad.Completed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
	got, past, err := h.Orchestrator.Asked(t.Context(), q.ID)
	if err != nil || past == nil || past.Words != q.Choices[0] || past.Message != "press-1" || got.Text != q.Text || got.Call() != q.Call() {
		t.Errorf("closed: %+v, %+v, %v", got, past, err)
	}
	for _, other := range []string{"", "x", string(id), string(id) + ".aaaaaaaa"} {
		if _, _, err := h.Orchestrator.Asked(t.Context(), other); akitad.KindOf(err) != akitad.NotFound {
			t.Errorf("%q: %v", other, err)
		}
	}
}

// A message that names a call answers that one or nothing: it never becomes a task, and not of whom it is
// not for.
func TestAnswersExactly(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text("steps: []")).Always(llmtest.Any, llmtest.Text("done"))
	h := startParts(t, t.TempDir(), script, whole, func(c *config.Config) { owned(c); c.Plan = "ask" })
	id := h.say(1, "go", nil)
	q := orchestrator.Questions(h.until(id, unapproved))[0]
	answer := func(nr int, call, who string) akitad.TaskID {
		return h.say(nr, q.Choices[0], func(m *akitad.Message) {
			by(who)(m)
			m.Steers, m.Answers = id, call
		})
	}
	for nr, tt := range []struct{ call, who string }{{"another", "7"}, {q.Call(), "8"}} {
		other := answer(10+nr, tt.call, tt.who)
		if got := h.load(id); len(got.Answers) != 0 || h.load(other).Exists() {
			t.Errorf("%+v: answers %+v", tt, got.Answers)
		}
	}
	same := answer(20, q.Call(), "7")
	h.ended(id)
	answer(20, q.Call(), "7")
	if got := h.load(id); len(got.Answers) != 1 || got.State != akitad.Completed || h.load(same).Exists() {
		t.Errorf("%s, answers %+v", got.State, got.Answers)
	}
	var n int
	_ = h.Journal.Events(t.Context(), id, 0, func(e akitad.Event) error {
		if e.Kind == journal.Answered {
			n++
		}
		return nil
	})
	if n != 1 {
		t.Errorf("%d answers on record", n)
	}
}
