package orchestrator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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
	"github.com/akitad/akitad/orchestrator"
	"github.com/akitad/akitad/tracing"
	"github.com/akitad/akitad/workspace"
)

func write(path, content string) llmtest.Turn {
	return llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": path, "content": content}))
}

func refused() llmtest.Turn { return llmtest.FailKind(akitad.InvalidRequest) }

// file gives what a task's folder has under a name, "-" for nothing.
func (h *house) file(t *journal.Task, name string) string {
	h.t.Helper()
	body, err := os.ReadFile(filepath.Join(h.Config.Path.Files, t.Sub.Folder, name))
	if errors.Is(err, os.ErrNotExist) {
		return "-"
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return string(body)
}

func (h *house) retry(id akitad.TaskID, from ...int) {
	h.t.Helper()
	var round *int
	if len(from) > 0 {
		round = &from[0]
	}
	if err := h.Orchestrator.Retry(h.t.Context(), id, round); err != nil {
		h.t.Fatal(err)
	}
}

// again waits for the end of the n-th retry.
func (h *house) again(id akitad.TaskID, n int) *journal.Task {
	h.t.Helper()
	return h.until(id, func(t *journal.Task) bool { return t.Retries == n && t.Final() })
}

// whole gives a trace once every span in it has ended.
func (h *house) whole(id akitad.TaskID) []akitad.Span {
	h.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		var all []akitad.Span
		err := h.Bus.ReadSpans(h.t.Context(), tracing.TraceID(id), func(body []byte) error {
			var s akitad.Span
			err := json.Unmarshal(body, &s)
			all = append(all, s)
			return err
		})
		if err != nil {
			h.t.Fatal(err)
		}
		all = tracing.Merge(all)
		open := slices.IndexFunc(all, func(s akitad.Span) bool { return s.End == nil })
		if open < 0 {
			return all
		}
		if time.Now().After(deadline) {
			h.t.Fatalf("span %s %s stays open", all[open].Kind, all[open].Name)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func wantConflict(t *testing.T, what string, err error, says string) {
	t.Helper()
	c, ok := errors.AsType[*orchestrator.Conflict](err)
	if !ok || !strings.Contains(err.Error(), says) || c.Err.Hint == "" {
		t.Errorf("%s: %v (%T), hint %q, want a conflict that says %q", what, err, err, akitad.FailureOf(err), says)
	}
}

// Nobody knows what was there before a task whose snapshot is gone: its files, and a person's, stay.
func TestRetryWithoutASnapshotTouchesNothing(t *testing.T) {
	script := llmtest.New(t).
		On(llmtest.Begins("prepare"), write("report.md", "a person's"), llmtest.Text("prepared")).
		On(opens("work"), write("report.md", "work"), write("new.md", "work"), refused(), llmtest.Text("done"))
	h := start(t, script)
	h.do(akitad.TaskRequest{Text: "prepare", Session: "s"})
	id := h.submit(akitad.TaskRequest{Text: "work", Session: "s"})
	h.ended(id)
	for n := range workspace.SnapshotsKept {
		h.do(akitad.TaskRequest{Text: fmt.Sprint(n), Session: "s", Plan: "steps:\n  - {id: w, tool: write_file, with: {path: other.md, content: x}}\n"})
	}
	h.retry(id, 0)
	got := h.again(id, 1)
	if got.State != akitad.Failed || got.Error.Kind != akitad.NotFound || !strings.Contains(got.Error.Message, "snapshot is gone") || got.Error.Hint == "" {
		t.Errorf("%s %+v", got.State, got.Error)
	}
	if a, b := h.file(got, "report.md"), h.file(got, "new.md"); a != "work" || b != "work" {
		t.Errorf("report.md %q, new.md %q, want both as the task left them", a, b)
	}
}

// A retried task goes on after the rounds that it had done, with the files as they were after the one
// that was named.
func TestRetryRestoresACheckpoint(t *testing.T) {
	for _, tt := range []struct {
		name              string
		from              []int
		rounds            int // with which the model is asked first
		one, two, foreign string
	}{
		{"after the last round", nil, 3, "three", "first", "kept"},
		{"after the second", []int{2}, 2, "one", "first", "kept"},
		{"after the first", []int{1}, 1, "one", "-", "kept"},
		{"from the start", []int{0}, 0, "given away", "-", "kept"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := -1
			script := llmtest.New(t).
				On(llmtest.Begins("prepare"), llmtest.Calls(
					llmtest.Call("write_file", map[string]any{"path": "one.txt", "content": "given away"}),
					llmtest.Call("write_file", map[string]any{"path": "foreign.txt", "content": "kept"})), llmtest.Text("prepared")).
				On(opens("work"), write("one.txt", "one"), write("two.txt", "first"), write("one.txt", "three"), refused(),
					llmtest.Do(func(r llm.Request) (llm.Reply, error) {
						asked = answers(r)
						return llm.Reply{Text: "done", Finish: llm.FinishStop}, nil
					}))
			h := start(t, script)
			if got := h.do(akitad.TaskRequest{Text: "prepare", Session: "s"}); got.State != akitad.Completed {
				t.Fatalf("%s %+v", got.State, got.Error)
			}
			id := h.submit(akitad.TaskRequest{Text: "work", Session: "s"})
			if got := h.ended(id); got.State != akitad.Failed || len(got.Rounds) != 3 {
				t.Fatalf("%s after %d rounds, %+v", got.State, len(got.Rounds), got.Error)
			}
			h.retry(id, tt.from...)
			got := h.again(id, 1)
			if got.State != akitad.Completed || got.Result.Text != "done" || got.Error != nil || got.Voided != 0 {
				t.Fatalf("%s %+v %+v, %d void", got.State, got.Result, got.Error, got.Voided)
			}
			if v := got.View(); v.Attempts != 2 {
				t.Errorf("%d attempts", v.Attempts)
			}
			if asked != tt.rounds {
				t.Errorf("the model was asked with %d rounds, want %d", asked, tt.rounds)
			}
			if a, b, c := h.file(got, "one.txt"), h.file(got, "two.txt"), h.file(got, "foreign.txt"); a != tt.one || b != tt.two || c != tt.foreign {
				t.Errorf("one %q, two %q, foreign %q; want %q, %q, %q", a, b, c, tt.one, tt.two, tt.foreign)
			}
			for _, s := range h.whole(id) {
				if err := tracing.Check(s); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// opens matches the rounds of the task whose own words these are.
func opens(words string) llmtest.Match {
	return func(r llm.Request) bool {
		own := ""
		for _, m := range r.Messages {
			if m.Speaker == llm.User && !strings.HasPrefix(m.Text, "<") {
				own = m.Text
			}
		}
		return strings.HasPrefix(own, words)
	}
}

// answers counts the rounds that a request holds of its own task.
func answers(r llm.Request) (n int) {
	for _, m := range r.Messages {
		if m.Speaker == llm.Assistant && len(m.Calls) > 0 {
			n++
		}
	}
	return n
}

func TestRetryIsRefused(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).
		Rounds(llmtest.Begins("parent"), llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "child"}))).
		Always(llmtest.Begins("child"), submitResult(map[string]any{"text": "x"}).Held(held)).
		Always(llmtest.Begins("fine"), llmtest.Text("ok"))
	h := start(t, script)
	fine := h.do(akitad.TaskRequest{Text: "fine"}).ID
	parent := h.submit(akitad.TaskRequest{Text: "parent"})
	<-held.Arrived()
	child := h.until(parent, waits).Children[0].ID
	try := func(id akitad.TaskID, from *int) error { return h.Orchestrator.Retry(t.Context(), id, from) }
	wantConflict(t, "completed", try(fine, nil), "is completed")
	wantConflict(t, "waiting", try(parent, nil), "is waiting")
	if err := h.Orchestrator.Cancel(t.Context(), parent, "test"); err != nil {
		t.Fatal(err)
	}
	h.ended(child)
	wantConflict(t, "a child", try(child, nil), string(parent))
	h.ended(parent)
	one := 1
	if err := try(parent, &one); akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), "no round 1") {
		t.Errorf("a round whose calls were never answered: %v", err)
	}
	if err := try(akitad.DeriveTaskID("nobody"), nil); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("an unknown task: %v", err)
	}
}

