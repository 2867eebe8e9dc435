package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// start runs a whole house on a scripted model in a home of its own. change may be nil.
func start(t testing.TB, model llm.Provider, change func(*config.Config)) *app.App {
	t.Helper()
	return startIn(t, t.TempDir(), model, change)
}

func startIn(t testing.TB, home string, model llm.Provider, change func(*config.Config)) *app.App {
	t.Helper()
	return startParts(t, home, model, app.Parts{Orchestrate: true, Work: true}, change)
}

func startParts(t testing.TB, home string, model llm.Provider, parts app.Parts, change func(*config.Config)) *app.App {
	t.Helper()
	cfg, err := config.Load(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Compiler, cfg.Stop.Grace = "twin", 2*time.Second
	if change != nil {
		change(&cfg)
	}
	a, err := app.New(t.Context(), cfg, app.Options{Parts: parts, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a
}

// patience is how long a test waits for what takes milliseconds.
const patience = 2 * time.Minute

func submit(t testing.TB, a *app.App, req akitad.TaskRequest) akitad.TaskID {
	t.Helper()
	id, err := a.Orchestrator.Submit(t.Context(), "http", req)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// until waits for a task to be as wanted; the test's own deadline is the only clock.
func until(t testing.TB, a *app.App, id akitad.TaskID, wanted func(*journal.Task) bool) *journal.Task {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	task, err := a.Journal.Wait(ctx, id, wanted)
	if err != nil {
		t.Fatalf("task %s is %s (%s) after %d rounds: %v", id, task.State, task.Reason, len(task.Rounds), err)
	}
	return task
}

func ended(t testing.TB, a *app.App, id akitad.TaskID) *journal.Task {
	t.Helper()
	return until(t, a, id, (*journal.Task).Final)
}

func delegate(profile, goal string) akitad.Call {
	return llmtest.Call("delegate", map[string]any{"profile": profile, "goal": goal})
}

func submitResult(text string) llmtest.Turn {
	return llmtest.Calls(llmtest.Call("submit_result", map[string]any{"text": text}))
}

func TestOneMessageFromWordsToAnswer(t *testing.T) {
	script := llmtest.New(t).Rounds(llmtest.Begins("how many"),
		llmtest.Calls(llmtest.Call("grep", map[string]any{"pattern": "ERROR", "mode": "count"})),
		llmtest.Text("There are 2 errors."))
	a := start(t, script, nil)
	id := submit(t, a, akitad.TaskRequest{Text: "how many errors are in a.log?", Files: []akitad.InputFile{
		{Name: "a.log", Content: []byte("INFO a\nERROR b\nERROR c\n")},
	}})
	got := ended(t, a, id)
	if got.State != akitad.Completed || got.Result.Text != "There are 2 errors." || len(got.Result.Degraded) != 0 {
		t.Fatalf("%s: %+v %+v", got.State, got.Result, got.Error)
	}
	if obs := got.Rounds[0].Results[0]; !strings.Contains(obs.Text, "total: 2") {
		t.Errorf("the tool did not see the file: %q", obs.Text)
	}
	again, err := a.Journal.Load(t.Context(), id)
	if err != nil || again.Result.Text != got.Result.Text || again.Voided != 0 {
		t.Errorf("a second reader sees %+v, %d void (%v)", again.Result, again.Voided, err)
	}
}

// Three delegated tasks of one round end in every order, some before the parent waits, some after;
// the parent goes on once, with each result at its own call.
func TestJoinInEveryOrder(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			script := llmtest.New(t)
			holds := []*llmtest.Hold{}
			var calls []akitad.Call
			for i := range 3 {
				goal := fmt.Sprintf("part %d", i)
				calls = append(calls, delegate("analyst", goal))
				hold := llmtest.NewHold()
				holds = append(holds, hold)
				script.On(llmtest.Begins(goal), submitResult("found "+goal).Held(hold))
			}
			script.Rounds(llmtest.Begins("join"), llmtest.Calls(calls...), llmtest.Text("joined"))
			a := start(t, script, nil)
			id := submit(t, a, akitad.TaskRequest{Text: "join them"})
			for _, h := range holds {
				<-h.Arrived()
			}
			for n, i := range order {
				holds[i].Release()
				until(t, a, id, func(task *journal.Task) bool {
					done := 0
					for _, c := range task.Children {
						if c.Done {
							done++
						}
					}
					return done >= n+1 || task.Final()
				})
			}
			got := ended(t, a, id)
			if got.State != akitad.Completed || got.Result.Text != "joined" {
				t.Fatalf("%s: %+v", got.State, got.Error)
			}
			for i, o := range got.Rounds[0].Results {
				if want := fmt.Sprintf("found part %d", i); !strings.Contains(o.Text, want) {
					t.Errorf("result %d is %q, want %q", i, o.Text, want)
				}
			}
		})
	}
}

// The parent's own round is still running when its children could end: nothing is lost whichever
// comes first, the wait or the answer.
func TestChildrenThatEndAtOnce(t *testing.T) {
	const many = 32
	script := llmtest.New(t)
	var calls []akitad.Call
	hold := llmtest.NewHold()
	for i := range many {
		goal := fmt.Sprintf("quick %d;", i)
		calls = append(calls, delegate("analyst", goal))
		script.On(llmtest.Begins(goal), submitResult("done "+goal).Held(hold))
	}
	script.Rounds(llmtest.Begins("many"), llmtest.Calls(calls...), llmtest.Text("all in"))
	a := start(t, script, nil)
	id := submit(t, a, akitad.TaskRequest{Text: "many at once"})
	for range many {
		<-hold.Arrived()
	}
	hold.Release() // all of them end now
	got := ended(t, a, id)
	if got.Result == nil || got.Result.Text != "all in" || len(got.Children) != many || got.Usage.Calls != many+2 {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	for i, o := range got.Rounds[0].Results {
		if !strings.Contains(o.Text, fmt.Sprintf("done quick %d", i)) {
			t.Errorf("result %d is %q", i, o.Text)
		}
	}
}

// Pool size 1, depth 5, width 3: nobody holds an instance while waiting.
func TestDeepAndWideOnOneInstance(t *testing.T) {
	script := llmtest.New(t)
	goal := func(path ...int) string { return fmt.Sprint("node", path) }
	var grow func(path []int)
	leaves := 0
	grow = func(path []int) {
		begin := llmtest.Begins(goal(path...) + " ")
		if len(path) == 5 {
			leaves++
			script.On(begin, submitResult("leaf"))
			return
		}
		var calls []akitad.Call
		width := 3
		if len(path) > 1 {
			width = 1 // 3 x 3 paths down to depth 5
		}
		for i := range width {
			next := append(slices.Clone(path), i)
			calls = append(calls, delegate("assistant", goal(next...)+" go"))
			grow(next)
		}
		last := submitResult("node")
		if len(path) == 0 {
			last = llmtest.Text("root")
		}
		script.Rounds(begin, llmtest.Calls(calls...), last)
	}
	grow(nil)
	a := start(t, script, func(c *config.Config) { c.Pool.Max = 1 })
	got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: goal() + " go"}))
	if got.State != akitad.Completed || got.Result.Text != "root" {
		t.Fatalf("%s %+v", got.State, got.Error)
	}
	if leaves != 9 || got.Usage.Calls == 0 {
		t.Errorf("%d leaves, usage %+v", leaves, got.Usage)
	}
	for _, s := range a.Pool.Stats() {
		if s.Opened != 1 {
			t.Errorf("%s: %d instances were opened, want 1", s.Profile, s.Opened)
		}
	}
}

