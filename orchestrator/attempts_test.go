package orchestrator_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/tracing"
)

// spans gives the ended spans of a kind in a root task's trace, oldest first.
func (h *house) spans(root akitad.TaskID, kind akitad.SpanKind) []akitad.Span {
	h.t.Helper()
	if err := h.Bus.FlushSpans(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	var records []akitad.Span
	err := h.Bus.ReadSpans(h.t.Context(), tracing.TraceID(root), func(body []byte) error {
		var s akitad.Span
		err := json.Unmarshal(body, &s)
		records = append(records, s)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return slices.DeleteFunc(tracing.Merge(records), func(s akitad.Span) bool { return s.Kind != kind || s.End == nil })
}

// attempts gives the children of a step in the order of its attempts.
func attempts(t *journal.Task, goal string) []journal.Child {
	var out []journal.Child
	for _, c := range t.Children {
		if c.Goal == goal {
			out = append(out, c)
		}
	}
	return out
}

// A result that does not pass the step's check is made again in a fresh context that has the goal and
// the reasons, and nothing else of the attempt before; the progress note has every reason once.
func TestVerifyTriesAgainInAFreshContext(t *testing.T) {
	write := func(content string) []llmtest.Turn {
		return []llmtest.Turn{
			llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": "out.txt", "content": content})),
			submitResult(map[string]any{"text": "wrote " + content}),
		}
	}
	script := llmtest.New(t).
		Rounds(llmtest.All(llmtest.Begins("make it good"), llmtest.Says("attempt 3")), write("good")...).
		Rounds(llmtest.All(llmtest.Begins("make it good"), llmtest.Says("attempt 2")), write("better")...).
		Rounds(llmtest.Begins("make it good"), write("bad")...)
	h := start(t, script)
	got := h.do(akitad.TaskRequest{Text: "go", Plan: `
steps:
  - {id: make, agent: writer, goal: make it good, verify: "cat out.txt; grep -qx good out.txt"}
  - {id: look, tool: read_file, needs: [make], with: {path: out.txt}}
`})
	if got.State != akitad.Completed || !strings.Contains(got.Result.Text, "good") || got.Result.Partial {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	tries := attempts(got, "make it good")
	if len(tries) != 3 || tries[2].Run != "make" || tries[0].Run != "" || !tries[0].Unverified || tries[2].Attempt != 3 {
		t.Fatalf("attempts %+v", tries)
	}
	for i, c := range tries {
		child := h.load(c.ID)
		if wantState := map[bool]akitad.State{true: akitad.Completed, false: akitad.Failed}[i == 2]; child.State != wantState || len(child.Sub.Reasons) != i {
			t.Errorf("attempt %d is %s, knows %q", i+1, child.State, child.Sub.Reasons)
		}
		if child.Error != nil && child.Error.Kind != akitad.ToolFailed {
			t.Errorf("attempt %d: %+v", i+1, child.Error)
		}
	}
	for _, r := range script.Requests() {
		if strings.Contains(r.Messages[0].Text, "attempt 3") && (len(r.Messages) > 3 || !strings.Contains(r.Messages[0].Text, "progress/make.md") || !strings.Contains(r.Messages[0].Text, "better")) {
			t.Errorf("the third attempt begins with %+v", r.Messages)
		}
	}
	note := h.file(got, "progress/make.md")
	if strings.Count(note, "did not hold") != 2 || !strings.Contains(note, "bad") || !strings.Contains(note, "better") {
		t.Errorf("note: %s", note)
	}
	var outcomes []string
	for _, s := range h.spans(got.ID, akitad.SpanVerification) {
		if s.Attributes["reason"] == "" {
			t.Errorf("no reason: %+v", s.Attributes)
		}
		outcomes = append(outcomes, fmt.Sprint(s.Attributes["type"], " ", s.Attributes["outcome"]))
	}
	if fmt.Sprint(outcomes) != "[command continue command continue command completed]" {
		t.Errorf("checks on record: %q", outcomes)
	}
	if v := got.View().Steps[0]; v.Attempts != 3 || v.State != "completed" {
		t.Errorf("step is shown as %+v", v)
	}
}

// After the last attempt the step has failed with the reasons of all; retry narrows the number.
func TestVerifyGivesUp(t *testing.T) {
	for _, tt := range []struct {
		name, step string
		tries      int
	}{
		{"ten by default", "verify: {schema: {type: object, required: [n]}}", 10},
		{"retry narrows", "retry: 2, verify: {schema: {type: object, required: [n]}}", 3},
		{"a check that stops on its own", "retry: 1, verify: 'exit 3'", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).Always(llmtest.Begins("count"), submitResult(map[string]any{"text": "many"}))
			h := start(t, script)
			got := h.do(akitad.TaskRequest{Text: "go", Plan: "steps: [{id: a, agent: analyst, goal: count, " + tt.step + "}]"})
			if got.State != akitad.Failed || got.Error.Kind != akitad.ToolFailed || len(attempts(got, "count")) != tt.tries {
				t.Fatalf("%s %+v, %d attempts", got.State, got.Error, len(got.Children))
			}
			if !strings.Contains(got.Error.Message, fmt.Sprintf("%d attempts failed: 1: ", tt.tries)) || !strings.Contains(got.Error.Message, fmt.Sprintf("%d: the result did not pass", tt.tries)) {
				t.Errorf("reasons: %s", got.Error.Message)
			}
			if note := h.file(got, "progress/a.md"); strings.Count(note, "did not hold") != tt.tries {
				t.Errorf("note: %s", note)
			}
			for i, c := range attempts(got, "count") { // the loop is its business, and no sign of a bad agent
				if child := h.load(c.ID); child.Profile != "analyst" || len(child.Degraded) > 0 {
					t.Errorf("attempt %d is made by %s: %+v", i+1, child.Profile, child.Degraded)
				}
			}
		})
	}
}

// A check of data passes what satisfies it, for every kind of step, and each item of a for_each is
// checked and tried on its own.
func TestVerifyOfDataAndItems(t *testing.T) {
	asked := 0
	script := llmtest.New(t).
		Always(llmtest.Begins("item a"), llmtest.Text(`{"n": 1}`)).
		Always(llmtest.Begins("item b"), llmtest.Do(func(llm.Request) (llm.Reply, error) {
			asked++
			return llm.Reply{Text: fmt.Sprintf(`{"n": %d}`, 7-3*asked), Finish: llm.FinishStop}, nil
		}))
	h := start(t, script)
	got := h.do(akitad.TaskRequest{Text: "go", Plan: `
steps:
  - {id: ask, model: main, prompt: "item ${{ item }}", for_each: "[a, b]", max_parallel: 1, verify: {schema: {type: object, properties: {n: {maximum: 1}}}}}
  - {id: save, tool: write_file, with: {path: n.txt, content: "it is ${{ steps.ask.output }}"}, verify: "test -s n.txt && touch checked"}
  - {id: read, tool: read_file, needs: [save], with: {path: n.txt}}
`})
	if got.State != akitad.Completed || !strings.Contains(got.Result.Text, `[{"n":1},{"n":1}]`) || asked != 2 {
		t.Fatalf("%s %+v %+v, asked %d times", got.State, got.Result, got.Error, asked)
	}
	if note := h.file(got, "progress/ask/1.md"); !strings.Contains(note, "item b") {
		t.Errorf("note: %s", note)
	}
	if h.file(got, "checked") != "" || !named(got.Files, "checked") || !named(got.Files, "progress/ask/1.md") {
		t.Errorf("files of the task: %+v", got.Files)
	}
}

func named(files []akitad.File, name string) bool {
	for _, f := range files {
		if f.Name == name {
			return true
		}
	}
	return false
}

// What may pass is tried again, after a while that needs no instance; what cannot is not.
func TestRetryOfAStep(t *testing.T) {
	for _, tt := range []struct {
		name  string
		turns []llmtest.Turn
		retry int
		tries int
		state akitad.State
	}{
		{"a tool's failure passes", []llmtest.Turn{llmtest.FailKind(akitad.ToolFailed), llmtest.Text("done")}, 2, 2, akitad.Completed},
		{"no more than asked for", []llmtest.Turn{llmtest.FailKind(akitad.Loop), llmtest.FailKind(akitad.Loop)}, 1, 2, akitad.Failed},
		{"a bad request stays one", []llmtest.Turn{llmtest.FailKind(akitad.InvalidRequest)}, 5, 1, akitad.Failed},
		{"without retry", []llmtest.Turn{llmtest.FailKind(akitad.ToolFailed)}, 0, 1, akitad.Failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, llmtest.New(t).On(llmtest.Begins("say"), tt.turns...))
			got := h.do(akitad.TaskRequest{Text: "go", Plan: fmt.Sprintf("steps: [{id: a, model: main, prompt: say it, retry: %d}]", tt.retry)})
			if got.State != tt.state || len(got.Children) != tt.tries {
				t.Errorf("%s %+v, %d attempts", got.State, got.Error, len(got.Children))
			}
		})
	}
}

