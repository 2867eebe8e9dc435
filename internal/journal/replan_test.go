package journal_test

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// steps is a claimed task whose plan has handed out steps, one child each.
func steps(t *testing.T, ids ...string) *story {
	s := newStory(t).submitted().claimed()
	p := akitad.Plan{}
	var d journal.DelegatedData
	for _, id := range ids {
		p.Steps = append(p.Steps, akitad.Step{ID: journal.StepOf(id)})
		d.Children = append(d.Children, journal.ChildRef{ID: akitad.DeriveTaskID(id), Run: id})
	}
	return s.add(journal.Planned, journal.PlannedData{Plan: &p}).add(journal.Delegated, d)
}

func (s *story) ended(id string, state akitad.State, r *akitad.Result) *story {
	return s.add(journal.ChildDone, journal.ChildDoneData{Child: akitad.DeriveTaskID(id), Run: id, State: state, Result: r})
}

// The new plan takes the old one's place; the tasks of steps that it does not keep no longer count, and
// what comes of them later reaches nobody.
func TestReplannedKeepsWhatEnded(t *testing.T) {
	s := steps(t, "a", "b", "b/1", "c").
		ended("a", akitad.Completed, &akitad.Result{Text: "A", Replan: "look elsewhere", Partial: true, Missing: []string{"x"}}).
		ended("b", akitad.Failed, nil).
		add(journal.Delegated, journal.DelegatedData{Skipped: []journal.StepNote{{Step: "a/1", State: "skipped"}, {Step: "e", State: "blocked"}}})
	before := s.task.Snapshot()
	s.add(journal.Replanned, journal.ReplannedData{
		Plan: &akitad.Plan{Steps: []akitad.Step{{ID: "a"}, {ID: "d"}}}, Kept: []string{"a"}, Causes: []string{string(akitad.DeriveTaskID("a"))}, Usage: akitad.Usage{Calls: 2},
	})
	got := s.task
	for i, run := range []string{"a", "", "", ""} {
		if got.Children[i].Run != run {
			t.Errorf("child %d runs %q, want %q", i, got.Children[i].Run, run)
		}
	}
	if r := got.Children[0].Result; r.Text != "A" || r.Partial || r.Replan != "" || len(r.Missing) != 0 {
		t.Errorf("what asked for it is %+v", r)
	}
	if !got.Children[3].Done || got.Children[3].State != akitad.WasCancelled || got.OpenRuns() != 0 {
		t.Errorf("a dropped step still counts: %+v", got.Children[3])
	}
	if len(got.Planned.Plan.Steps) != 2 || got.Replans != 1 || got.Usage.Calls != 2 || len(got.Skipped) != 1 || got.State != akitad.Running {
		t.Errorf("%+v, %d replans, skipped %+v", got.Planned.Plan, got.Replans, got.Skipped)
	}
	s.ended("c", akitad.Completed, &akitad.Result{Text: "late"})
	if c := s.task.Children[3]; c.Result != nil || c.State != akitad.WasCancelled {
		t.Errorf("a late result counts: %+v", c)
	}
	if before.Children[1].Run != "b" || !before.Children[0].Result.Partial || before.Replans != 0 {
		t.Errorf("an earlier copy has changed: %+v", before.Children)
	}
}

// Without a new plan nothing changes but that it was asked for.
func TestReplannedWithoutAPlan(t *testing.T) {
	s := steps(t, "a").ended("a", akitad.Failed, nil).add(journal.Replanned, journal.ReplannedData{Causes: []string{"x"}, Reason: "nothing better"})
	if got := s.task; got.Replans != 1 || len(got.Causes) != 1 || got.Children[0].Run != "a" || len(got.Planned.Plan.Steps) != 1 {
		t.Errorf("%+v", got)
	}
}

// The next attempt has the step's place; the one before keeps how it ended.
func TestAnAttemptTakesThePlaceOfTheOneBefore(t *testing.T) {
	s := steps(t, "a").ended("a", akitad.Failed, nil).
		add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: akitad.DeriveTaskID("a2"), Attempt: 2, Replaces: akitad.DeriveTaskID("a")}}})
	if c := s.task.Children; c[0].State != akitad.Failed || c[0].Run != "" || c[1].Run != "a" || c[1].Done || s.task.OpenRuns() != 1 {
		t.Errorf("%+v", c)
	}
	s.ended("a", akitad.Completed, &akitad.Result{Text: "late"})
	s.ended("a2", akitad.Completed, &akitad.Result{Text: "second"})
	if c := s.task.Children; c[0].Result != nil || c[1].Result.Text != "second" || c[1].Ended.IsZero() {
		t.Errorf("%+v", c)
	}
	if v := s.task.View().Steps[0]; v.Attempts != 2 || v.State != "completed" || v.Task != akitad.DeriveTaskID("a2") {
		t.Errorf("shown as %+v", v)
	}
}

// A plan's wait for a step's next attempt is no wait for endpoints.
func TestAPlansWaitIsNoHold(t *testing.T) {
	s := steps(t, "a").add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry, Any: true})
	if s.task.Holds != 0 {
		t.Errorf("%d holds", s.task.Holds)
	}
}
