package orchestrator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A plan of tools alone calls no model; values pass from step to step, parameters have their types and
// defaults, and the last step's result is the answer.
func TestAPlanOfToolsCallsNoModel(t *testing.T) {
	script := llmtest.New(t)
	h := start(t, script)
	got := h.do(akitad.TaskRequest{Files: given("a.log", "INFO a\nERROR b\nERROR c\n"), Params: map[string]any{"limit": "1"}, Plan: `
params:
  word: ERROR
  limit: {type: integer}
steps:
  - id: find
    tool: grep
    with: {pattern: "${{ params.word }}", mode: count}
  - id: save
    tool: write_file
    with: {path: out.txt, content: "limit ${{ params.limit }}: ${{ steps.find.output.text }}"}
  - id: read
    tool: read_file
    needs: [save]
    with: {path: out.txt, limit: "${{ params.limit }}"}
`})
	if got.State != akitad.Completed || !strings.Contains(got.Result.Text, "limit 1: ") || got.Result.Partial || len(got.Children) != 3 {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	if n := len(script.Requests()); n != 0 {
		t.Errorf("a model was asked %d times", n)
	}
	if len(got.Files) != 1 || got.Files[0].Name != "out.txt" {
		t.Errorf("the files of the steps are not the task's: %+v", got.Files)
	}
}

func TestAFlowIsAFile(t *testing.T) {
	h := start(t, llmtest.New(t))
	h.flow("hello", "params: {name: {type: string}}\nsteps:\n  - {id: w, tool: write_file, with: {path: hi.txt, content: \"hi ${{ params.name }}\"}}\n  - {id: r, tool: read_file, needs: [w], with: {path: hi.txt}}\n")
	if got := h.do(akitad.TaskRequest{Flow: "hello", Params: map[string]any{"name": "Ada"}}); got.Result == nil || !strings.Contains(got.Result.Text, "hi Ada") {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	for name, req := range map[string]akitad.TaskRequest{
		"unknown flow": {Flow: "none"}, "no name": {Flow: "../hello"}, "missing parameter": {Flow: "hello"},
		"unknown parameter": {Flow: "hello", Params: map[string]any{"name": "a", "more": 1}},
		"bad plan":          {Plan: "steps: [{id: a, tool: none}]"},
	} {
		if _, err := h.Orchestrator.Submit(t.Context(), "http", req); akitad.KindOf(err) != akitad.InvalidRequest && akitad.KindOf(err) != akitad.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Parts that may run beside each other do; one that fails never stops the others, and what is missing is
// named in the answer.
func TestPartsRunBesideEachOther(t *testing.T) {
	hold := llmtest.NewHold()
	script := llmtest.New(t).
		On(llmtest.Begins("part a"), submitResult(map[string]any{"text": "A is fine"}).Held(hold)).
		Always(llmtest.Begins("part b"), llmtest.FailKind(akitad.ContentFiltered)).
		On(llmtest.Begins("join"), llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			_, brief := llm.SplitBrief(r.Messages[0].Text)
			if len(brief.Results) != 2 || brief.Results[0].Text != "A is fine" || brief.Results[1].Failed == "" {
				return llm.Reply{}, fmt.Errorf("joined from %+v", brief.Results)
			}
			return llm.Reply{Text: "A is fine, B is not known", Finish: llm.FinishStop}, nil
		}))
	h := start(t, script)
	id := h.submit(akitad.TaskRequest{Text: "join the parts", Plan: `
steps:
  - {id: a, agent: analyst, goal: part a, parallel: true}
  - {id: b, agent: analyst, goal: part b, parallel: true}
  - {id: c, agent: writer, goal: part c, needs: [b]}
`})
	<-hold.Arrived()
	h.until(id, func(t *journal.Task) bool { // b ends while a still runs
		return len(t.Children) == 2 && !t.Children[0].Done && t.Children[1].Done
	})
	hold.Release()
	got := h.ended(id)
	if got.State != akitad.Completed || !strings.HasPrefix(got.Result.Text, "A is fine") || !got.Result.Partial {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	if missing := strings.Join(got.Result.Missing, "; "); len(got.Result.Missing) != 2 || !strings.Contains(missing, "b: ") || !strings.Contains(missing, "c: needs b") {
		t.Errorf("missing: %q", got.Result.Missing)
	}
}

func TestWhatAStepsFailureMeans(t *testing.T) {
	const bad = "  - {id: bad, tool: read_file, with: {path: none.txt}%s}\n"
	for _, tt := range []struct {
		name, steps string
		state       akitad.State
		kind        akitad.Kind
		text        string
		missing     string
		partial     bool
	}{
		{
			name: "fail blocks what needs it", steps: fmt.Sprintf(bad, "") + "  - {id: ok, tool: time}\n  - {id: after, tool: time, needs: [bad]}\n",
			state: akitad.Completed, text: "**ok**", missing: "bad: ", partial: true,
		},
		{
			name: "skip lets what needs it run", steps: fmt.Sprintf(bad, ", on_error: skip") + "  - {id: after, tool: write_file, needs: [bad], with: {path: o.txt, content: went on}}\n  - {id: last, tool: read_file, needs: [after], with: {path: o.txt}}\n",
			state: akitad.Completed, text: "went on", missing: "bad: ", partial: true,
		},
		{name: "nothing came to a result", steps: fmt.Sprintf(bad, ""), state: akitad.Failed, kind: akitad.NotFound},
		{name: "nobody can be asked", steps: fmt.Sprintf(bad, ", on_error: ask"), state: akitad.Failed, kind: akitad.NotFound},
		{name: "when is no failure", steps: "  - {id: never, tool: time, when: \"1 == 2\"}\n  - {id: ok, tool: list_directory}\n", state: akitad.Completed, text: "**ok**"},
		{name: "a step that fails for a passing reason ends the task all the same", steps: "  - {id: slow, tool: run_shell, timeout: 50ms, with: {command: sleep 5}}\n", state: akitad.Failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, llmtest.New(t))
			got := h.do(akitad.TaskRequest{Plan: "steps:\n" + tt.steps})
			switch {
			case got.State != tt.state, tt.kind != "" && got.Error.Kind != tt.kind:
				t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
			case got.State == akitad.Failed && got.Error.Message == "":
				t.Errorf("%+v", got.Error)
			case got.State == akitad.Completed && (!strings.Contains(got.Result.Text, tt.text) || got.Result.Partial != tt.partial || !strings.Contains(strings.Join(got.Result.Missing, "; "), tt.missing)):
				t.Errorf("%+v", got.Result)
			}
		})
	}
}

const two = "steps:\n  - {id: a, agent: analyst, goal: part a, parallel: true}\n  - {id: b, agent: writer, goal: part b, needs: [a]}\n"

// complex has enough files that a planner is asked.
func complexTask() akitad.TaskRequest {
	return akitad.TaskRequest{Text: "Compare a.csv, b.csv and c.csv and write the differences to report.md", Files: []akitad.InputFile{
		{Name: "a.csv", Content: []byte("x\n")}, {Name: "b.csv", Content: []byte("y\n")}, {Name: "c.csv", Content: []byte("z\n")},
	}}
}

// A planner gets a bad plan back, twice at most, in a conversation that only grows; then one agent does it.
func TestABadPlanComesBack(t *testing.T) {
	planner, main := llmtest.Role(llm.RolePlanner), llmtest.Begins("Compare")
	bad, cyclic := llmtest.Text("steps: [{id: a, agent: nobody, goal: x}]"), llmtest.Text("steps:\n  - {id: a, agent: analyst, goal: x, needs: [b]}\n  - {id: b, agent: analyst, goal: y, needs: [a]}\n")
	for _, tt := range []struct {
		name  string
		turns []llmtest.Turn
		asked int
		split bool
	}{
		{"good at once", []llmtest.Turn{llmtest.Text(two)}, 1, true},
		{"good the third time", []llmtest.Turn{bad, cyclic, llmtest.Text("```yaml\n" + two + "```")}, 3, true},
		{"never good", []llmtest.Turn{bad, cyclic, bad}, 3, false},
		{"not to be split", []llmtest.Turn{llmtest.Text("steps: []")}, 1, false},
		{"cut", []llmtest.Turn{llmtest.Text(two).Ending(llm.FinishLength), llmtest.Text("steps: []")}, 2, false},
		{"no planner", []llmtest.Turn{llmtest.FailKind(akitad.Auth)}, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).On(planner, tt.turns...).
				On(llmtest.Begins("part a"), submitResult(map[string]any{"text": "A"})).
				On(llmtest.Begins("part b"), submitResult(map[string]any{"text": "by parts"})).
				Always(main, llmtest.Text("by one agent")) // asked twice: report.md is not there
			h := start(t, script)
			got := h.do(complexTask())
			want := "by one agent"
			if tt.split {
				want = "by parts"
			}
			if got.State != akitad.Completed || got.Result.Text != want || (got.Planned.Plan != nil) != tt.split {
				t.Fatalf("%s %+v %+v, planned %+v", got.State, got.Result, got.Error, got.Planned)
			}
			var asked []llm.Request
			for _, r := range script.Requests() {
				if r.Role == llm.RolePlanner {
					asked = append(asked, r)
				}
			}
			if len(asked) != tt.asked {
				t.Fatalf("the planner was asked %d times, want %d", len(asked), tt.asked)
			}
			for i := 1; i < len(asked); i++ {
				before, now := asked[i-1].Messages, asked[i].Messages
				if fmt.Sprint(now[:len(before)]) != fmt.Sprint(before) || !strings.Contains(now[len(now)-1].Text, "not a valid plan") {
					t.Errorf("request %d: %+v", i+1, now)
				}
			}
		})
	}
}