func waits(t *journal.Task) bool { return t.State == akitad.Waiting || t.Final() }

// A plan's steps that came to a result keep it; only the others run again, as tasks of their own.
func TestRetryRunsFailedStepsAgain(t *testing.T) {
	script := llmtest.New(t).
		On(llmtest.Begins("find the bad"), refused(), refused(), submitResult(map[string]any{"text": "found after all"})).
		On(llmtest.Begins("find the good"), submitResult(map[string]any{"text": "good"})).
		On(llmtest.Begins("both"), refused())
	h := start(t, script)
	id := h.submit(akitad.TaskRequest{Text: "both", Plan: `
steps:
  - {id: good, agent: analyst, goal: find the good, parallel: true}
  - {id: bad, agent: analyst, goal: find the bad, parallel: true}
  - {id: last, tool: write_file, needs: [good, bad], with: {path: out.txt, content: "${{ steps.bad.output.text }}"}}
`})
	first := h.ended(id)
	if first.State != akitad.Failed {
		t.Fatalf("%s %+v", first.State, first.Result)
	}
	h.retry(id)
	got := h.again(id, 1)
	if got.State != akitad.Completed || h.file(got, "out.txt") != "found after all" {
		t.Fatalf("%s %+v %+v, out.txt %q", got.State, got.Result, got.Error, h.file(got, "out.txt"))
	}
	old := func(run string) akitad.TaskID {
		return first.Children[slices.IndexFunc(first.Children, func(c journal.Child) bool { return c.Run == run })].ID
	}
	for _, c := range got.Children {
		if same := c.Run == "good" || c.Run == "bad"; same && (c.ID == old(c.Run)) != (c.Run == "good") {
			t.Errorf("step %s ran as %s, before as %s", c.Run, c.ID, old(c.Run))
		}
	}
}

