package orchestrator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func tasks(n int) func(*config.Config) { return func(c *config.Config) { c.Budgets.Tasks = n } }

// A plan's steps past the number of tasks are refused on record, and the plan goes on with what it has.
// A plan's single calls are no agents and are not counted.
func TestAPlansStepsKeepToTheNumberOfTasks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		plan   string
		limit  int
		states string // of the steps
		tasks  int    // delegated, single calls too
	}{
		{"enough", "steps:\n  - {id: a, agent: analyst, goal: do a}\n  - {id: b, agent: analyst, goal: do b, needs: [a]}\n", 2, "completed completed", 2},
		{"one too many", "steps:\n  - {id: a, agent: analyst, goal: do a}\n  - {id: b, agent: analyst, goal: do b}\n  - {id: t, tool: time, needs: [b]}\n  - {id: u, tool: time, needs: [a]}\n", 1, "completed failed blocked completed", 2},
		{"many single calls", "steps:\n  - {id: t, tool: time, for_each: '[1, 2, 3, 4]'}\n  - {id: a, agent: analyst, goal: do a}\n", 1, "completed completed", 5},
		{"items", "steps:\n  - {id: a, agent: analyst, goal: 'do ${{ item }}', for_each: '[a, b, c]', on_error: skip}\n", 2, "failed", 2},
		{"nobody is asked", "steps:\n  - {id: a, agent: analyst, goal: do a}\n  - {id: b, agent: analyst, goal: do b, on_error: ask}\n", 1, "completed failed", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).Always(llmtest.Begins("do "), says("done")).Always(llmtest.Any, llmtest.Text("all there is"))
			h := startParts(t, t.TempDir(), script, whole, tasks(tt.limit))
			got := h.do(akitad.TaskRequest{Text: "go", Plan: tt.plan})
			var states []string
			refused := false
			for _, s := range got.View().Steps {
				states = append(states, s.State)
				if s.State == "failed" {
					refused = true
					if s.Error == nil || s.Error.Kind != akitad.OverBudget || !strings.Contains(s.Error.Message, "no more may be") {
						t.Errorf("%s: %+v", s.ID, s.Error)
					}
				}
			}
			if all := strings.Join(states, " "); got.State != akitad.Completed || all != tt.states || len(got.Children) != tt.tasks {
				t.Fatalf("%s: steps %s, %d tasks, %+v %+v", got.State, all, len(got.Children), got.Result, got.Error)
			}
			if got.Result.Partial != refused || refused != strings.Contains(strings.Join(got.Result.Missing, ";"), "no more may be") {
				t.Errorf("partial %v, missing %q", got.Result.Partial, got.Result.Missing)
			}
			if refused != slices.Contains(h.supervised(got.ID), "budget: refuse") {
				t.Errorf("supervised %q", h.supervised(got.ID))
			}
		})
	}
}

// When nothing of a plan could be done for want of room, the task fails with that kind, and a retry lets
// it have as much again.
func TestARetryLetsRefusedStepsRun(t *testing.T) {
	script := llmtest.New(t).
		On(llmtest.Begins("do a"), llmtest.FailKind(akitad.ContentFiltered), says("A")).
		On(llmtest.Begins("do b"), says("B"))
	h := startParts(t, t.TempDir(), script, whole, tasks(1))
	got := h.do(akitad.TaskRequest{Text: "go", Plan: "steps:\n  - {id: a, agent: analyst, goal: do a}\n  - {id: b, agent: analyst, goal: do b}\n  - {id: t, tool: time, needs: [a, b]}\n"})
	if got.State != akitad.Failed || len(got.Children) != 1 || !got.Reopens() {
		t.Fatalf("%s %+v after %d tasks", got.State, got.Error, len(got.Children))
	}
	if err := h.Orchestrator.Retry(t.Context(), got.ID, nil); err != nil {
		t.Fatal(err)
	}
	got = h.until(got.ID, func(t *journal.Task) bool { return t.Retries == 1 && t.Final() })
	if got.State != akitad.Completed || got.Result.Partial || len(got.Children) != 3 {
		t.Errorf("%s %+v %+v after %d tasks", got.State, got.Result, got.Error, len(got.Children))
	}
}

// A follow-up counts as a task too: one that is refused leaves the result partial.
func TestAFollowUpKeepsToTheNumberOfTasks(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Begins("do a"), submitResult(map[string]any{"text": "found 1", "next": map[string]any{"goal": "find more"}}))
	h := startParts(t, t.TempDir(), script, whole, tasks(1))
	got := h.do(akitad.TaskRequest{Text: "go", Plan: "steps: [{id: a, agent: analyst, goal: do a}]"})
	if got.State != akitad.Completed || got.Result.Text == "" || !got.Result.Partial || !strings.Contains(strings.Join(got.Result.Missing, ";"), "find more") {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	if !slices.Contains(h.supervised(got.ID), "budget: refuse") {
		t.Errorf("supervised %q", h.supervised(got.ID))
	}
}

// The planner's calls count, and are not begun when the budget is used up; nor are the compiler's.
func TestThePlannerKeepsToTheBudget(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text(two))
	h := startParts(t, t.TempDir(), script, whole, func(c *config.Config) { c.Budgets.Calls = 1 })
	id := h.submit(askedFor("ask"))
	h.until(id, unapproved)
	if err := h.Orchestrator.Steer(t.Context(), id, "leave b out"); err != nil {
		t.Fatal(err)
	}
	got := h.until(id, func(t *journal.Task) bool { return unapproved(t) && t.Plans == 2 || t.Final() })
	if got.Final() || !strings.Contains(got.Question(), "the budget of this task is used up (model calls)") || len(script.Requests()) != 1 {
		t.Errorf("%s, asks %q after %d requests", got.State, got.Question(), len(script.Requests()))
	}
	if !slices.Contains(h.supervised(id), "budget: refuse") {
		t.Errorf("supervised %q", h.supervised(id))
	}
}

func TestTheCompilerKeepsToTheBudget(t *testing.T) {
	for calls, asked := range map[int]bool{0: true, 400: false} {
		home := t.TempDir()
		script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("done"))
		model := func(c *config.Config) { c.Compiler = "always" }
		h := startParts(t, home, script, app.Parts{Work: true}, model)
		id := akitad.DeriveTaskID(t.Name(), fmt.Sprint(calls))
		sub := journal.SubmittedData{Root: id, Folder: "folder", Text: "Tell me all that you know of the three largest rivers of this country", Profile: "assistant"}
		if _, _, err := h.Journal.Create(t.Context(), id, sub); err != nil {
			t.Fatal(err)
		}
		h.append(id, journal.Replanned, journal.ReplannedData{Usage: akitad.Usage{Calls: calls}})
		h.stop()
		h = startParts(t, home, script, whole, model)
		h.ended(id)
		compiled := slices.ContainsFunc(script.Requests(), func(r llm.Request) bool { return r.Role == llm.RoleCompiler })
		if compiled != asked {
			t.Errorf("after %d calls: the compiler was asked: %v", calls, compiled)
		}
	}
}
