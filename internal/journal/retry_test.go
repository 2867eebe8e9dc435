package journal_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// worked adds rounds that each write a file of their own and change one that all share.
func (s *story) worked(rounds ...string) *story {
	for i, name := range rounds {
		s.add(journal.Thought, journal.ThoughtData{Round: i + 1, Calls: []akitad.Call{{ID: name, Tool: "write_file"}}, Degraded: []akitad.Degradation{{Layer: "endpoint", From: name}}})
		s.add(journal.Round, journal.RoundData{
			Round: i + 1, Results: []akitad.Observation{{Call: name, Text: "ok"}},
			Files: []akitad.File{{Name: name + ".txt", Artifact: name}, {Name: "shared.txt", Artifact: name}},
		})
	}
	return s
}

func (s *story) failed() *story {
	return s.add(journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.ToolFailed}})
}

func (s *story) retried(from ...int) *story {
	d := journal.RetriedData{}
	if len(from) > 0 {
		d.From = &from[0]
	}
	return s.add(journal.Retried, d)
}

func names(files []akitad.File) (out []string) {
	for _, f := range files {
		out = append(out, f.Name+"="+f.Artifact)
	}
	return out
}

func TestRetriedGoesBackToARound(t *testing.T) {
	for _, tt := range []struct {
		name      string
		begin     func(*story)
		from      []int
		rounds    int
		files     []string
		undone    []string
		restoring bool
	}{
		{"all rounds", func(s *story) { s.worked("a", "b") }, nil, 2, []string{"a.txt=a", "shared.txt=b", "b.txt=b"}, nil, false},
		{"one round", func(s *story) { s.worked("a", "b") }, []int{1}, 1, []string{"a.txt=a", "shared.txt=a"}, []string{"b.txt", "shared.txt"}, true},
		{"none", func(s *story) { s.worked("a") }, []int{0}, 0, nil, []string{"a.txt", "shared.txt"}, true},
		{"more than there are", func(s *story) { s.worked("a") }, []int{7}, 1, []string{"a.txt=a", "shared.txt=a"}, nil, true},
		{"an unfinished round is cut", func(s *story) { s.worked("a").add(journal.Thought, calls("z")) }, nil, 1, []string{"a.txt=a", "shared.txt=a"}, nil, false},
		{"so is one whose call nobody answered", func(s *story) {
			s.worked("a").add(journal.Thought, calls("z")).add(journal.Round, open("z"))
		}, nil, 1, []string{"a.txt=a", "shared.txt=a"}, nil, false},
		{"what was rolled back is to come again", func(s *story) { s.worked("a").failed().add(journal.RolledBack, journal.RolledBackData{}) }, nil, 1, []string{"a.txt=a", "shared.txt=a"}, nil, true},
		{"twice", func(s *story) { s.worked("a", "b").failed().retried(1).failed() }, []int{0}, 0, nil, []string{"b.txt", "shared.txt", "a.txt"}, true},
	} {
		s := newStory(t).submitted().claimed().add(journal.Planned, journal.PlannedData{Profile: "assistant"}).add(journal.Woken, journal.WokenData{To: "assistant"}).claimed()
		tt.begin(s)
		if !s.task.Final() {
			s.failed()
		}
		s.retried(tt.from...)
		got := s.task
		if got.State != akitad.Pending || len(got.Rounds) != tt.rounds || !slices.Equal(names(got.Files), tt.files) ||
			!slices.Equal(got.Undone, tt.undone) || got.Restoring != tt.restoring || len(got.Degraded) != tt.rounds {
			t.Errorf("%s: %s, %d rounds, files %q, undone %q, restoring %v, %d degraded", tt.name, got.State, len(got.Rounds), names(got.Files), got.Undone, got.Restoring, len(got.Degraded))
		}
		if s.claimed().add(journal.Thought, calls("n")); got.Restoring || got.Undone != nil {
			t.Errorf("%s: files are restored again after the next round began", tt.name)
		}
	}
}