func TestDepthSixIsRefused(t *testing.T) {
	script := llmtest.New(t)
	for depth := range 6 {
		next := fmt.Sprintf("depth %d", depth+1)
		last := submitResult("up")
		if depth == 0 {
			last = llmtest.Text("up")
		}
		script.Rounds(llmtest.Begins(fmt.Sprintf("depth %d", depth)), llmtest.Calls(delegate("assistant", next)), last)
	}
	a := start(t, script, nil)
	root := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "depth 0"}))
	deepest := root
	for len(deepest.Children) > 0 {
		deepest = ended(t, a, deepest.Children[0].ID)
	}
	if deepest.Sub.Depth != 5 {
		t.Fatalf("the deepest task stands at %d, want 5", deepest.Sub.Depth)
	}
	if obs := deepest.Rounds[0].Results[0]; obs.Error == nil {
		t.Errorf("depth 6 was not refused: %+v", obs)
	}
}

// asked matches requests whose newest message begins with the words.
func asked(words string) llmtest.Match {
	return func(r llm.Request) bool { return strings.HasPrefix(r.Messages[len(r.Messages)-1].Text, words) }
}

// A session's messages are worked on one after another, in the order in which they came, and each
// knows what was said before it.
func TestSessionKeepsOrder(t *testing.T) {
	first := llmtest.NewHold()
	script := llmtest.New(t).
		On(asked("one"), llmtest.Text("answer one").Held(first)).
		On(asked("two"), llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			if len(r.Messages) != 3 || r.Messages[0].Text != "one" || r.Messages[1].Text != "answer one" {
				return llm.Reply{}, fmt.Errorf("two begins with %+v", r.Messages)
			}
			return llm.Reply{Text: "answer two", Finish: llm.FinishStop}, nil
		})).
		On(asked("three"), llmtest.Text("answer three"))
	a := start(t, script, nil)
	var ids []akitad.TaskID
	for _, words := range []string{"one", "two", "three"} {
		ids = append(ids, submit(t, a, akitad.TaskRequest{Text: words, Session: "s"}))
	}
	<-first.Arrived()
	for _, id := range ids[1:] {
		if q := until(t, a, id, (*journal.Task).Exists); q.State != akitad.Waiting || q.Reason != akitad.ReasonQueued {
			t.Errorf("%q is %s (%s) while the first runs", q.Sub.Text, q.State, q.Reason)
		}
	}
	first.Release()
	var last time.Time
	for i, id := range ids {
		got := ended(t, a, id)
		if got.State != akitad.Completed || !got.Started.After(last) {
			t.Errorf("task %d: %s %+v, started %s after %s", i, got.State, got.Error, got.Started, last)
		}
		last = got.Ended
	}
}

