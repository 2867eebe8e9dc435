package pool_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/pool"
)

// walker is a model that takes one more step each time, until calls are forbidden.
type walker struct{ n atomic.Int64 }

func (w *walker) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	n := w.n.Add(1)
	if req.Choice == llm.ChoiceNone {
		return llm.Reply{Text: "as far as I came", Finish: llm.FinishStop, Usage: akitad.Usage{Calls: 1, Input: 10}}, nil
	}
	c := llmtest.Call("walk", map[string]any{"n": n})
	c.ID = fmt.Sprint("c", n)
	return llm.Reply{Calls: []akitad.Call{c}, Finish: llm.FinishCalls, Usage: akitad.Usage{Calls: 1, Input: 10}}, nil
}

// family is a root task that has planned, with one child that runs and one that is to.
func family(h *house, budget *akitad.Budget, used, sibling akitad.Usage, child journal.SubmittedData) (root, other, id akitad.TaskID) {
	root = h.submit("root", journal.SubmittedData{Text: "go", Budget: budget})
	h.append(root, journal.Planned, journal.PlannedData{Profile: "assistant", Usage: used})
	child.Text, child.Parent, child.Depth = "part", root, 1
	other, id = h.submit("other", child), h.submit("child", child)
	h.append(root, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: other, Run: "a"}, {ID: id, Run: "b"}}})
	h.append(other, journal.Planned, journal.PlannedData{Usage: sibling})
	return root, other, id
}

// A child counts what its root and its siblings used, and ends with what it has.
func TestAChildKeepsToTheTreesBudget(t *testing.T) {
	walk := newFake("walk", readonly, func(_ context.Context, in tool.Input) (tool.Result, error) {
		return tool.Result{Text: string(in.Args)}, nil
	})
	for _, tt := range []struct {
		name   string
		house  guard.Limits
		budget *akitad.Budget
		rounds int
	}{
		{"the house's", guard.Limits{Calls: 6}, nil, 2},
		{"the request's is lower", guard.Limits{Calls: 600}, &akitad.Budget{Calls: 5}, 1},
		{"the request's is higher", guard.Limits{Calls: 6}, &akitad.Budget{Calls: 50}, 2},
		{"tokens", guard.Limits{Input: 330}, nil, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t, &walker{}, walk).run(pool.WorkerOptions{Budget: tt.house})
			_, _, id := family(h, tt.budget, akitad.Usage{Calls: 3, Input: 200}, akitad.Usage{Calls: 1, Input: 200, Cached: 100}, journal.SubmittedData{})
			h.dispatch(id)
			got := h.ended(id)
			if got.State != akitad.Completed || !got.Result.Partial || got.Result.Text != "as far as I came" || len(got.Rounds) != tt.rounds {
				t.Fatalf("%s after %d rounds: %+v %+v", got.State, len(got.Rounds), got.Result, got.Error)
			}
			h.stop()
			if st := h.pool.Stats()[0]; st.Failed != 1 || st.Done != 0 {
				t.Errorf("counted as %+v", st)
			}
		})
	}
}

// What a sibling uses meanwhile is seen within a few rounds.
func TestTheTreeIsLookedAtAgain(t *testing.T) {
	var h *house
	var other akitad.TaskID
	walk := newFake("walk", readonly, nil)
	walk.call = func(_ context.Context, in tool.Input) (tool.Result, error) {
		if walk.calls() == 1 {
			h.append(other, journal.Planned, journal.PlannedData{Usage: akitad.Usage{Calls: 200}})
		}
		return tool.Result{Text: string(in.Args)}, nil
	}
	h = newHouse(t, &walker{}, walk).run(pool.WorkerOptions{Budget: guard.Limits{Calls: 200}})
	_, sibling, id := family(h, nil, akitad.Usage{}, akitad.Usage{}, journal.SubmittedData{})
	other = sibling
	h.dispatch(id)
	if got := h.ended(id); len(got.Rounds) != 4 || !strings.Contains(strings.Join(got.Result.Missing, ""), "budget") {
		t.Errorf("it went on for %d rounds: %+v", len(got.Rounds), got.Result)
	}
}

func TestAModelStepKeepsToTheTreesBudget(t *testing.T) {
	model := &walker{}
	h := newHouse(t, model).run(pool.WorkerOptions{Budget: guard.Limits{Calls: 4}})
	s := step(akitad.Step{Model: "main", Prompt: "say"})
	_, _, id := family(h, nil, akitad.Usage{Calls: 3}, akitad.Usage{Calls: 1}, s)
	h.dispatch(id)
	if got := h.ended(id); got.Error == nil || got.Error.Kind != akitad.OverBudget || model.n.Load() != 0 {
		t.Errorf("%s %+v after %d calls", got.State, got.Error, model.n.Load())
	}
}

// mute goes in circles and has nothing to say; the assistant answers at once.
type mute struct{}

func (mute) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	switch {
	case !strings.Contains(req.System, "You are an analyst"):
		return llm.Reply{Text: "three", Finish: llm.FinishStop}, nil
	case req.Choice == llm.ChoiceNone:
		return llm.Reply{Finish: llm.FinishStop}, nil
	}
	return llm.Reply{Calls: []akitad.Call{llmtest.Call("walk", nil)}, Finish: llm.FinishCalls}, nil
}

// An agent that went in circles and has no answer is followed by the next one.
func TestALoopLeadsToTheNextAgent(t *testing.T) {
	walk := newFake("walk", readonly, says("nowhere"))
	h := newHouse(t, mute{}, walk).run(pool.WorkerOptions{})
	id := h.submit("x", journal.SubmittedData{Text: "count", Profile: "analyst", Parent: parentID, Depth: 1})
	h.dispatch(id)
	h.until(id, func(t *journal.Task) bool { return t.Profile == "assistant" || t.Final() })
	h.dispatch(id)
	got := h.ended(id)
	if got.State != akitad.Completed || got.Result.Text != "three" || len(got.Degraded) != 1 || got.Degraded[0].Kind != akitad.Loop || walk.calls() != 2 {
		t.Errorf("%s %+v %+v, %+v, the tool ran %d times", got.State, got.Result, got.Error, got.Degraded, walk.calls())
	}
}