// A step that waits to be tried again holds no instance, and neither its parent nor a sibling waits for it.
func TestAStepWaitsForItsNextAttempt(t *testing.T) {
	h := start(t, llmtest.New(t))
	got := h.do(akitad.TaskRequest{Text: "go", Plan: `
steps:
  - {id: slow, tool: run_shell, retry: 3, timeout: 5s, parallel: true, with: {command: "test -e mark || { touch mark; sleep 30; }; echo in time"}}
  - {id: quick, tool: time, parallel: true}
  - {id: last, tool: write_file, needs: [slow, quick], with: {path: o.txt, content: "${{ steps.slow.output.text }}"}}
`})
	if got.State != akitad.Completed || !strings.Contains(h.file(got, "o.txt"), "in time") {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	tries := attempts(got, "run the tool run_shell")
	if len(tries) != 2 || tries[0].Error.Kind != akitad.Timeout || !strings.Contains(h.file(got, "progress/slow.md"), "longer than 5s") {
		t.Fatalf("attempts %+v", tries)
	}
	slept, pause := false, time.Duration(0) // there is none if it was over before the plan looked
	h.each(got.ID, func(e akitad.Event) {
		var d journal.WaitingData
		if e.Kind == journal.Waiting && json.Unmarshal(e.Data, &d) == nil {
			if slept = true; d.Until != nil {
				pause = d.Until.Sub(tries[0].Ended)
			}
		}
	})
	if !slept || pause > time.Second {
		t.Errorf("the plan slept: %v; the first pause is %s, a second at most", slept, pause)
	}
}

// A crash in the middle of a check repeats the check and nothing else of the plan; the step counts once.
func TestARestartInTheMiddleOfACheck(t *testing.T) {
	script := llmtest.New(t).Always(llmtest.Begins("make"), submitResult(map[string]any{"text": "made"}))
	home := t.TempDir()
	h := startParts(t, home, script, whole, nil)
	id := h.submit(akitad.TaskRequest{Text: "go", Plan: `
steps:
  - {id: make, agent: writer, goal: make, verify: "echo x >>checks; test -e open || sleep 50"}
  - {id: after, tool: read_file, needs: [make], with: {path: checks}}
`})
	h.until(id, func(t *journal.Task) bool { return len(t.Children) == 1 })
	dir, err := h.Workspace.Dir(h.load(id).Sub.Folder)
	if err != nil {
		t.Fatal(err)
	}
	for body := ""; body == ""; { // the check runs
		raw, _ := dir.ReadFile("checks")
		body = string(raw)
	}
	if err := dir.WriteFile("open", nil); err != nil {
		t.Fatal(err)
	}
	if err := dir.Close(); err != nil {
		t.Fatal(err)
	}
	h.stop()
	h = startParts(t, home, script, whole, nil)
	got := h.ended(id)
	if got.State != akitad.Completed || strings.Count(h.file(got, "checks"), "x") != 2 || len(got.Children) != 2 {
		t.Fatalf("%s %+v, %d children, checks %q", got.State, got.Error, len(got.Children), h.file(got, "checks"))
	}
}

// The same key in the same session does the step once, whichever run of the flow comes to it; another
// session, and another key, are others.
func TestAStepsIdempotencyKey(t *testing.T) {
	h := start(t, llmtest.New(t))
	h.flow("pay", `
params: {order: {type: string}}
steps:
  - {id: pay, tool: run_shell, idempotency_key: "pay-${{ params.order }}", with: {command: "echo paid ${{ params.order }} >>book; wc -l <book"}}
  - {id: book, tool: read_file, needs: [pay], with: {path: book}}
`)
	run := func(session, order string) *journal.Task {
		t.Helper()
		got := h.do(akitad.TaskRequest{Flow: "pay", Session: session, Params: map[string]any{"order": order}})
		if got.State != akitad.Completed {
			t.Fatalf("%s %+v", got.State, got.Error)
		}
		return got
	}
	first, again := run("s", "a"), run("s", "a")
	if strings.Count(again.Result.Text, "paid a") != 1 || result(first, "pay") != result(again, "pay") || again.Children[0].ID == first.Children[0].ID {
		t.Errorf("done again: %q, then %q; %s", result(first, "pay"), result(again, "pay"), again.Result.Text)
	}
	if other := run("s", "b"); strings.Count(other.Result.Text, "paid") != 2 {
		t.Errorf("another key: %s", other.Result.Text)
	}
	if other := run("z", "a"); strings.Count(other.Result.Text, "paid") != 1 {
		t.Errorf("another session: %s", other.Result.Text)
	}
}

func runFlow(name string) llmtest.Turn {
	return llmtest.Calls(llmtest.Call("run_flow", map[string]any{"name": name}))
}

const payOnce = "steps:\n  - {id: pay, tool: write_file, idempotency_key: daily, with: {path: paid, content: x}}\n"

// What was taken back is to be done again, however deep below the task it was done.
func TestARollbackForgetsTheKeys(t *testing.T) {
	h := start(t, llmtest.New(t).On(opens("work"), runFlow("pay"), llmtest.Text("paid")))
	h.flow("pay", payOnce)
	for n, req := range []akitad.TaskRequest{{}, {Plan: payOnce}, {Plan: payOnce}} {
		req.Text, req.Session = "work", "s"
		got := h.do(req)
		if got.State != akitad.Completed || h.file(got, "paid") != "x" {
			t.Fatalf("run %d: %s %+v, paid %q", n+1, got.State, got.Error, h.file(got, "paid"))
		}
		h.rollback(got.ID, []string{}, []string{"paid"})
	}
}

func TestARetryForgetsTheKeysOfRoundsTakenBack(t *testing.T) {
	h := start(t, llmtest.New(t).On(opens("work"), runFlow("pay"), refused(), runFlow("pay"), llmtest.Text("paid")))
	h.flow("pay", payOnce)
	id := h.submit(akitad.TaskRequest{Text: "work"})
	h.ended(id)
	h.retry(id, 0)
	if got := h.again(id, 1); h.file(got, "paid") != "x" {
		t.Errorf("%s %+v, paid %q", got.State, got.Error, h.file(got, "paid"))
	}
}

// A step in a flow that has the key of the step which runs the flow would wait for itself.
func TestAKeyIsNotWaitedForBelowItsHolder(t *testing.T) {
	h := start(t, llmtest.New(t).On(llmtest.Begins("pay"), runFlow("pay"), submitResult(map[string]any{"text": "tried"})))
	h.flow("pay", payOnce)
	got := h.do(akitad.TaskRequest{Text: "go", Plan: "steps:\n  - {id: all, agent: assistant, goal: pay, idempotency_key: daily}\n"})
	agent := h.load(got.Children[0].ID)
	if len(agent.Children) != 1 || agent.Children[0].Error == nil || !strings.Contains(agent.Children[0].Error.Message, "would wait for itself") {
		t.Errorf("%s %+v %+v", got.State, got.Error, agent.Rounds)
	}
}

func result(t *journal.Task, run string) string {
	for _, c := range t.Children {
		if c.Run == run && c.Result != nil {
			return c.Result.Text
		}
	}
	return ""
}

// Two runs of the same key beside each other: one does it, the other waits without an instance and has
// the result. A step that failed has used no key up.
func TestOneKeyAtATime(t *testing.T) {
	h := start(t, llmtest.New(t))
	const plan = `
steps:
  - {id: a, tool: run_shell, parallel: true, idempotency_key: k, with: {command: "sleep 1; echo x >>book; cat book"}}
  - {id: b, tool: run_shell, parallel: true, idempotency_key: k, with: {command: "sleep 1; echo x >>book; cat book"}}
  - {id: c, tool: read_file, needs: [a, b], with: {path: book}}
  - {id: bad, tool: read_file, needs: [c], on_error: skip, idempotency_key: f, with: {path: none}}
  - {id: good, tool: read_file, needs: [bad], idempotency_key: f, with: {path: book}}
`
	got := h.do(akitad.TaskRequest{Text: "go", Plan: plan})
	if got.State != akitad.Completed || strings.Count(h.file(got, "book"), "x") != 1 || result(got, "a") != result(got, "b") || result(got, "good") == "" {
		t.Fatalf("%s %+v %+v, book %q", got.State, got.Result, got.Error, h.file(got, "book"))
	}
}

// An attempt that was replaced, or whose parent has ended, reaches nobody when it ends late.
func TestALateResultCountsForNothing(t *testing.T) {
	hold := llmtest.NewHold()
	script := llmtest.New(t).
		On(llmtest.Begins("slow"), submitResult(map[string]any{"text": "late"}).Held(hold)).
		On(llmtest.Begins("quick"), submitResult(map[string]any{"text": "quick"})).
		On(llmtest.Begins("go"), llmtest.Text("joined"))
	h := start(t, script)
	id := h.submit(akitad.TaskRequest{Text: "go", Plan: "steps:\n  - {id: a, agent: analyst, goal: slow one, parallel: true}\n  - {id: b, agent: analyst, goal: quick one, parallel: true}\n"})
	<-hold.Arrived()
	parent := h.until(id, func(t *journal.Task) bool { return len(t.Children) == 2 && t.Children[1].Done })
	// The control side takes the running one for failed: its place is another attempt's now.
	slow := parent.Children[0]
	h.append(id, journal.ChildDone, journal.ChildDoneData{Child: slow.ID, Run: "a", State: akitad.Failed, Error: &akitad.Failure{Kind: akitad.Timeout, Message: "given up"}})
	got := h.ended(id)
	before := h.load(id).Seq
	hold.Release()
	if child := h.ended(slow.ID); child.State == akitad.Completed && strings.Contains(string(mustJSON(t, h.load(id).Result)), "late") {
		t.Errorf("the late result is in the answer: %+v", h.load(id).Result)
	}
	if got.State != akitad.Completed || !got.Result.Partial || !strings.Contains(strings.Join(got.Result.Missing, ";"), "given up") {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	if now := h.load(id); now.Seq != before && now.Events != got.Events {
		t.Errorf("the ended parent took an event more: %d, then %d", got.Events, now.Events)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A result that asks for more work is not checked, its follow-up is; each attempt has follow-ups of its own.
func TestWhatIsCheckedIsTheLastFollowUp(t *testing.T) {
	begin := submitResult(map[string]any{"text": "begun", "next": map[string]any{"goal": "finish it"}})
	tries := 0
	script := llmtest.New(t).Always(llmtest.Begins("begin"), begin).
		Always(llmtest.Begins("finish it"), llmtest.Do(func(llm.Request) (llm.Reply, error) {
			tries++
			args := map[string]any{"text": "finished", "data": map[string]any{"n": tries}}
			return llm.Reply{Calls: []akitad.Call{llmtest.Call("submit_result", args)}, Finish: llm.FinishCalls}, nil
		}))
	h := start(t, script)
	got := h.do(akitad.TaskRequest{Text: "go", Plan: "steps: [{id: a, agent: analyst, goal: begin, verify: {schema: {type: object, properties: {n: {minimum: 2}}, required: [n]}}}]"})
	if got.State != akitad.Completed || string(got.Result.Data) != `{"n":2}` || len(got.Children) != 4 {
		t.Fatalf("%s %+v %+v, %d children", got.State, got.Result, got.Error, len(got.Children))
	}
	ids := map[akitad.TaskID]bool{}
	for i, c := range got.Children {
		ids[c.ID] = true
		if want := []string{"", "", "", "a"}[i]; c.Run != want || h.load(c.ID).Sub.Nexts != i%2 || h.load(c.ID).Unverified != (i == 1) {
			t.Errorf("child %d: %+v", i, c)
		}
	}
	if len(ids) != 4 {
		t.Errorf("ids %v", ids)
	}
}

// A check that cannot run is no verdict on the result: the step fails with the reason and is not made anew.
func TestACheckThatCannotRun(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), whole, func(c *config.Config) { c.Tools.Disabled = []string{"run_shell"} })
	_, err := h.Orchestrator.Submit(t.Context(), "http", akitad.TaskRequest{Plan: "steps: [{id: a, tool: time, verify: 'true'}]"})
	if akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), "verify runs a command") {
		t.Errorf("%v", err)
	}
}
