package pool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/pool"
)

const parentID = akitad.TaskID("t_bbbbbbbbbbbbbbbbbbbbbbbb")

var numberSchema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)

// An agent that does not give what was asked for is followed by the next one; the last error tells of both.
func TestTheNextAgentTakesOver(t *testing.T) {
	never := llmtest.System("You are an analyst")
	for _, tt := range []struct {
		name  string
		then  llmtest.Turn
		state akitad.State
	}{{"and succeeds", llmtest.Text(`{"n":3}`), akitad.Completed}, {"and fails too", llmtest.Text("three"), akitad.Failed}} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).Always(never, llmtest.Text("about three")).Always(llmtest.Any, tt.then)
			h := newHouse(t, script).run(pool.WorkerOptions{})
			id := h.submit("x", journal.SubmittedData{Text: "count", Profile: "analyst", Parent: parentID, Depth: 1, Schema: numberSchema})
			h.dispatch(id)
			h.until(id, func(t *journal.Task) bool { return t.Profile == "assistant" || t.Final() })
			h.dispatch(id)
			got := h.ended(id)
			if got.State != tt.state || got.Failover != 1 || len(got.Degraded) != 1 || got.Degraded[0].From != "analyst" || got.Degraded[0].To != "assistant" {
				t.Fatalf("%s %+v, %d hand-overs, %+v", got.State, got.Error, got.Failover, got.Degraded)
			}
			if got.Error != nil && (got.Error.Kind != akitad.AllFailed || !strings.Contains(got.Error.Message, "analyst (tool_failed)") || !strings.Contains(got.Error.Message, "assistant (tool_failed)")) {
				t.Errorf("%+v", got.Error)
			}
			if want := map[akitad.State]int{akitad.Completed: 1, akitad.Failed: 3}[tt.state]; got.Usage.Calls != want {
				t.Errorf("%d calls are on record for the last agent, want %d", got.Usage.Calls, want)
			}
		})
	}
}

// A failure of the child's agents says nothing about the agents of its parent.
func TestAChildsHandOverIsNotItsParents(t *testing.T) {
	h := newHouse(t, llmtest.New(t).Always(llmtest.Any, llmtest.FailKind(akitad.ToolFailed))).run(pool.WorkerOptions{})
	id := h.submit("x", journal.SubmittedData{Text: "go", Profile: "analyst", Parent: parentID})
	child := akitad.DeriveTaskID("child")
	h.append(id, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: child, Run: "part"}}})
	h.append(id, journal.ChildDone, journal.ChildDoneData{Child: child, State: akitad.Completed, Result: &akitad.Result{
		Text:     "ok",
		Degraded: []akitad.Degradation{{Layer: "agent", From: "analyst", To: "assistant", Kind: akitad.Loop}},
	}})
	h.dispatch(id)
	h.until(id, func(t *journal.Task) bool { return t.Profile == "assistant" || t.Final() })
	if got := h.load(id); got.Profile != "assistant" || got.Final() {
		t.Errorf("%s by %s: %+v", got.State, got.Profile, got.Error)
	}
}

// nobody is a model of which no endpoint answers, for a reason that passes.
type nobody struct{}

func (nobody) Generate(context.Context, llm.Request) (llm.Reply, error) {
	all := &llm.AllFailed{Role: llm.RoleMain, Tried: []llm.Tried{{Endpoint: "a", Tries: 3, Err: akitad.Errorf(akitad.Transport, "no route")}}}
	return llm.Reply{}, &akitad.Error{Kind: akitad.AllFailed, Err: all}
}