// inQueue waits until a task that is to run again has its place, which it gets after the event.
func (h *house) inQueue(t *journal.Task) {
	h.t.Helper()
	for began := time.Now(); ; runtime.Gosched() {
		place, err := h.Orchestrator.Place(h.t.Context(), t.Sub.Session, t.ID)
		if err != nil || time.Since(began) > patience {
			h.t.Fatalf("%s has place %d (%v)", t.ID, place, err)
		}
		if place > 0 {
			return
		}
	}
}

// A retried task of a busy session waits for its turn, and gives it on.
func TestRetryKeepsTheSessionsOrder(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).
		On(opens("third"), llmtest.Text("third done")).
		On(opens("second"), llmtest.Text("second done").Held(held)).
		On(opens("first"), refused(), llmtest.Text("first done"))
	h := start(t, script)
	first := h.do(akitad.TaskRequest{Text: "first", Session: "s"})
	second := h.submit(akitad.TaskRequest{Text: "second", Session: "s"})
	<-held.Arrived()
	h.retry(first.ID)
	queued := h.until(first.ID, func(t *journal.Task) bool { return t.Retries == 1 })
	if queued.State != akitad.Waiting || queued.Reason != akitad.ReasonQueued {
		t.Errorf("beside a running task it is %s (%s)", queued.State, queued.Reason)
	}
	h.inQueue(queued)
	third := h.submit(akitad.TaskRequest{Text: "third", Session: "s"})
	held.Release()
	a, b, c := h.ended(second), h.again(first.ID, 1), h.ended(third)
	if b.State != akitad.Completed || b.Started.Before(a.Ended) || c.Started.Before(b.Ended) {
		t.Errorf("second ended %s, first ran again from %s to %s (%s), third began %s", a.Ended, b.Started, b.Ended, b.State, c.Started)
	}
	if c.Sub.Follows != second {
		t.Errorf("the third follows %s, want the second", c.Sub.Follows)
	}
}

