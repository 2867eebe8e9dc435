package orchestrator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/orchestrator"
	"github.com/akitad/akitad/tracing"
)

var noWork = app.Parts{Orchestrate: true}

// listed waits until the read model has the task as wanted.
func (h *house) listed(id akitad.TaskID, wanted func(projection.Row) bool) {
	h.t.Helper()
	h.until(id, func(*journal.Task) bool {
		rows, _, err := h.Projection.List(h.t.Context(), projection.Filter{Root: id})
		return err == nil && len(rows) == 1 && wanted(rows[0])
	})
}

func anyRow(projection.Row) bool { return true }

func (h *house) sweep(after time.Duration) {
	h.t.Helper()
	if err := h.Orchestrator.Sweep(h.t.Context(), time.Now().Add(after)); err != nil {
		h.t.Fatal(err)
	}
}

// take gives a task's work item on loan, as a worker gets it.
func (h *house) take(profile string) (ack func()) {
	h.t.Helper()
	d := h.lent(profile)
	return func() {
		if err := d.Ack(h.t.Context()); err != nil {
			h.t.Error(err)
		}
	}
}

// lent waits for the next work item of a profile.
func (h *house) lent(profile string) *bus.Delivery {
	h.t.Helper()
	w, err := h.Bus.OpenWork(h.t.Context(), profile)
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	d, err := w.Next(ctx)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(w.Close)
	return d
}