// While no endpoint answers the task waits, tells the person once, and fails when its patience is used up.
func TestHold(t *testing.T) {
	h := newHouse(t, nobody{}).run(pool.WorkerOptions{Hold: []time.Duration{time.Hour, 2 * time.Hour}})
	id := h.submit("x", journal.SubmittedData{Text: "go"})
	h.dispatch(id)
	for i, want := range []time.Duration{time.Hour, 2 * time.Hour} {
		got := h.until(id, func(t *journal.Task) bool { return t.Holds == i+1 || t.Final() })
		if got.State != akitad.Waiting || got.Reason != akitad.ReasonRetry || got.Until == nil || time.Until(*got.Until).Round(time.Minute) != want {
			t.Fatalf("hold %d: %s (%s) until %v", i+1, got.State, got.Reason, got.Until)
		}
		if told := got.WaitNote != ""; told != (i == 0) {
			t.Errorf("hold %d tells %q", i+1, got.WaitNote)
		}
		if s := h.pool.Stats(); s[0].Failed != 0 {
			t.Errorf("a task that waits counts as failed: %+v", s)
		}
		h.append(id, journal.Woken, journal.WokenData{})
		h.dispatch(id)
	}
	if got := h.ended(id); got.State != akitad.Failed || got.Error.Kind != akitad.AllFailed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// A child with a shared context is shown its parent's words, constraints and last rounds.
func TestSharedContext(t *testing.T) {
	ask := newFake("delegate", nil, func(_ context.Context, in tool.Input) (tool.Result, error) {
		payload, err := json.Marshal([]tool.ChildRequest{{Profile: "analyst", Goal: "part", Context: string(in.Args[6 : len(in.Args)-2]), Inputs: "a.csv"}})
		return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendChildren, Payload: payload}}, err
	})
	look := newFake("look", readonly, says("seen"))
	for _, mode := range []string{"shared", "isolated"} {
		script := llmtest.New(t, llmtest.Calls(llmtest.Call("look", map[string]any{})).Saying("first I look"), llmtest.Calls(llmtest.Call("delegate", map[string]any{"c": mode})))
		h := newHouse(t, script, ask, look).run(pool.WorkerOptions{})
		id := h.submit(mode, journal.SubmittedData{Text: "the whole", Priority: akitad.High})
		h.append(id, journal.Compiled, journal.CompiledData{Spec: akitad.Spec{Constraints: []string{"be brief"}}})
		h.dispatch(id)
		parent := h.until(id, waits)
		if parent.Reason != akitad.ReasonChildren || len(parent.Children) != 1 {
			t.Fatalf("%s (%s), %+v", parent.State, parent.Reason, parent.Error)
		}
		sub := h.until(parent.Children[0].ID, (*journal.Task).Exists).Sub
		shared := true
		for _, part := range []string{"the whole", "be brief", "first I look", "look returned: seen"} {
			shared = shared && strings.Contains(sub.Request, part)
		}
		if shared != (mode == "shared") || (sub.Request == "") != (mode == "isolated") {
			t.Errorf("%s: the child is shown %q", mode, sub.Request)
		}
		if sub.Inputs != "a.csv" || sub.Depth != 1 || sub.Parent != id || sub.Priority != akitad.High || sub.Folder != "folder" {
			t.Errorf("%+v", sub)
		}
	}
}

// While a task waits for its person, here and nowhere else, the folder is the truth: what the person edits
// meanwhile is not undone.
func TestAnEditWhileItWaitsIsKept(t *testing.T) {
	ask := newFake("ask", nil, func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendAnswer}}, nil
	})
	var h *house
	write := newFake("write", nil, func(_ context.Context, in tool.Input) (tool.Result, error) {
		return tool.Result{Text: "wrote", Changed: []string{"out.txt"}}, in.Scope.Dir.WriteFile("out.txt", []byte("by the agent"))
	})
	script := llmtest.New(t, llmtest.Calls(llmtest.Call("write", map[string]any{}), akitad.Call{ID: "q", Tool: "ask"}), llmtest.Text("done"))
	h = newHouse(t, script, ask, write).run(pool.WorkerOptions{})
	id := h.submit("x", journal.SubmittedData{Text: "go"})
	h.dispatch(id)
	if got := h.until(id, waits); got.Reason != akitad.ReasonAnswer || len(got.Files) != 1 {
		t.Fatalf("%s (%s) %+v", got.State, got.Reason, got.Files)
	}
	h.write("out.txt", "by the person")
	h.append(id, journal.Answered, journal.AnsweredData{Call: "q", Observation: akitad.Observation{Text: "go on"}})
	h.dispatch(id)
	if got := h.ended(id); got.State != akitad.Completed || h.file("out.txt") != "by the person" {
		t.Errorf("%s, the file says %q", got.State, h.file("out.txt"))
	}
}