// Two nodes serve a session: one of them comes to the end of a task only when the other has given its retry a place.
func TestALateEndLeavesTheRetryItsPlace(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).
		On(opens("second"), llmtest.Text("second done")).
		On(opens("first"), refused(), llmtest.Text("first done").Held(held))
	h := start(t, script)
	first := h.do(akitad.TaskRequest{Text: "first", Session: "s"})
	h.retry(first.ID)
	<-held.Arrived()
	for range 2 {
		ok(t, h.Orchestrator.PassTurn(t.Context(), first))
	}
	second := h.submit(akitad.TaskRequest{Text: "second", Session: "s"})
	queued := h.until(second, func(t *journal.Task) bool { return t.Exists() })
	if queued.State != akitad.Waiting || queued.Reason != akitad.ReasonQueued {
		t.Errorf("beside the retry the next task is %s (%s)", queued.State, queued.Reason)
	}
	held.Release()
	if a, b := h.again(first.ID, 1), h.ended(second); a.State != akitad.Completed || b.Started.Before(a.Ended) {
		t.Errorf("the retry (%s) ended at %s, the next task began at %s", a.State, a.Ended, b.Started)
	}
}

// A retry that is cancelled before its turn leaves nothing behind in its session.
func TestRetryCancelledInTheQueue(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).
		On(opens("third"), llmtest.Text("third done")).
		On(opens("second"), llmtest.Text("second done").Held(held)).
		On(opens("first"), refused())
	h := start(t, script)
	first := h.do(akitad.TaskRequest{Text: "first", Session: "s"})
	second := h.submit(akitad.TaskRequest{Text: "second", Session: "s"})
	<-held.Arrived()
	h.retry(first.ID)
	if err := h.Orchestrator.Cancel(t.Context(), first.ID, "test"); err != nil {
		t.Fatal(err)
	}
	h.again(first.ID, 1)
	held.Release()
	h.ended(second)
	if got := h.do(akitad.TaskRequest{Text: "third", Session: "s"}); got.State != akitad.Completed {
		t.Errorf("%s", got.State)
	}
}

// A retry survives a stop of the process between the request and the run.
func TestRetryAfterARestart(t *testing.T) {
	home := t.TempDir()
	script := llmtest.New(t).On(opens("work"), write("a.txt", "one"), refused(), llmtest.Text("done"))
	h := startParts(t, home, script, whole, nil)
	id := h.submit(akitad.TaskRequest{Text: "work", Session: "s"})
	h.ended(id)
	h.stop()
	alone := startParts(t, home, script, app.Parts{Read: true}, func(c *config.Config) { c.Admin.Listen = "127.0.0.1:0" }) // nobody works and nobody dispatches
	alone.retry(id)
	alone.stop()
	again := startParts(t, home, script, whole, nil)
	if got := again.again(id, 1); got.State != akitad.Completed || got.Result.Text != "done" || len(got.Rounds) != 1 {
		t.Errorf("%s %+v %+v after %d rounds", got.State, got.Result, got.Error, len(got.Rounds))
	}
}

// Call ids that come again after a cut give children of their own.
func TestRetryDelegatesAnew(t *testing.T) {
	n := 0
	script := llmtest.New(t).
		On(llmtest.Begins("parent"), llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "child"})), refused(),
			llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "child"})), llmtest.Text("joined")).
		Always(llmtest.Begins("child"), llmtest.Do(func(llm.Request) (llm.Reply, error) {
			n++
			return llm.Reply{Calls: []akitad.Call{llmtest.Call("submit_result", map[string]any{"text": fmt.Sprint("result ", n)})}, Finish: llm.FinishCalls}, nil
		}))
	h := start(t, script)
	id := h.submit(akitad.TaskRequest{Text: "parent"})
	h.ended(id)
	h.retry(id, 0)
	got := h.again(id, 1)
	if got.State != akitad.Completed || len(got.Children) != 1 || !strings.Contains(got.Rounds[0].Results[0].Text, "result 2") {
		t.Fatalf("%s %+v %+v", got.State, got.Error, got.Rounds)
	}
	for _, s := range h.whole(id) {
		if err := tracing.Check(s); err != nil {
			t.Error(err)
		}
	}
}
