package orchestrator_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func unapproved(t *journal.Task) bool {
	return t.State == akitad.Waiting && t.Reason == akitad.ReasonApproval
}

func askedFor(plan string) akitad.TaskRequest {
	req := complexTask()
	req.Plan = plan
	return req
}

// A plan that is to be approved is shown, in lines and as YAML, and nothing runs before somebody says so;
// words of change go to the planner, with the plan as it was.
func TestAPlanWaitsForApproval(t *testing.T) {
	script := llmtest.New(t).
		On(llmtest.Role(llm.RolePlanner), llmtest.Text(two), llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			n := len(r.Messages)
			if n != 3 || r.Messages[1].Speaker != llm.Assistant || !strings.Contains(r.Messages[1].Text, "part b") || !strings.Contains(r.Messages[2].Text, "leave b out") {
				t.Errorf("the planner is told %+v", r.Messages)
			}
			return llm.Reply{Text: "steps: [{id: a, agent: analyst, goal: part a}]", Finish: llm.FinishStop}, nil
		})).
		On(llmtest.Begins("part a"), says("A"))
	home := t.TempDir()
	h := startParts(t, home, script, whole, nil)
	id := h.submit(askedFor("ask"))
	q := h.until(id, unapproved)
	for _, want := range []string{"1. a - analyst: part a", "2. b - writer: part b (after a)", "```yaml\nsteps:", "Answer approve"} {
		if !strings.Contains(q.Question(), want) {
			t.Errorf("the question lacks %q:\n%s", want, q.Question())
		}
	}
	if v := q.View(); v.Question == "" || v.Reason != akitad.ReasonApproval || len(q.Children) != 0 || len(script.Requests()) != 1 {
		t.Errorf("%+v after %d requests", v, len(script.Requests()))
	}
	h.stop()
	h = startParts(t, home, script, whole, nil)
	steer := func(words string) {
		t.Helper()
		if err := h.Orchestrator.Steer(t.Context(), id, words); err != nil {
			t.Fatal(err)
		}
	}
	steer("leave b out")
	q = h.until(id, func(t *journal.Task) bool { return unapproved(t) && t.Plans == 2 })
	if strings.Contains(q.Question(), "part b") || len(q.Children) != 0 {
		t.Errorf("changed to:\n%s", q.Question())
	}
	steer("OK!")
	if got := h.ended(id); got.State != akitad.Completed || got.Result.Text != "A" || len(got.Steers) != 0 {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
}

func TestAPlanThatIsNotApproved(t *testing.T) {
	never := func(t *testing.T) *llmtest.Script {
		return llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text(two))
	}
	t.Run("stop", func(t *testing.T) {
		h := start(t, never(t))
		id := h.submit(askedFor("ask"))
		h.until(id, unapproved)
		if err := h.Orchestrator.Steer(t.Context(), id, "不要"); err != nil {
			t.Fatal(err)
		}
		if got := h.ended(id); got.State != akitad.WasCancelled || len(got.Children) != 0 {
			t.Errorf("%s %+v", got.State, got.Error)
		}
	})
	t.Run("nobody answers", func(t *testing.T) {
		h := start(t, never(t))
		id := h.submit(askedFor("ask"))
		h.until(id, unapproved)
		h.dayLater(id)
		if got := h.ended(id); got.State != akitad.Failed || got.Error.Kind != akitad.Expired || len(got.Children) != 0 {
			t.Errorf("%s %+v", got.State, got.Error)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		h := start(t, never(t))
		id := h.submit(askedFor("ask"))
		h.until(id, unapproved)
		if err := h.Orchestrator.Cancel(t.Context(), id, "test"); err != nil {
			t.Fatal(err)
		}
		if got := h.ended(id); got.State != akitad.WasCancelled {
			t.Errorf("%s %+v", got.State, got.Error)
		}
	})
}

// A change that cannot be made leaves the plan as it was, and the next question says why.
func TestAChangeThatCannotBeMade(t *testing.T) {
	bad := llmtest.Text("steps: [{id: a, agent: nobody, goal: x}]")
	script := llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text(two), bad, bad, bad).
		On(llmtest.Begins("part a"), says("A")).On(llmtest.Begins("part b"), says("B"))
	h := start(t, script)
	id := h.submit(askedFor(" ask "))
	h.until(id, unapproved)
	if err := h.Orchestrator.Steer(t.Context(), id, "have nobody do it"); err != nil {
		t.Fatal(err)
	}
	q := h.until(id, func(t *journal.Task) bool { return unapproved(t) && t.Plans == 2 })
	if !strings.Contains(q.Question(), "could not be made") || !strings.Contains(q.Question(), "part b") {
		t.Errorf("the question is:\n%s", q.Question())
	}
	if err := h.Orchestrator.Steer(t.Context(), id, "go ahead"); err != nil {
		t.Fatal(err)
	}
	if got := h.ended(id); got.State != akitad.Completed || got.Result.Text != "B" {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
}

// In a chat the plan comes in the person's language and the next message is the word about it; work that
// one agent does is approved like any other, and the configuration can ask for all of it.
func TestPlanModeInAChat(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text("steps: []")).
		On(llmtest.Begins("你好"), llmtest.Text("好"))
	h := startParts(t, t.TempDir(), script, whole, func(c *config.Config) { c.Plan = "ask" })
	id := h.say(1, "你好", func(m *akitad.Message) { m.Origin.Lang = "zh" })
	q := h.until(id, unapproved)
	if !strings.Contains(q.WaitNote, "计划：由一个智能体（assistant）完成") || h.load(id).Handed {
		t.Errorf("note %q", q.WaitNote)
	}
	h.say(2, "好的", nil)
	if got := h.ended(id); got.State != akitad.Completed || got.Result.Text != "好" {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	auto := h.do(akitad.TaskRequest{Plan: "steps: [{id: a, tool: time}]"})
	if auto.State != akitad.Completed {
		t.Errorf("a person's plan waits for nobody: %s %+v", auto.State, auto.Error)
	}
}

// A flow that is to be approved is shown like any plan.
func TestAFlowIsShown(t *testing.T) {
	h := start(t, llmtest.New(t))
	h.flow("f", "params: {n: {type: string}}\nsteps: [{id: a, tool: write_file, with: {path: a.txt, content: \"${{ params.n }}\"}}]\n")
	id := h.submit(akitad.TaskRequest{Flow: "f", Plan: "ask", Params: map[string]any{"n": "7"}})
	if q := h.until(id, unapproved); !strings.Contains(q.Question(), "1. a - the tool write_file") {
		t.Errorf("the question is:\n%s", q.Question())
	}
	if err := h.Orchestrator.Steer(t.Context(), id, "yes"); err != nil {
		t.Fatal(err)
	}
	if got := h.ended(id); got.State != akitad.Completed || h.file(got, "a.txt") != "7" {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}