// A task whose end is on record has no file any more: who follows it begins at once.
func TestWhoFollowsMayWriteAtOnce(t *testing.T) {
	write := newFake("write", nil, func(_ context.Context, in tool.Input) (tool.Result, error) {
		return tool.Result{Text: "wrote"}, in.Scope.Dir.Own(in.Scope.Task, "out.txt")
	})
	script := llmtest.New(t).Rounds(llmtest.Any, llmtest.Calls(llmtest.Call("write", nil)), llmtest.Text("done"))
	h := newHouse(t, script, write).run(pool.WorkerOptions{})
	dir, err := h.ws.Dir("folder")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dir.Close() }()
	for n := range 20 {
		next := akitad.DeriveTaskID("next", fmt.Sprint(n))
		end := dir.Begin(next)
		if got := h.do(fmt.Sprint(n), journal.SubmittedData{Text: "go"}); got.State != akitad.Completed || got.Rounds[0].Results[0].Error != nil {
			t.Fatalf("%s %+v", got.State, got.Rounds)
		}
		if err := dir.Own(next, "out.txt"); err != nil {
			t.Errorf("task %d has ended: %v", n, err)
		}
		end()
	}
}

// Files of a task that another node has worked on, and of the session's tasks before it, are brought here.
func TestFilesFromOtherNodes(t *testing.T) {
	h := newHouse(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("done"))).run(pool.WorkerOptions{})
	h.write("stale.txt", "old")
	h.write("mine.txt", "edited here")
	before := h.submit("before", journal.SubmittedData{Text: "a", Files: []akitad.File{h.artifact("given.csv", "1,2", "ro")}})
	h.append(before, journal.Woken, journal.WokenData{To: "assistant"})
	h.append(before, journal.Claimed, journal.ClaimedData{Node: "elsewhere"})
	h.append(before, journal.Round, journal.RoundData{Files: []akitad.File{h.artifact("stale.txt", "new", ""), h.artifact("sub/more.txt", "more", "")}})
	h.append(before, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "A"}})
	if got := h.do("next", journal.SubmittedData{Text: "b", Follows: before}); got.State != akitad.Completed {
		t.Fatalf("%s %+v", got.State, got.Error)
	}
	for name, want := range map[string]string{"stale.txt": "new", "sub/more.txt": "more", "given.csv": "1,2", "mine.txt": "edited here"} {
		if got := h.file(name); got != want {
			t.Errorf("%s says %q, want %q", name, got, want)
		}
	}
	// What this node has caught up with stays as it is from then on.
	h.write("stale.txt", "edited here")
	if got := h.do("third", journal.SubmittedData{Text: "c", Follows: akitad.DeriveTaskID(t.Name(), "next")}); got.State != akitad.Completed || h.file("stale.txt") != "edited here" {
		t.Errorf("%s, stale.txt says %q", got.State, h.file("stale.txt"))
	}
}

// A given file whose name the agent has used is an honest failure, not a task that is tried for ever.
func TestAGivenFileThatIsInTheWay(t *testing.T) {
	h := newHouse(t, llmtest.New(t)).run(pool.WorkerOptions{})
	h.write("a.csv", "by an agent")
	for name, f := range map[string]akitad.File{
		"in the way": h.artifact("a.csv", "given", "ro"),
		"lost":       {Name: "b.csv", Artifact: strings.Repeat("ab", 32), Mode: "ro"},
	} {
		got := h.do(name, journal.SubmittedData{Text: "go", Files: []akitad.File{f}})
		if got.State != akitad.Failed || got.Claims != 1 || !strings.Contains(got.Error.Message, f.Name) {
			t.Errorf("%s: %s after %d claims: %+v", name, got.State, got.Claims, got.Error)
		}
	}
	if h.file("a.csv") != "by an agent" {
		t.Error("the agent's file was overwritten")
	}
}

