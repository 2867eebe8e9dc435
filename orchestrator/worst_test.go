package orchestrator_test

import (
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
)

const elsewhere akitad.TaskID = "t_bbbbbbbbbbbbbbbbbbbbbbbb" // a parent of which nothing is known here

// A parent ends, or gives a child up, between the decision to delegate and the child's submission, which whoever had
// decided makes late: the child is cancelled and no worker gets it.
func TestAChildThatNobodyWaitsFor(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	for name, leaves := range map[string]func(akitad.TaskID){
		"ended":   func(id akitad.TaskID) { h.append(id, journal.Cancelled, journal.EndData{}) },
		"gave up": func(id akitad.TaskID) { h.append(id, journal.Woken, journal.WokenData{To: "other"}) },
		"tries anew": func(id akitad.TaskID) {
			h.append(id, journal.Failed, journal.EndData{})
			h.append(id, journal.Retried, journal.RetriedData{})
		},
		"waits": func(akitad.TaskID) {},
	} {
		parent := h.create(name, journal.SubmittedData{Parent: elsewhere, Profile: "analyst"})
		child := akitad.DeriveTaskID("child of " + name)
		h.append(parent, journal.Claimed, journal.ClaimedData{Node: "n"})
		h.append(parent, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1"}}})
		h.append(parent, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "c1"}}, Open: []journal.OpenCall{{ID: "c1", Kind: string(tool.SuspendChildren)}}})
		h.append(parent, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: child, Call: "c1"}}})
		leaves(parent)
		_, _, err := h.Journal.Create(t.Context(), child, journal.SubmittedData{Root: parent, Parent: parent, Call: "c1", Profile: "writer"})
		ok(t, err)
		if name != "waits" {
			h.until(child, func(t *journal.Task) bool { return t.State == akitad.WasCancelled })
			continue
		}
		h.until(child, func(*journal.Task) bool {
			has, err := h.Bus.HasWork(t.Context(), string(child))
			return has && err == nil
		})
	}
}

// Another agent took over, and who handed over died before it cancelled the children that were left: they are.
func TestChildrenThatAreLeftAreCancelled(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	parent := h.create("parent", journal.SubmittedData{Parent: elsewhere, Profile: "analyst"})
	child := akitad.DeriveTaskID(t.Name())
	h.append(parent, journal.Claimed, journal.ClaimedData{Node: "n"})
	h.append(parent, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1"}}})
	h.append(parent, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "c1"}}, Open: []journal.OpenCall{{ID: "c1", Kind: string(tool.SuspendChildren)}}})
	h.append(parent, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: child, Call: "c1"}}})
	_, _, err := h.Journal.Create(t.Context(), child, journal.SubmittedData{Root: parent, Parent: parent, Call: "c1", Profile: "writer"})
	ok(t, err)
	h.take("writer")
	h.append(child, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer})
	h.append(parent, journal.Woken, journal.WokenData{To: "other"})
	h.until(child, func(t *journal.Task) bool { return t.State == akitad.WasCancelled })
}

// A cancel is requested of a task whose worker is gone, and there is no other: it ends all the same, and its session
// goes on.
func TestACancelThatNobodyHears(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	id := h.create("x", journal.SubmittedData{Parent: elsewhere, Profile: "analyst"})
	h.take("analyst") // it holds the item, and is gone
	h.append(id, journal.Claimed, journal.ClaimedData{Node: "n"})
	ok(t, h.Orchestrator.Cancel(t.Context(), id, "asked for"))
	h.listed(id, func(r projection.Row) bool { return r.State == akitad.Running })
	h.sweep(10 * time.Second)
	if got := h.load(id); got.Final() {
		t.Fatalf("it is %s before its worker could hear of it", got.State)
	}
	h.sweep(time.Hour)
	if got := h.load(id); got.State != akitad.WasCancelled {
		t.Errorf("it is %s", got.State)
	}
}

// A task whose journal cannot be read is due: the others are woken all the same.
func TestATimerThatCannotBeServed(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	broken := h.create("broken", journal.SubmittedData{Parent: elsewhere, Profile: "analyst"})
	last := h.load(broken).Seq
	subject := "akita.task." + string(broken)
	_, err := h.Bus.Append(t.Context(), subject+".log", subject+".>", last, "x", []byte("no event"))
	ok(t, err)
	ok(t, h.Bus.SetTimer(t.Context(), string(broken), time.Now(), nil))
	other := h.create("other", journal.SubmittedData{Parent: elsewhere, Profile: "analyst"})
	until := time.Now().Add(time.Second)
	h.append(other, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry, Until: &until})
	h.until(other, func(t *journal.Task) bool { return t.State == akitad.Pending })
}
