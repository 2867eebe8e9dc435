package orchestrator_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/orchestrator"
)

// When a new attempt takes the place of a failed one while another step ends, the plan sees that a step
// has ended: the count that it compares grows, and never falls.
func TestAnEndIsNotHiddenByANewAttempt(t *testing.T) {
	task := journal.NewTask(akitad.DeriveTaskID("plan"))
	var seen []int
	add := func(kind akitad.EventKind, payload any) {
		t.Helper()
		data, err := json.Marshal(payload)
		ok(t, err)
		ok(t, task.Apply(akitad.Event{V: 1, Prev: task.Seq, Seq: task.Seq + 1, Kind: kind, Data: data}))
		seen = append(seen, orchestrator.EndedRuns(task))
	}
	a, a2, b := akitad.DeriveTaskID("a"), akitad.DeriveTaskID("a2"), akitad.DeriveTaskID("b")
	add(journal.Submitted, journal.SubmittedData{Root: task.ID})
	add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: a, Run: "a"}, {ID: b, Run: "b"}}})
	add(journal.ChildDone, journal.ChildDoneData{Child: a, State: akitad.Failed})
	add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: a2, Run: "a", Attempt: 2, Replaces: a}}})
	add(journal.ChildDone, journal.ChildDoneData{Child: b, State: akitad.Completed})
	if want := []int{0, 0, 1, 1, 2}; task.Voided != 0 || !slices.Equal(seen, want) {
		t.Errorf("ended steps %v, want %v; %d void", seen, want, task.Voided)
	}
}