// A profile that a person adds while the daemon runs is served.
func TestANewProfileIsServed(t *testing.T) {
	h := newHouse(t, llmtest.New(t).Always(llmtest.System("You speak in verse"), llmtest.Text("a rhyme"))).run(pool.WorkerOptions{})
	h.do("warm", journal.SubmittedData{Text: "x", Step: &akitad.Step{ID: "s", Tool: "none"}, Parent: parentID}) // the worker is up
	h.profile("poet", "---\nname: poet\ndescription: Writes verse.\n---\nYou speak in verse.\n")
	if got := h.do("x", journal.SubmittedData{Text: "go", Profile: "poet"}); got.State != akitad.Completed || got.Result.Text != "a rhyme" {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// What steps of a plan came to nothing is named in the answer, whoever joins the rest.
func TestTheAnswerNamesWhatIsMissing(t *testing.T) {
	h := newHouse(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("what there is"))).run(pool.WorkerOptions{})
	id := h.submit("x", journal.SubmittedData{Text: "go"})
	h.append(id, journal.Planned, journal.PlannedData{Profile: "assistant", Plan: &akitad.Plan{Steps: []akitad.Step{{ID: "a", Agent: "analyst"}, {ID: "b", Agent: "analyst"}, {ID: "c", Agent: "analyst"}}}})
	a, b := akitad.DeriveTaskID("a"), akitad.DeriveTaskID("b")
	h.append(id, journal.Delegated, journal.DelegatedData{
		Children: []journal.ChildRef{{ID: a, Run: "a"}, {ID: b, Run: "b"}},
		Skipped:  []journal.StepNote{{Step: "c", State: "blocked", Reason: "needs b"}, {Step: "d", State: "skipped", Reason: "when is false"}},
	})
	h.append(id, journal.ChildDone, journal.ChildDoneData{Child: a, State: akitad.Completed, Result: &akitad.Result{Text: "found"}})
	h.append(id, journal.ChildDone, journal.ChildDoneData{Child: b, State: akitad.Failed, Error: &akitad.Failure{Kind: akitad.Timeout, Message: "too slow"}})
	h.append(id, journal.Woken, journal.WokenData{To: "assistant"})
	h.dispatch(id)
	got := h.ended(id)
	if got.Result == nil || !got.Result.Partial || len(got.Result.Missing) != 2 || got.Result.Missing[0] != "b: too slow" || got.Result.Missing[1] != "c: needs b" {
		t.Fatalf("%+v %+v", got.Result, got.Error)
	}
	if !strings.Contains(got.Result.Text, "too slow") {
		t.Errorf("the person is told %q", got.Result.Text)
	}
}

// A stop in the midst of a round gives the task back, and the next worker goes on with it.
func TestAStopGivesRunningTasksBack(t *testing.T) {
	started := make(chan struct{}, 1)
	slow := newFake("slow", readonly, func(ctx context.Context, _ tool.Input) (tool.Result, error) {
		select {
		case started <- struct{}{}:
			<-ctx.Done()
			return tool.Result{}, context.Cause(ctx)
		default:
			return tool.Result{Text: "at last"}, nil
		}
	})
	script := llmtest.New(t, llmtest.Calls(llmtest.Call("slow", map[string]any{})), llmtest.Text("done"))
	h := newHouse(t, script, slow).run(pool.WorkerOptions{Grace: 10 * time.Millisecond})
	id := h.submit("x", journal.SubmittedData{Text: "go"})
	h.dispatch(id)
	<-started
	h.stop()
	started <- struct{}{} // full: the next call goes through
	h.run(pool.WorkerOptions{})
	got := h.ended(id)
	if got.State != akitad.Completed || got.Claims != 2 || len(got.Rounds) != 1 || got.Rounds[0].Results[0].Text != "at last" {
		t.Errorf("%s after %d claims: %+v", got.State, got.Claims, got.Rounds)
	}
}

// A session gets the instance back that served it last, though another one was used since.
func TestASessionKeepsItsInstance(t *testing.T) {
	hold := map[string]*llmtest.Hold{"a": llmtest.NewHold(), "b": llmtest.NewHold()}
	script := llmtest.New(t).Always(llmtest.Says("first a"), llmtest.Text("done").Held(hold["a"])).
		Always(llmtest.Says("first b"), llmtest.Text("done").Held(hold["b"])).Always(llmtest.Any, llmtest.Text("done"))
	h := newHouse(t, script).run(pool.WorkerOptions{})
	ids, served := map[string]akitad.TaskID{}, map[string]string{}
	for _, s := range []string{"a", "b"} {
		ids[s] = h.submit(s, journal.SubmittedData{Text: "first " + s, Session: akitad.SessionKey(s)})
		h.dispatch(ids[s])
		<-hold[s].Arrived()
	}
	for idle, s := range []string{"a", "b"} {
		hold[s].Release()
		served[s] = h.ended(ids[s]).Instance
		h.idle(idle + 1)
	}
	if served["a"] == served["b"] {
		t.Fatalf("both sessions were served by %s", served["a"])
	}
	for i, s := range []string{"a", "b", "b", "a"} {
		got := h.do(fmt.Sprint("again ", i), journal.SubmittedData{Text: "again", Session: akitad.SessionKey(s)})
		if got.Instance != served[s] || !got.Reused {
			t.Errorf("session %s: %s, before %s", s, got.Instance, served[s])
		}
		h.idle(2)
	}
}