// A work item names the span of its task, as W3C Trace Context writes it, for whoever takes it.
func TestAWorkItemNamesItsSpan(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	id := h.create("x", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb", Profile: "analyst"})
	want := "00-" + tracing.TraceID(h.load(id).Sub.Root) + "-" + tracing.TaskSpanID(id) + "-01"
	if got := h.lent("analyst").Header(bus.TraceHeader); got != want {
		t.Errorf("the item's trace is %q, want %q", got, want)
	}
}

// A task whose work item was lost is woken once; one whose item is on loan, however long, is left alone.
func TestALostWorkItem(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	id := h.create("x", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb", Profile: "analyst"})
	lose := h.take("analyst")
	h.append(id, journal.Claimed, journal.ClaimedData{Node: "n"})
	h.listed(id, func(r projection.Row) bool { return r.State == akitad.Running })
	h.sweep(time.Hour)
	if n := h.events(id, journal.Woken); n != 0 {
		t.Fatalf("a healthy slow round was woken %d times", n)
	}
	lose()
	h.sweep(10 * time.Second)
	if n := h.events(id, journal.Woken); n != 0 {
		t.Fatal("a task was woken before twice the claim's time")
	}
	h.sweep(time.Hour)
	has := func(*journal.Task) bool { ok, err := h.Bus.HasWork(t.Context(), string(id)); return ok && err == nil }
	if got := h.until(id, has); got.State != akitad.Pending {
		t.Errorf("it is %s", got.State)
	}
	h.sweep(time.Hour)
	if n := h.events(id, journal.Woken); n != 1 {
		t.Errorf("woken %d times, want once", n)
	}
}

// The clock is set back by hours: what was to be tried again in a while is tried, one whose work item was lost is
// woken, and a person has no less time for an answer.
func TestAClockThatIsSetBack(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	until := time.Now().Add(time.Hour)
	retry := h.create("retry", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb", Profile: "retry"})
	h.append(retry, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry, Until: &until})
	asks := h.create("asks", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb", Profile: "asks"})
	h.append(asks, journal.Claimed, journal.ClaimedData{Node: "n"})
	h.append(asks, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1"}}})
	h.append(asks, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "c1"}}, Open: []journal.OpenCall{{ID: "c1", Kind: string(tool.SuspendAnswer), Until: &until}}})
	h.append(asks, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Until: &until})
	lost := h.create("lost", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb", Profile: "lost"})
	h.take("lost")()
	h.append(lost, journal.Claimed, journal.ClaimedData{Node: "n"})
	for _, id := range []akitad.TaskID{retry, asks} {
		h.listed(id, func(r projection.Row) bool { return r.State == akitad.Waiting })
	}
	h.listed(lost, func(r projection.Row) bool { return r.State == akitad.Running })
	woken := func(after time.Duration, times map[akitad.TaskID]int) {
		h.sweep(after)
		for id, want := range times {
			if n := h.events(id, journal.Woken); n != want {
				t.Errorf("swept at %v: %s was woken %d times, want %d", after, h.load(id).Profile, n, want)
			}
		}
	}
	woken(-3*time.Hour, map[akitad.TaskID]int{retry: 0, lost: 1, asks: 0})
	h.until(lost, func(*journal.Task) bool {
		has, err := h.Bus.HasWork(t.Context(), string(lost))
		return has && err == nil
	})
	woken(-150*time.Minute, map[akitad.TaskID]int{retry: 0, lost: 1, asks: 0})
	if got := h.load(asks); got.State != akitad.Waiting || len(got.Open) != 1 {
		t.Errorf("the question: %s, %+v", got.State, got.Open)
	}
	woken(-119*time.Minute, map[akitad.TaskID]int{retry: 1})
	if got := h.load(asks); len(got.Open) != 0 {
		t.Errorf("after as long as it was to be open the question is %+v", got.Open)
	}
}

// An attempt of a step fails for a reason that passes: the next one waits for a while. So it does if the node that joined
// the first has a clock that is an hour ahead, by the clock of the node that makes the next: not for an hour, nor for no time.
func TestAnAttemptWaits(t *testing.T) {
	for _, ahead := range []time.Duration{0, time.Hour} {
		h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
		id := h.create("plan", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb", Flow: "f", Profile: "assistant"})
		first := journal.ChildRef{ID: akitad.DeriveTaskID(t.Name(), "first"), Run: "a", Profile: "analyst", Goal: "count", Attempt: 7}
		h.append(id, journal.Compiled, journal.CompiledData{})
		h.append(id, journal.Planned, journal.PlannedData{Profile: "assistant", Plan: &akitad.Plan{Steps: []akitad.Step{{ID: "a", Agent: "analyst", Goal: "count", Retry: 9}}}})
		_, _, err := h.Journal.Create(t.Context(), first.ID, journal.SubmittedData{Root: id, Parent: id, Call: "a", Profile: "analyst"})
		ok(t, err)
		h.append(id, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{first}})
		h.until(id, func(t *journal.Task) bool { return t.State == akitad.Waiting })
		before := time.Now()
		joined := h.later(id, ahead, journal.ChildDone, journal.ChildDoneData{Child: first.ID, Run: "a", State: akitad.Failed, Error: &akitad.Failure{Kind: akitad.Timeout}})
		got := h.until(id, func(t *journal.Task) bool { return t.State == akitad.Waiting && t.Seq > joined })
		if len(got.Children) != 1 || got.Reason != akitad.ReasonRetry || got.Until == nil || got.Until.Before(before) || got.Until.After(time.Now().Add(time.Minute)) {
			t.Errorf("%v ahead: %d attempts, it waits for %s until %v, and it is %v", ahead, len(got.Children), got.Reason, got.Until, before)
		}
	}
}

// later appends an event as a node does whose clock is ahead, and returns its sequence.
func (h *house) later(id akitad.TaskID, ahead time.Duration, kind akitad.EventKind, payload any) uint64 {
	h.t.Helper()
	task := h.load(id)
	data, err := json.Marshal(payload)
	ok(h.t, err)
	e := akitad.Event{V: 1, ID: akitad.Digest(h.t.Name(), string(kind)), Prev: task.Seq, Kind: kind, By: "ahead", At: time.Now().Add(ahead).UTC(), Data: data}
	body, err := json.Marshal(e)
	ok(h.t, err)
	subject := "akita.task." + string(id)
	seq, err := h.Bus.Append(h.t.Context(), subject+".ready", subject+".>", task.Seq, e.ID, body)
	ok(h.t, err)
	return seq
}

// A child ended and its parent was not told; the parent waits for a time too. The sweep that comes to that time, or
// before it, joins the child.
func TestTheSweepJoinsBesideATime(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	now := time.Now()
	until := now.Add(3 * time.Hour)
	for name, after := range map[string]time.Duration{"before": time.Hour, "after": 4 * time.Hour} {
		parent := h.create(name, journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb", Profile: name})
		child := akitad.DeriveTaskID("child of " + name)
		h.append(parent, journal.Claimed, journal.ClaimedData{Node: "n"})
		h.append(parent, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1"}, {ID: "c2"}}})
		h.append(parent, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "c1"}, {Call: "c2"}}, Open: []journal.OpenCall{
			{ID: "c1", Kind: string(tool.SuspendChildren)}, {ID: "c2", Kind: string(tool.SuspendAnswer), Until: &until},
		}})
		// Its end is dispatched before the parent knows of it.
		_, _, err := h.Journal.Create(t.Context(), child, journal.SubmittedData{Root: child, Parent: parent, Call: "c1", Profile: name})
		ok(t, err)
		h.append(child, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "done"}})
		h.listed(parent, func(r projection.Row) bool { return r.Rounds == 1 })
		h.append(parent, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Until: &until})
		h.append(parent, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: child, Call: "c1"}}})
		h.listed(parent, func(r projection.Row) bool { return r.State == akitad.Waiting })
		h.sweep(after)
		if n := h.events(parent, journal.ChildDone); n != 1 {
			t.Errorf("swept %s its time it was told %d times of its child", name, n)
		}
	}
}