func TestTheSameKeyIsTheSameTask(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Begins("once"), llmtest.Text("done"))
	a := start(t, script, nil)
	req := akitad.TaskRequest{Text: "once", IdempotencyKey: "k"}
	x, y := submit(t, a, req), submit(t, a, req)
	if x != y {
		t.Fatalf("%s and %s", x, y)
	}
	ended(t, a, x)
	if z := submit(t, a, req); z != x || len(script.Requests()) != 1 {
		t.Errorf("after the end: %s, %d model calls", z, len(script.Requests()))
	}
}

func TestCancelReachesRunningWorkAndChildren(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).
		Rounds(llmtest.Begins("parent"), llmtest.Calls(delegate("analyst", "child"))).
		On(llmtest.Begins("child"), llmtest.Text("never").Held(held))
	a := start(t, script, nil)
	id := submit(t, a, akitad.TaskRequest{Text: "parent"})
	<-held.Arrived()
	parent := until(t, a, id, func(t *journal.Task) bool { return t.State == akitad.Waiting })
	if err := a.Orchestrator.Cancel(t.Context(), id, "test"); err != nil {
		t.Fatal(err)
	}
	if got := ended(t, a, id); got.State != akitad.WasCancelled {
		t.Errorf("parent is %s", got.State)
	}
	if got := ended(t, a, parent.Children[0].ID); got.State != akitad.WasCancelled {
		t.Errorf("child is %s", got.State)
	}
}

func TestSteerReachesTheNextRound(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).Rounds(llmtest.Begins("work"),
		llmtest.Calls(llmtest.Call("time", map[string]any{})).Held(held),
		llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			last := r.Messages[len(r.Messages)-1]
			return llm.Reply{Text: "saw: " + last.Text, Finish: llm.FinishStop}, nil
		}))
	a := start(t, script, nil)
	id := submit(t, a, akitad.TaskRequest{Text: "work"})
	<-held.Arrived()
	if err := a.Orchestrator.Steer(t.Context(), id, "only Tuesdays"); err != nil {
		t.Fatal(err)
	}
	held.Release()
	if got := ended(t, a, id); got.Result == nil || !strings.Contains(got.Result.Text, "only Tuesdays") {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
}

func TestPauseHoldsAndResumeGoesOn(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).Rounds(llmtest.Begins("work"),
		llmtest.Calls(llmtest.Call("time", map[string]any{})).Held(held), llmtest.Text("done"))
	a := start(t, script, nil)
	id := submit(t, a, akitad.TaskRequest{Text: "work"})
	<-held.Arrived()
	if err := a.Orchestrator.Pause(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	held.Release()
	got := until(t, a, id, func(t *journal.Task) bool { return t.State == akitad.Waiting || t.Final() })
	if got.Reason != akitad.ReasonPaused || len(got.Rounds) != 1 {
		t.Fatalf("%s (%s) after %d rounds", got.State, got.Reason, len(got.Rounds))
	}
	if err := a.Orchestrator.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := ended(t, a, id); got.State != akitad.Completed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// A hundred tasks of one profile, four wide, open four instances.
func TestInstancesAreReused(t *testing.T) {
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("ok"))
	a := start(t, script, func(c *config.Config) { c.Pool.Max = 4 })
	var ids []akitad.TaskID
	for i := range 100 {
		ids = append(ids, submit(t, a, akitad.TaskRequest{Text: fmt.Sprintf("task %d", i)}))
	}
	for _, id := range ids {
		if got := ended(t, a, id); got.State != akitad.Completed {
			t.Fatalf("%s: %+v", id, got.Error)
		}
	}
	s := a.Pool.Stats()
	if len(s) != 1 || s[0].Opened > 4 || s[0].Opened+s[0].Reused < 100 {
		t.Errorf("%+v; want at most 4 opened, 100 lent", s)
	}
}

// "Done" is checked before it is believed: the file that the task was to write is not there, so the
// agent is told once.
func TestDoneWithoutTheFileIsNotBelieved(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Begins("Write"),
		llmtest.Text("Done, it is in notes.md."),
		llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			last := r.Messages[len(r.Messages)-1]
			if !strings.Contains(last.Text, "notes.md, which is not there") {
				return llm.Reply{}, fmt.Errorf("the second try was asked %q", last.Text)
			}
			return llm.Reply{Calls: []akitad.Call{llmtest.Call("write_file", map[string]any{"path": "notes.md", "content": "hello"})}, Finish: llm.FinishCalls}, nil
		}),
		llmtest.Text("It is in notes.md."))
	a := start(t, script, nil)
	got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "Write a greeting to notes.md"}))
	if got.State != akitad.Completed || len(got.Files) != 1 || got.Files[0].Name != "notes.md" {
		t.Errorf("%s %+v %+v, files %+v", got.State, got.Result, got.Error, got.Files)
	}
}