// The next attempt has an end and an answer of its own.
func TestRetriedForgetsTheEnd(t *testing.T) {
	s := newStory(t).submitted().claimed().add(journal.Woken, journal.WokenData{To: "assistant"}).claimed().
		add(journal.Woken, journal.WokenData{To: "analyst", Degraded: &akitad.Degradation{Layer: "agent", From: "assistant", To: "analyst"}}).claimed().
		add(journal.Delivering, journal.DeliveryData{Placeholder: "m1"}).add(journal.CancelAsk, journal.AskData{}).
		add(journal.Cancelled, journal.EndData{Error: &akitad.Failure{Kind: akitad.Cancelled}}).
		add(journal.Delivering, journal.DeliveryData{Part: 1}).add(journal.Delivered, journal.DeliveryData{Messages: []string{"m1"}}).
		add(journal.Rated, journal.RatedData{Stars: 2})
	s.retried()
	got := s.task
	if got.AskedCancel || got.Delivered || got.Parts != 0 || got.Placeholder != "" || got.Sent != nil || got.Error != nil || got.Rating != 0 || !got.Ended.IsZero() {
		t.Errorf("%+v", got)
	}
	if got.Profile != "assistant" || got.Failover != 0 || got.View().Attempts != 3 {
		t.Errorf("by %s after %d hand-overs, %d attempts", got.Profile, got.Failover, got.View().Attempts)
	}
	if s.add(journal.Delivered, journal.DeliveryData{Messages: []string{"late"}}); got.Delivered {
		t.Error("a late delivery of the last attempt counts for this one")
	}
}

func TestRetriedChangesNoOtherState(t *testing.T) {
	for name, begin := range map[string]func(*story){
		"pending":   func(*story) {},
		"running":   func(s *story) { s.claimed() },
		"completed": func(s *story) { s.claimed().add(journal.Completed, journal.EndData{}) },
	} {
		s := newStory(t).submitted()
		begin(s)
		before := s.task.State
		if s.retried(); s.task.State != before || s.task.Retries != 0 {
			t.Errorf("%s became %s", name, s.task.State)
		}
	}
}

// A plan's steps that completed stay with what they wrote; the others are open again, and what was said
// of them is forgotten.
func TestRetriedOpensFailedSteps(t *testing.T) {
	run := func(id string, state akitad.State) journal.ChildDoneData {
		return journal.ChildDoneData{Child: akitad.DeriveTaskID(id), Run: id, State: state, Files: []akitad.File{{Name: id + ".txt", Artifact: id}}}
	}
	s := newStory(t).submitted().claimed().add(journal.Planned, journal.PlannedData{Profile: "assistant", Plan: &akitad.Plan{Steps: []akitad.Step{{ID: "good"}, {ID: "bad"}, {ID: "last"}}}}).
		add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: akitad.DeriveTaskID("good"), Run: "good"}, {ID: akitad.DeriveTaskID("bad"), Run: "bad"}}}).
		add(journal.ChildDone, run("good", akitad.Completed)).add(journal.ChildDone, run("bad", akitad.Failed)).
		add(journal.Delegated, journal.DelegatedData{Skipped: []journal.StepNote{{Step: "last", State: "blocked"}}}).
		add(journal.Woken, journal.WokenData{To: "assistant"}).claimed().worked("told").failed()
	before := s.task.ChildID("bad")
	if !s.task.Reopens() {
		t.Fatal("nothing is to be run again")
	}
	s.retried()
	got := s.task
	if got.Handed || len(got.Rounds) != 0 || len(got.Skipped) != 0 || len(got.Children) != 1 || got.Children[0].Run != "good" {
		t.Errorf("handed %v, %d rounds, %d notes, %+v", got.Handed, len(got.Rounds), len(got.Skipped), got.Children)
	}
	if want := []string{"good.txt=good"}; !slices.Equal(names(got.Files), want) {
		t.Errorf("files %q, want %q", names(got.Files), want)
	}
	if got.ChildID("bad") == before || got.Target() != journal.OrchestratorProfile {
		t.Errorf("the step would be the same task again, by %s", got.Target())
	}
}

// An agent that is replaced leaves no call open, and no child whose end would still count.
func TestAHandOverGivesUpOpenCalls(t *testing.T) {
	s := newStory(t).submitted().claimed().add(journal.Woken, journal.WokenData{To: "analyst"}).claimed().
		add(journal.Thought, calls("a", "b")).add(journal.Round, open("a", "b")).add(journal.Delegated, refs("a", "b")).
		add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonChildren}).add(journal.ChildDone, done("a")).
		add(journal.Woken, journal.WokenData{To: "assistant"})
	got := s.task
	if got.State != akitad.Pending || len(got.Open) != 0 || got.Profile != "assistant" {
		t.Fatalf("%s by %s with %d open calls", got.State, got.Profile, len(got.Open))
	}
	if r := got.Rounds[0].Results; r[0].Error != nil || r[1].Error == nil || r[1].Error.Kind != akitad.Cancelled {
		t.Errorf("results %+v", r)
	}
	text := got.Rounds[0].Results[1].Text
	if s.add(journal.ChildDone, done("b")); got.Rounds[0].Results[1].Text != text {
		t.Error("a late result has come through")
	}
}

