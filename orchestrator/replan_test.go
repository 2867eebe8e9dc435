package orchestrator_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

const firstPlan = `steps:
  - {id: a, agent: analyst, goal: part a, parallel: true}
  - {id: b, agent: analyst, goal: part b, parallel: true}
  - {id: c, agent: writer, goal: part c, needs: [a, b]}
`

var (
	firstAsk = llmtest.All(llmtest.Role(llm.RolePlanner), llmtest.Not(llmtest.System("no longer fits")))
	rewrite  = llmtest.All(llmtest.Role(llm.RolePlanner), llmtest.System("no longer fits"))
	fails    = llmtest.FailKind(akitad.ContentFiltered)
)

func says(what string) llmtest.Turn { return submitResult(map[string]any{"text": what}) }

// A step that failed lets the planner rewrite what is unfinished: finished steps keep their tasks and
// results, failed ones are gone, ids may be used again.
func TestAFailedStepIsPlannedAnew(t *testing.T) {
	script := llmtest.New(t).
		On(firstAsk, llmtest.Text(strings.ReplaceAll(firstPlan, ", parallel: true", ""))).
		On(rewrite, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			_, b := llm.SplitBrief(r.Messages[0].Text)
			given := strings.Join(b.Given, "\n")
			if !strings.Contains(given, "a: finished") || !strings.Contains(given, "b: failed") || !strings.Contains(given, "c: cannot begin") || !strings.Contains(b.Problem, "step b failed") {
				return llm.Reply{}, errors.New("the planner is told:\n" + given + "\n" + b.Problem)
			}
			return llm.Reply{Text: "steps:\n  - {id: b, agent: writer, goal: other way}\n  - {id: c, agent: writer, goal: new end, needs: [a, b]}\n", Finish: llm.FinishStop}, nil
		})).
		On(llmtest.Begins("part a"), says("A")).
		Always(llmtest.Begins("part b"), fails).
		On(llmtest.Begins("other way"), says("B after all")).
		On(llmtest.Begins("new end"), llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			_, b := llm.SplitBrief(r.Messages[0].Text)
			if len(b.Results) != 2 || b.Results[0].Text != "A" || b.Results[1].Text != "B after all" {
				return llm.Reply{}, fmt.Errorf("ended from %+v", b.Results)
			}
			return llm.Reply{Calls: []akitad.Call{llmtest.Call("submit_result", map[string]any{"text": "whole"})}, Finish: llm.FinishCalls}, nil
		}))
	h := start(t, script)
	got := h.do(complexTask())
	if got.State != akitad.Completed || got.Result.Text != "whole" || got.Result.Partial || got.Replans != 1 {
		t.Fatalf("%s %+v %+v, %d replans", got.State, got.Result, got.Error, got.Replans)
	}
	if h.events(got.ID, journal.Replanned) != 1 || len(got.Children) != 4 || got.Children[0].Run != "a" || got.Children[1].Run != "" {
		t.Errorf("children %+v", got.Children)
	}
	choices := map[string]string{}
	for _, s := range h.spans(got.ID, akitad.SpanDecision) {
		choices[fmt.Sprint(s.Attributes["type"])] = fmt.Sprint(s.Attributes["choice"])
	}
	if choices["replan"] != "rewrite" || choices["split"] != "plan" {
		t.Errorf("decisions %v", choices)
	}
}

// A planner that knows nothing better, writes nonsense, is the offline engine or does not answer costs
// nothing but the try: the task goes on with what it has. The same failure is not taken there twice.
func TestARewriteThatComesToNothing(t *testing.T) {
	for _, tt := range []struct {
		name  string
		turns []llmtest.Turn
		asked int
		why   string
	}{
		{"nothing better", []llmtest.Turn{llmtest.Text("steps: []")}, 1, "nothing better"},
		{"nonsense", []llmtest.Turn{llmtest.Text("I am sorry"), llmtest.Text("steps: [{id: c, agent: nobody, goal: x}]"), llmtest.Text("steps: [{id: d, agent: writer, goal: x, needs: [b]}]")}, 3, "not valid"},
		{"no planner", []llmtest.Turn{llmtest.FailKind(akitad.Auth)}, 1, "no planner answered"},
		{"the offline engine", []llmtest.Turn{llmtest.Reply(llm.Reply{Text: "steps: [{id: z, agent: writer, goal: never}]", Model: llm.OfflineModel, Finish: llm.FinishStop})}, 1, "nothing better"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).On(firstAsk, llmtest.Text(firstPlan)).On(rewrite, tt.turns...).
				On(llmtest.Begins("part a"), says("A")).Always(llmtest.Begins("part b"), fails).
				Always(llmtest.Begins("Compare"), llmtest.Text("A is all there is"))
			h := start(t, script)
			got := h.do(complexTask())
			if got.State != akitad.Completed || !got.Result.Partial || !strings.Contains(strings.Join(got.Result.Missing, ";"), "b: ") {
				t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
			}
			asked := 0
			for _, r := range script.Requests() {
				if rewrite(r) {
					asked++
				}
			}
			if asked != tt.asked || got.Replans != 1 || len(got.Planned.Plan.Steps) != 3 {
				t.Errorf("asked %d times, %d replans, plan %+v", asked, got.Replans, got.Planned.Plan)
			}
			for _, s := range h.spans(got.ID, akitad.SpanDecision) {
				if s.Attributes["type"] == "replan" && (s.Attributes["choice"] != "go on" || !strings.Contains(fmt.Sprint(s.Attributes["reason"]), tt.why)) {
					t.Errorf("decision %+v", s.Attributes)
				}
			}
		})
	}
}