// A timer counts for the time that it was set for, if the server's clock is a little before this one.
func TestATimerOfAServerWhoseClockIsAhead(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for timer, want := range map[string]time.Duration{
		"2026-03-04T05:06:07Z": 0, "2026-03-04T05:06:17.5Z": 10*time.Second + 500*time.Millisecond, "2026-03-04T05:07:07Z": time.Minute,
		"2026-03-04T05:07:08Z": 0, "2026-03-04T05:00:00Z": 0, "": 0, "{}": 0,
	} {
		if got := orchestrator.RungAt([]byte(timer), now); got.Sub(now) != want {
			t.Errorf("a timer for %q counts as %v", timer, got)
		}
	}
}

// Settled tasks go after their time, from the journal and from the listings; an open one never does.
func TestRetention(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	open, settled := h.create("open", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"}), h.create("settled", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
	h.append(settled, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "done"}})
	h.listed(open, anyRow)
	h.listed(settled, func(r projection.Row) bool { return r.Settled })
	h.sweep(29 * 24 * time.Hour)
	if !h.load(settled).Exists() {
		t.Fatal("a task went before its time")
	}
	h.sweep(31 * 24 * time.Hour)
	if h.load(settled).Exists() || !h.load(open).Exists() {
		t.Errorf("after 31 days: settled exists %v, open exists %v", h.load(settled).Exists(), h.load(open).Exists())
	}
	rows, _, err := h.Projection.List(t.Context(), projection.Filter{})
	if err != nil || len(rows) != 1 || rows[0].ID != open {
		t.Errorf("listed: %+v (%v)", rows, err)
	}
}

// A wait with a time is woken by its timer.
func TestATimerWakesARetry(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	id := h.create("x", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
	until := time.Now().Add(300 * time.Millisecond)
	h.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry, Until: &until})
	got := h.until(id, func(t *journal.Task) bool { return t.State == akitad.Pending && t.Holds == 1 })
	if got.Updated.Before(until) {
		t.Errorf("woken at %s, before %s", got.Updated, until)
	}
}

