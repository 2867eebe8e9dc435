package journal_test

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// reductions gives for how many rounds each reduction of a task was made.
func reductions(t *journal.Task) (out []int) {
	for _, d := range t.Reduced {
		out = append(out, d.Rounds)
	}
	return out
}

// A reduction is kept if it is of the rounds as they are; what it cost counts in any case.
func TestReductionsAreKept(t *testing.T) {
	s := newStory(t).submitted().claimed()
	for i, id := range []string{"a", "b", "c"} {
		s.add(journal.Thought, calls(id)).add(journal.Round, journal.RoundData{Results: []akitad.Observation{{Call: id}}})
		s.add(journal.Reduced, journal.ReducedData{Rounds: i + 1, Stage: 1, Masked: 100, Summarised: i, Usage: akitad.Usage{Calls: 1}})
	}
	if masked, summed := s.task.LeftOut(); masked != 300 || summed != 3 {
		t.Errorf("%d tokens masked, %d summed up", masked, summed)
	}
	s.add(journal.Reduced, journal.ReducedData{Rounds: 2, Usage: akitad.Usage{Calls: 1}})
	if got := reductions(s.task); len(got) != 3 || s.task.Usage.Calls != 4 {
		t.Errorf("reductions %v, usage %+v", got, s.task.Usage)
	}
}

// A retry takes back the reductions of rounds that it takes back; a copy that was made before keeps them.
func TestARetryTakesReductionsBack(t *testing.T) {
	s := newStory(t).submitted().claimed()
	for i, id := range []string{"a", "b", "c"} {
		s.add(journal.Thought, calls(id)).add(journal.Round, journal.RoundData{Results: []akitad.Observation{{Call: id}}})
		s.add(journal.Reduced, journal.ReducedData{Rounds: i + 1, Stage: 1})
	}
	before, from := s.task.Snapshot(), 2
	s.add(journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.ToolFailed}}).add(journal.Retried, journal.RetriedData{From: &from})
	if got := reductions(s.task); len(got) != 2 || got[1] != 2 {
		t.Errorf("after the retry: %v", got)
	}
	if got := reductions(before); len(got) != 3 {
		t.Errorf("the copy made before: %v", got)
	}
}