// Twice at most for a root task; a person's plan never.
func TestHowOftenAPlanIsRewritten(t *testing.T) {
	script := llmtest.New(t).On(firstAsk, llmtest.Text(firstPlan)).
		On(rewrite, llmtest.Text("steps: [{id: c, agent: writer, goal: part b again}]"), llmtest.Text("steps: [{id: d, agent: writer, goal: part b once more}]")).
		On(llmtest.Begins("part a"), says("A")).Always(llmtest.Begins("part b"), fails).
		Always(llmtest.Begins("Compare"), llmtest.Text("A is all there is"))
	h := start(t, script)
	got := h.do(complexTask())
	if got.State != akitad.Completed || got.Replans != 2 || !got.Result.Partial || !strings.Contains(strings.Join(got.Result.Missing, ";"), "d: ") {
		t.Fatalf("%s %+v %+v, %d replans", got.State, got.Result, got.Error, got.Replans)
	}
	got = h.do(akitad.TaskRequest{Text: "Compare by my plan", Plan: "steps: [{id: x, tool: time}, {id: y, agent: analyst, goal: part b}]"})
	if got.State != akitad.Completed || got.Replans != 0 || h.events(got.ID, journal.Replanned) != 0 {
		t.Errorf("a person's plan: %s %+v %+v, %d replans", got.State, got.Result, got.Error, got.Replans)
	}
}

// A step's agent may ask for another plan: its step ends with what it found, which stays.
func TestAStepAsksForAnotherPlan(t *testing.T) {
	wish := llmtest.Calls(llmtest.Call("replan", map[string]any{"reason": "b.csv is empty, look at d.csv", "found": "A so far"}))
	for _, tt := range []struct {
		name    string
		planner llmtest.Turn
		says    string
		missing string
	}{
		{"granted", llmtest.Text("steps: [{id: d, agent: analyst, goal: part d, needs: [a]}]"), "D and A so far", ""},
		{"refused", llmtest.Text("steps: []"), "C", "look at d.csv"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).On(firstAsk, llmtest.Text("steps:\n  - {id: a, agent: analyst, goal: part a}\n  - {id: c, agent: writer, goal: part c, needs: [a]}\n")).
				On(rewrite, tt.planner).On(llmtest.All(llmtest.Begins("part a"), llmtest.Offers("replan")), wish)
			if tt.missing == "" {
				script.On(llmtest.All(llmtest.Begins("part d"), llmtest.Says("A so far")), says("D and A so far"))
			} else {
				script.On(llmtest.All(llmtest.Begins("part c"), llmtest.Says("A so far")), says("C"))
			}
			h := start(t, script)
			got := h.do(complexTask())
			if got.State != akitad.Completed || !strings.HasPrefix(got.Result.Text, tt.says) || got.Result.Partial != (tt.missing != "") || !strings.Contains(strings.Join(got.Result.Missing, ";"), tt.missing) {
				t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
			}
			if got.Children[0].Run != "a" {
				t.Errorf("the step that asked no longer counts: %+v", got.Children)
			}
		})
	}
}

// The tool is offered where it can be granted and nowhere else.
func TestWhoMayAskForAnotherPlan(t *testing.T) {
	script := llmtest.New(t).
		On(llmtest.All(llmtest.Begins("part a"), llmtest.Not(llmtest.Offers("replan"))), says("A")).
		On(llmtest.All(llmtest.Begins("hello"), llmtest.Not(llmtest.Offers("replan"))), llmtest.Text("hi"))
	h := start(t, script)
	for _, req := range []akitad.TaskRequest{{Text: "hello"}, {Text: "go", Plan: "steps: [{id: a, agent: assistant, goal: part a}]"}} {
		if got := h.do(req); got.State != akitad.Completed {
			t.Errorf("%+v: %s %+v", req, got.State, got.Error)
		}
	}
}

// The control node stops while the planner rewrites: it is asked again, once the node is back, and the
// running sibling never notices.
func TestARestartInTheMiddleOfReplanning(t *testing.T) {
	thinking, slow := llmtest.NewHold(), llmtest.NewHold()
	script := llmtest.New(t).On(firstAsk, llmtest.Text(firstPlan)).
		On(rewrite, llmtest.Text("never seen").Held(thinking), llmtest.Text("steps: [{id: d, agent: writer, goal: part d, needs: [a]}]")).
		On(llmtest.Begins("part a"), says("A").Held(slow), says("A")).
		Always(llmtest.Begins("part b"), fails).On(llmtest.Begins("part d"), says("D"))
	home := t.TempDir()
	h := startParts(t, home, script, app.Parts{Orchestrate: true, Work: true}, nil)
	id := h.submit(complexTask())
	<-slow.Arrived()
	<-thinking.Arrived()
	h.stop()
	h = startParts(t, home, script, whole, nil)
	got := h.ended(id)
	if got.State != akitad.Completed || got.Result.Text != "D" || got.Replans != 1 || got.Result.Partial {
		t.Fatalf("%s %+v %+v, %d replans", got.State, got.Result, got.Error, got.Replans)
	}
	if h.events(id, journal.Replanned) != 1 || len(attempts(got, "part a")) != 1 {
		t.Errorf("children %+v", got.Children)
	}
}