// A result that does not satisfy the request's schema is given to an agent, which must.
func TestAPlansResultSatisfiesTheSchema(t *testing.T) {
	script := llmtest.New(t).
		On(llmtest.Begins("part a"), submitResult(map[string]any{"text": "seven"})).
		On(llmtest.Begins("count"), submitResult(map[string]any{"text": "seven", "data": map[string]any{"n": 7}}))
	h := start(t, script)
	got := h.do(akitad.TaskRequest{
		Text: "count", OutputSchema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`),
		Plan: "steps: [{id: a, agent: analyst, goal: part a}]",
	})
	if got.State != akitad.Completed || string(got.Result.Data) != `{"n":7}` {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
}

// A child may ask for more work in its place, three times in a row; what each used, wrote and read is its
// parent's all the same.
func TestFollowUps(t *testing.T) {
	next := func(n int) map[string]any {
		return map[string]any{"text": fmt.Sprint("found ", n), "next": map[string]any{"goal": fmt.Sprint("more ", n+1)}}
	}
	script := llmtest.New(t)
	for n := range 5 {
		goal := "begin"
		if n > 0 {
			goal = fmt.Sprint("more ", n)
		}
		script.Rounds(llmtest.Begins(goal), llmtest.Calls(
			llmtest.Call("write_file", map[string]any{"path": fmt.Sprintf("out%d.txt", n), "content": "x"}),
			llmtest.Call("submit_result", next(n))))
	}
	script.Rounds(llmtest.Begins("the whole"), llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "writer", "goal": "begin"})), llmtest.Text("done"))
	h := start(t, script)
	got := h.do(akitad.TaskRequest{Text: "the whole"})
	if got.State != akitad.Completed || len(got.Children) != 4 || !strings.Contains(got.Rounds[0].Results[0].Text, "found 3") {
		t.Fatalf("%s %+v, %d children, %+v", got.State, got.Error, len(got.Children), got.Rounds)
	}
	if len(got.Files) != 4 || got.Usage.Calls != 6 {
		t.Errorf("files %+v, %d calls on record, want 4 and 6", got.Files, got.Usage.Calls)
	}
	for i, c := range got.Children {
		child := h.ended(c.ID)
		if child.Sub.Nexts != i || child.Sub.Depth != 1 || child.Sub.Parent != got.ID || len(child.Sub.Files) != i {
			t.Errorf("child %d: %+v", i, child.Sub)
		}
		if entry := child.Sub.Path[len(child.Sub.Path)-1]; len(child.Sub.Path) != 2 || !strings.HasSuffix(entry, child.Sub.Text) {
			t.Errorf("child %d stands at %q", i, child.Sub.Path)
		}
	}
}

// A cancel ends a plan and all its parts, long before anybody renews a claim.
func TestCancelEndsAPlan(t *testing.T) {
	hold := llmtest.NewHold()
	script := llmtest.New(t).Always(llmtest.Begins("part"), llmtest.Text("never").Held(hold))
	h := start(t, script)
	id := h.submit(akitad.TaskRequest{Text: "go", Plan: "steps:\n  - {id: a, agent: analyst, goal: part a, parallel: true}\n  - {id: b, agent: analyst, goal: part b, parallel: true}\n"})
	<-hold.Arrived()
	<-hold.Arrived()
	if err := h.Orchestrator.Cancel(t.Context(), id, "test"); err != nil {
		t.Fatal(err)
	}
	got := h.ended(id)
	for _, c := range got.Children {
		if child := h.ended(c.ID); child.State != akitad.WasCancelled {
			t.Errorf("%s is %s", c.Run, child.State)
		}
	}
	if got.State != akitad.WasCancelled {
		t.Errorf("it is %s", got.State)
	}
}

// What a person says to a task while the steps of its plan run is heeded, also when the plan could end without an
// agent: one is given the results and the words.
func TestWordsToAPlanAreHeard(t *testing.T) {
	for name, steps := range map[string]string{
		"one last step": "steps:\n- {id: part, agent: analyst, goal: count the part}\n",
		"only tools":    "steps:\n- {id: ask, tool: run_shell, with: {command: 'while [ ! -e go ]; do sleep 0.05; done'}}\n",
	} {
		held := llmtest.NewHold()
		script := llmtest.New(t).
			On(llmtest.Says("only Tuesdays"), llmtest.Text("Tuesdays alone")).
			On(opens("count the part"), llmtest.Text("counted").Held(held)).
			Always(llmtest.Any, llmtest.Text("?"))
		h := start(t, script)
		id := h.submit(akitad.TaskRequest{Text: "count", Plan: steps})
		begun := h.until(id, func(t *journal.Task) bool { return t.OpenRuns() > 0 && t.State == akitad.Waiting })
		if name == "one last step" {
			<-held.Arrived()
		}
		ok(t, h.Orchestrator.Steer(t.Context(), id, "only Tuesdays"))
		if err := h.Orchestrator.Steer(t.Context(), begun.Children[0].ID, "and no Mondays"); (err != nil) != (name == "only tools") {
			t.Errorf("%s: words to the step give %v", name, err)
		}
		held.Release()
		if name == "only tools" {
			dir := filepath.Join(h.Config.Path.Files, begun.Sub.Folder)
			ok(t, os.MkdirAll(dir, 0o700))
			ok(t, os.WriteFile(filepath.Join(dir, "go"), nil, 0o600))
		}
		if got := h.ended(id); got.State != akitad.Completed || got.Result.Text != "Tuesdays alone" {
			t.Errorf("%s: %s %+v %+v", name, got.State, got.Result, got.Error)
		}
	}
}

// What a plan's view tells of a step is what became of it, whether or not it came to a task of its own.
func TestAStepsStateIsWhatBecameOfIt(t *testing.T) {
	write := "tool: write_file, with: {path: \"${{ item.name }}.txt\", content: x}"
	for _, tt := range []struct {
		name, steps string
		state       akitad.State // of the plan's task
		states      string
		why         string // of the first step that failed
	}{
		{"a condition without an order", "  - {id: a, tool: write_file, with: {path: a.txt, content: x}}\n  - {id: b, tool: time, when: 'params.word > 3'}\n  - {id: c, tool: time, needs: [b]}\n", akitad.Completed, "completed failed blocked", "have no order"},
		{"a value that is not there", "  - {id: a, tool: read_file, with: {path: in.txt}}\n  - {id: b, tool: write_file, with: {path: b.txt, content: '${{ steps.a.output.text[0] }}'}}\n", akitad.Completed, "completed failed", "single value"},
		{"no list", "  - {id: a, for_each: '${{ params.word }}', " + write + "}\n", akitad.Failed, "failed", "is not a list"},
		{"an empty list", "  - {id: a, for_each: '[]', " + write + "}\n", akitad.Completed, "completed", ""},
		{"an item without a name", "  - {id: a, for_each: '[{name: x}, {nam: y}]', " + write + "}\n", akitad.Failed, "failed", "has no name"},
		{"an item that fails, and one after it", "  - {id: a, for_each: '[none.txt, in.txt]', tool: read_file, with: {path: '${{ item }}'}}\n", akitad.Failed, "failed", "none.txt"},
		{"what was not to run", "  - {id: a, tool: time, when: 'params.word == \"none\"'}\n", akitad.Completed, "skipped", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, llmtest.New(t))
			got := h.do(akitad.TaskRequest{Files: given("in.txt", "one\n"), Plan: "params: {word: abc}\nsteps:\n" + tt.steps})
			var states []string
			failed := ""
			for _, s := range got.View().Steps {
				states = append(states, s.State)
				if s.State == "failed" && failed == "" && s.Error != nil {
					failed = s.Error.Message
				}
			}
			if all := strings.Join(states, " "); got.State != tt.state || all != tt.states || !strings.Contains(failed, tt.why) {
				t.Errorf("%s: steps %s, %q, want %s: %s, %q; %+v", got.State, all, failed, tt.state, tt.states, tt.why, got.Error)
			}
		})
	}
}
