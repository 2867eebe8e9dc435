package orchestrator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// supervised gives the interventions on record, as "pattern: action".
func (h *house) supervised(root akitad.TaskID) (out []string) {
	h.t.Helper()
	for _, s := range h.spans(root, akitad.SpanSupervision) {
		out = append(out, fmt.Sprint(s.Attributes["pattern"], ": ", s.Attributes["action"]))
	}
	return out
}

// A plan whose steps come to something else than they should, as far as that can be counted, is written
// anew from where it stands; what was seen once is not taken there twice.
func TestAPlanThatDrifts(t *testing.T) {
	part := func(s string) llmtest.Turn {
		return submitResult(map[string]any{"text": s, "missing": []string{"the rest"}})
	}
	more := func(n int) llmtest.Turn {
		return submitResult(map[string]any{"text": "found some", "next": map[string]any{"goal": fmt.Sprint("more ", n)}})
	}
	const checked = `verify: {schema: {type: object, properties: {text: {const: good}}}}`
	bad, good := llmtest.Text("bad"), llmtest.Text("good")
	for _, tt := range []struct {
		name   string
		plan   string
		script func(*llmtest.Script)
		why    string // "" if it does not drift
	}{
		{
			"three steps in part", "steps:\n  - {id: a, agent: analyst, goal: part a}\n  - {id: b, agent: analyst, goal: part b}\n  - {id: c, agent: analyst, goal: part c}\n  - {id: d, agent: writer, goal: part d, needs: [a, b, c]}\n",
			func(s *llmtest.Script) {
				s.On(llmtest.Begins("part a"), part("A")).On(llmtest.Begins("part b"), part("B")).On(llmtest.Begins("part c"), part("C"))
			}, "3 steps gave only a part",
		},
		{
			"two steps in part", "steps:\n  - {id: a, agent: analyst, goal: part a}\n  - {id: b, agent: analyst, goal: part b}\n  - {id: d, agent: writer, goal: part d, needs: [a, b]}\n",
			func(s *llmtest.Script) {
				s.On(llmtest.Begins("part a"), part("A")).On(llmtest.Begins("part b"), part("B"))
			}, "",
		},
		{
			"nothing is left to be another", "steps:\n  - {id: a, agent: analyst, goal: part a}\n  - {id: b, agent: analyst, goal: part b}\n  - {id: d, agent: writer, goal: part d, needs: [a, b]}\n",
			func(s *llmtest.Script) {
				s.On(llmtest.Begins("part a"), part("A")).On(llmtest.Begins("part b"), part("B")).On(llmtest.Begins("part d"), part("old end"))
			}, "",
		},
		{
			"follow-ups used up", "steps:\n  - {id: a, agent: analyst, goal: part a}\n  - {id: d, agent: writer, goal: part d, needs: [a]}\n",
			func(s *llmtest.Script) {
				s.On(llmtest.Begins("part a"), more(1)).On(llmtest.Begins("more 1"), more(2)).On(llmtest.Begins("more 2"), more(3)).On(llmtest.Begins("more 3"), more(4))
			}, "step a has used up its follow-ups",
		},
		{
			"many attempts", "steps:\n  - {id: a, model: main, prompt: part a, " + checked + "}\n  - {id: b, model: main, prompt: part b, " + checked + "}\n  - {id: d, agent: writer, goal: part d, needs: [a, b]}\n",
			func(s *llmtest.Script) {
				for _, step := range []string{"part a", "part b"} {
					s.On(llmtest.Begins(step), bad, bad, bad, bad, bad, good)
				}
			}, "10 further attempts together",
		},
		{
			"attempts of one step", "steps:\n  - {id: a, model: main, prompt: part a, " + checked + "}\n  - {id: d, agent: writer, goal: part d, needs: [a]}\n",
			func(s *llmtest.Script) {
				s.On(llmtest.Begins("part a"), bad, bad, bad, bad, bad, bad, bad, bad, bad, good)
			}, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).On(firstAsk, llmtest.Text(tt.plan))
			wantText := "old end"
			if tt.why != "" {
				wantText = "new end"
				script.On(rewrite, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
					_, b := llm.SplitBrief(r.Messages[0].Text)
					if !strings.Contains(b.Problem, tt.why) {
						return llm.Reply{}, fmt.Errorf("the planner is told %q", b.Problem)
					}
					needs := "a"
					for _, step := range []string{"b", "c"} {
						if given := strings.Join(b.Given, "\n"); strings.Contains(given, "\n"+step+": finished") || strings.Contains(given, "\n"+step+": running") {
							needs += ", " + step
						}
					}
					return llm.Reply{Text: "steps:\n  - {id: e, agent: writer, goal: part e, needs: [" + needs + "]}\n", Finish: llm.FinishStop}, nil
				}))
				script.On(llmtest.Begins("part e"), says("new end"))
			} else if tt.name != "nothing is left to be another" {
				script.On(llmtest.Begins("part d"), says("old end"))
			}
			tt.script(script)
			h := start(t, script)
			got := h.do(complexTask())
			if got.State != akitad.Completed || !strings.HasPrefix(got.Result.Text, wantText) {
				t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
			}
			drifted := strings.Contains(strings.Join(h.supervised(got.ID), ";"), "plan drift: rewrite")
			if drifted != (tt.why != "") || got.Replans != h.events(got.ID, journal.Replanned) || drifted != (got.Replans == 1) {
				t.Errorf("supervised %q, %d rewrites", h.supervised(got.ID), got.Replans)
			}
		})
	}
}

// A person's plan is run as it was written, whatever its steps come to.
func TestAPersonsPlanDoesNotDrift(t *testing.T) {
	script := llmtest.New(t)
	for _, step := range []string{"part a", "part b", "part c"} {
		script.On(llmtest.Begins(step), submitResult(map[string]any{"text": step, "missing": []string{"the rest"}}))
	}
	script.On(llmtest.Begins("part d"), says("end"))
	h := start(t, script)
	got := h.do(akitad.TaskRequest{Text: "go", Plan: "steps:\n  - {id: a, agent: analyst, goal: part a}\n  - {id: b, agent: analyst, goal: part b}\n  - {id: c, agent: analyst, goal: part c}\n  - {id: d, agent: writer, goal: part d, needs: [a, b, c]}\n"})
	if got.State != akitad.Completed || got.Replans != 0 || len(h.supervised(got.ID)) != 0 {
		t.Errorf("%s %+v, supervised %q", got.State, got.Error, h.supervised(got.ID))
	}
}