// Questions that nobody answers go on with their assumption, all of them, each at its time.
func TestQuestionsThatNobodyAnswers(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	id := h.create("x", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
	first, second := time.Now().Add(200*time.Millisecond), time.Now().Add(900*time.Millisecond)
	call := func(nr int, until time.Time) journal.OpenCall {
		payload := fmt.Sprintf(`{"text":"q%d","assumption":"A%d"}`, nr, nr)
		return journal.OpenCall{ID: fmt.Sprint("c", nr), Kind: string(tool.SuspendAnswer), Payload: []byte(payload), Until: &until}
	}
	h.append(id, journal.Claimed, journal.ClaimedData{Node: "n"})
	h.append(id, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1"}, {ID: "c2"}, {ID: "c3"}}})
	h.append(id, journal.Round, journal.RoundData{
		Round: 1, Results: []akitad.Observation{{Call: "c1"}, {Call: "c2"}, {Call: "c3"}},
		Open: []journal.OpenCall{call(1, first), call(2, first), call(3, second)},
	})
	h.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Until: &first})
	h.until(id, func(t *journal.Task) bool { return len(t.Open) <= 1 })
	got := h.until(id, func(t *journal.Task) bool { return t.State == akitad.Pending })
	if got.Updated.Before(second) {
		t.Errorf("woken at %s, before the last question's time %s", got.Updated, second)
	}
	for i, o := range got.Rounds[0].Results {
		if !strings.Contains(o.Text, fmt.Sprint("A", i+1)) {
			t.Errorf("question %d goes on with %q", i+1, o.Text)
		}
	}
}

// A cancel that came while its worker put the task to sleep ends it: nobody would look at it again.
func TestACancelThatWasSleptOver(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	id := h.create("x", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
	h.append(id, journal.Claimed, journal.ClaimedData{Node: "n"})
	if err := h.Orchestrator.Cancel(t.Context(), id, "test"); err != nil {
		t.Fatal(err)
	}
	h.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonChildren})
	if got := h.ended(id); got.State != akitad.WasCancelled {
		t.Errorf("it is %s", got.State)
	}
}

// A journal that cannot be read stops neither the listings of the others, nor the sweep, nor the process.
func TestAJournalThatCannotBeRead(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	bad := h.create("bad", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
	h.listed(bad, anyRow)
	seq := h.load(bad).Seq
	fence := "akita.task." + string(bad) + ".>"
	if _, err := h.Bus.Append(t.Context(), "akita.task."+string(bad)+".log", fence, seq, "nonsense", []byte("not an event")); err != nil {
		t.Fatal(err)
	}
	good := h.create("good", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
	h.listed(good, anyRow)
	h.append(good, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "done"}})
	h.listed(good, func(r projection.Row) bool { return r.Settled })
	if err := h.Orchestrator.Sweep(t.Context(), time.Now().Add(31*24*time.Hour)); err == nil {
		t.Error("the sweep says nothing of the journal that it cannot read")
	}
	if h.load(good).Exists() {
		t.Error("the sweep stopped at the journal that it cannot read")
	}
}

// A follow-up inherits what the child before it wrote and read, and so does the parent at once.
func TestAFollowUpInherits(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	parent := h.create("parent", journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
	child := h.create("child", journal.SubmittedData{Parent: parent, Depth: 2, Call: "c"})
	h.append(parent, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: child, Call: "c"}}})
	h.append(child, journal.Claimed, journal.ClaimedData{Node: "elsewhere"})
	h.append(child, journal.Round, journal.RoundData{Tainted: true, Files: []akitad.File{{Name: "out.txt", Artifact: "x"}}})
	h.append(child, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "found", Next: &akitad.Next{Goal: "more"}}, Usage: akitad.Usage{Calls: 2}})
	got := h.until(parent, func(t *journal.Task) bool { return len(t.Children) == 2 })
	if !got.Tainted || len(got.Files) != 1 || got.Usage.Calls != 2 || len(got.Nodes) != 1 {
		t.Errorf("the parent: tainted %v, files %+v, usage %+v, nodes %q", got.Tainted, got.Files, got.Usage, got.Nodes)
	}
	next := h.until(got.Children[1].ID, (*journal.Task).Exists).Sub
	if !next.Tainted || len(next.Files) != 1 || next.Text != "more" || len(next.Results) != 1 || next.Results[0].Text != "found" {
		t.Errorf("the follow-up: %+v", next)
	}
}