// A child that ends after its parent is on the parent's record with what it wrote, and changes no end.
func TestALateChildIsOnRecord(t *testing.T) {
	child := akitad.DeriveTaskID("slow")
	s := newStory(t).submitted().claimed().
		add(journal.Planned, journal.PlannedData{Profile: "assistant", Plan: &akitad.Plan{Steps: []akitad.Step{{ID: "slow"}}}}).
		add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: child, Run: "slow"}}}).
		add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonChildren}).
		add(journal.Cancelled, journal.EndData{Error: &akitad.Failure{Kind: akitad.Cancelled}})
	if v := s.task.View(); v.Steps[0].State != "cancelled" {
		t.Errorf("a step that is left behind is %s", v.Steps[0].State)
	}
	s.add(journal.ChildDone, journal.ChildDoneData{
		Child: child, Run: "slow", State: akitad.WasCancelled, Nodes: []string{"far"}, Usage: akitad.Usage{Calls: 2},
		Files: []akitad.File{{Name: "half.txt", Artifact: "x"}},
	})
	got := s.task
	if got.State != akitad.WasCancelled || !slices.Equal(names(got.Files), []string{"half.txt=x"}) || !slices.Contains(got.Nodes, "far") || got.Usage.Calls != 2 {
		t.Errorf("%s, files %q, nodes %q, %d calls", got.State, names(got.Files), got.Nodes, got.Usage.Calls)
	}
}

// A step that runs for each of a list is as far as all its items are, with a task or without.
func TestAStepOfItems(t *testing.T) {
	item := func(n, of int) journal.ChildRef {
		run := fmt.Sprintf("each/%d", n)
		return journal.ChildRef{ID: akitad.DeriveTaskID(run), Run: run, Of: of}
	}
	done := func(n int, state akitad.State) journal.ChildDoneData {
		return journal.ChildDoneData{Child: item(n, 0).ID, Run: item(n, 0).Run, State: state}
	}
	for _, tt := range []struct {
		name   string
		of     int
		states []akitad.State
		over   bool // the task was cancelled
		want   akitad.State
	}{
		{"some have no task yet", 3, []akitad.State{akitad.Completed, akitad.Completed}, false, akitad.Running},
		{"one failed, some have no task yet", 3, []akitad.State{akitad.Completed, akitad.Failed}, false, akitad.Running},
		{"all are done", 2, []akitad.State{akitad.Completed, akitad.Completed}, false, akitad.Completed},
		{"all have ended, one failed", 2, []akitad.State{akitad.Failed, akitad.Completed}, false, akitad.Failed},
		{"some never had a task", 3, []akitad.State{akitad.Completed, akitad.Completed}, true, akitad.WasCancelled},
		{"one failed, some never had a task", 3, []akitad.State{akitad.Completed, akitad.Failed}, true, akitad.Failed},
		{"of an older program", 0, []akitad.State{akitad.Completed}, false, akitad.Completed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStory(t).submitted().claimed().
				add(journal.Planned, journal.PlannedData{Profile: "assistant", Plan: &akitad.Plan{Steps: []akitad.Step{{ID: "each", ForEach: "{{ params.list }}"}}}})
			for n, state := range tt.states {
				s.add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{item(n, tt.of)}}).add(journal.ChildDone, done(n, state))
			}
			if tt.over {
				s.add(journal.Cancelled, journal.EndData{Error: &akitad.Failure{Kind: akitad.Cancelled}})
			}
			if got := s.task.View().Steps[0].State; got != string(tt.want) {
				t.Errorf("the step is %s, want %s", got, tt.want)
			}
		})
	}
}

// An item that was left out (on_error: skip, its expressions have no value) never gets a task.
func TestAStepOneOfWhoseItemsWasLeftOut(t *testing.T) {
	item := journal.ChildRef{ID: akitad.DeriveTaskID("each/0"), Run: "each/0", Of: 2}
	s := newStory(t).submitted().claimed().
		add(journal.Planned, journal.PlannedData{Profile: "assistant", Plan: &akitad.Plan{Steps: []akitad.Step{{ID: "each", ForEach: "{{ params.list }}", OnError: "skip"}}}}).
		add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{item}}).
		add(journal.ChildDone, journal.ChildDoneData{Child: item.ID, Run: item.Run, State: akitad.Completed}).
		add(journal.Delegated, journal.DelegatedData{Skipped: []journal.StepNote{{Step: "each/1", State: "skipped", Reason: "item has no name"}}})
	if got := s.task.View().Steps[0].State; got != string(akitad.Completed) {
		t.Errorf("all items are settled, and the step is %s", got)
	}
	s.add(journal.Completed, journal.EndData{Result: &akitad.Result{Text: "done"}})
	if got := s.task.View().Steps[0].State; got != string(akitad.Completed) {
		t.Errorf("the task has completed, and the step is %s", got)
	}
}
