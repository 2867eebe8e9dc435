package journal_test

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// What a call has done is on record before its round is: after a crash the task is tainted, and has the files, as if
// the round had been closed. What its children are given has the taint too.
func TestWhatACallHasDoneIsOnRecord(t *testing.T) {
	s := newStory(t).submitted().claimed().add(journal.Thought, calls("a"))
	if s.task.ChildData("writer", "go").Tainted {
		t.Error("a task that has read nothing is tainted")
	}
	s.add(journal.Begun, journal.BegunData{Calls: []string{"a"}, Tainted: true, Files: []akitad.File{{Name: "a.txt", Artifact: "h"}}})
	if child := s.task.ChildData("writer", "go"); !s.task.Tainted || !child.Tainted || len(s.task.Files) != 1 {
		t.Errorf("tainted %v, its child %v, files %v", s.task.Tainted, child.Tainted, s.task.Files)
	}
	if s.add(journal.Begun, journal.BegunData{Calls: []string{"a"}}); !s.task.Tainted {
		t.Error("the taint is gone")
	}
}

// A call may have run if it has begun under an earlier claim; where no beginnings are on record, any may have.
func TestMayHaveRun(t *testing.T) {
	for _, tt := range []struct {
		name         string
		begins, late bool
		begun        []string
		want         bool
	}{
		{"begun before", true, true, []string{"a"}, true},
		{"another one begun before", true, true, []string{"b"}, false},
		{"begun under this claim", true, false, []string{"a"}, false},
		{"no beginnings on record", false, true, nil, true},
		{"no beginnings on record under this claim", false, false, nil, false},
	} {
		r := journal.RoundState{Thought: journal.ThoughtData{Begins: tt.begins}, Epoch: 5, Begun: tt.begun}
		epoch := uint64(5)
		if tt.late {
			epoch = 9
		}
		if got := r.MayHaveRun("a", epoch); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// Corrections that the model has seen stay seen, and what a wait was for is over when the task runs again.
func TestWhatIsOverStaysOver(t *testing.T) {
	s := newStory(t).submitted().claimed()
	s.add(journal.Thought, journal.ThoughtData{Round: 1, Steers: 2}).add(journal.Round, journal.RoundData{Round: 1})
	s.add(journal.Thought, journal.ThoughtData{Round: 2, Steers: 1}).add(journal.Round, journal.RoundData{Round: 2})
	if s.task.SteersSeen != 2 {
		t.Errorf("%d corrections are seen, it were 2", s.task.SteersSeen)
	}
	s.add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry, Cause: "no endpoint", Holder: "t_1"})
	s.add(journal.Woken, journal.WokenData{Reason: "again"}).claimed()
	if s.task.WaitCause != "" || s.task.KeyHolder != "" {
		t.Errorf("it runs, and waits for %q and %q", s.task.WaitCause, s.task.KeyHolder)
	}
}
