package journal_test

import (
	"encoding/json"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// asked opens calls that no round asks.
func (s *story) asked(ids ...string) *story {
	var d journal.RoundData
	for _, id := range ids {
		d.Open = append(d.Open, journal.OpenCall{ID: id, Tool: "ask_user", Kind: "answer", Payload: json.RawMessage(`{"text":"` + id + `?"}`)})
	}
	return s.add(journal.Round, d)
}

func (s *story) says(call, outcome, words string) *story {
	return s.add(journal.Answered, journal.AnsweredData{Call: call, Outcome: outcome, Words: words, Observation: akitad.Observation{Text: words}})
}

// What a person said of how an attempt was to go on or to end says nothing of the next one; what they
// said of the work, and the grants that they made, stay.
func TestRetriedForgetsHowTheAttemptWasToGoOn(t *testing.T) {
	const answered, assumed = journal.OutcomeAnswered, "assumed"
	for _, tt := range []struct {
		call, outcome, words string
		stays                bool
	}{
		{"missing", answered, "the second one", true},
		{"missing", assumed, "", true},
		{"plan/1", answered, "approve", true},
		{"plan/1", answered, "好的", true},
		{"plan/1", "approved", "", true},
		{"plan/1", answered, "stop", false},
		{"plan/1", "denied", "", false},
		{"plan/1", assumed, "", false},
		{"plan/1", answered, "leave b out", false},
		{"step/get@t_1#1", answered, "stop", false},
		{"step/get@#1", answered, "skip", false},
		{"step/get@t_1#1", assumed, "", false},
		{"standstill-8", answered, "stop", false},
		{"standstill-8", answered, "try the other folder", false},
		{"budget-0", answered, "continue", true},
		{"budget-0", answered, "no", false},
		{"budget-0", assumed, "", false},
	} {
		s := newStory(t).submitted().claimed().asked(tt.call).says(tt.call, tt.outcome, tt.words).failed().retried()
		if got := len(s.task.Answers) == 1; got != tt.stays {
			t.Errorf("%s, %s %q: kept is %v, want %v", tt.call, tt.outcome, tt.words, got, tt.stays)
		}
	}
}

// A question that comes again in the next attempt is told again.
func TestRetriedTellsAQuestionAgain(t *testing.T) {
	s := newStory(t).submitted().claimed().asked("step/get@#1").add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: "get?"})
	s.add(journal.Delivering, journal.DeliveryData{Said: s.task.WaitSeq})
	if s.task.SaidCall == "" {
		t.Fatal("the question was not told")
	}
	s.failed().retried().claimed().add(journal.Delivering, journal.DeliveryData{Said: s.task.WaitSeq})
	if s.task.SaidCall != "" {
		t.Errorf("%s counts as told", s.task.SaidCall)
	}
}

// Work for one agent that was not approved is not handed over by a retry.
func TestRetriedHandsOverOnlyWhatWas(t *testing.T) {
	for _, handed := range []bool{false, true} {
		s := newStory(t).submitted().claimed().add(journal.Planned, journal.PlannedData{Profile: "assistant"})
		if handed {
			s.add(journal.Woken, journal.WokenData{To: "assistant"}).claimed()
		}
		if s.failed().retried(); s.task.Handed != handed {
			t.Errorf("handed over before: %v, after: %v", handed, s.task.Handed)
		}
	}
}

// A question that no round asked takes no finished round with it when it is open at the end.
func TestAnOpenQuestionLeavesTheRounds(t *testing.T) {
	for _, call := range []string{"budget-0", "standstill-2", "a"} {
		s := newStory(t).submitted().claimed().add(journal.Woken, journal.WokenData{To: "assistant"}).claimed().worked("x", "y").asked(call)
		s.add(journal.Cancelled, journal.EndData{})
		if got := s.task.DoneRounds(); got != 2 {
			t.Errorf("%s was open: %d rounds are done, want 2", call, got)
		}
	}
}

// What degraded in the steps that a retry keeps stays on record.
func TestRetriedKeepsWhatKeptStepsTell(t *testing.T) {
	bad := done("bad")
	bad.State = akitad.Failed
	s := newStory(t).submitted().claimed().add(journal.Planned, journal.PlannedData{Profile: "assistant", Plan: &akitad.Plan{Steps: []akitad.Step{{ID: "good"}, {ID: "bad"}}}})
	for _, id := range []string{"good", "bad"} {
		s.add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: akitad.DeriveTaskID(id), Run: id}}})
	}
	s.add(journal.ChildDone, done("good")).add(journal.ChildDone, bad).failed().retried()
	if d := s.task.Degraded; len(d) != 1 || d[0].From != "good" {
		t.Errorf("degraded %+v", d)
	}
}

// What nobody answered before another agent took over is no answer to it.
func TestAHandOverAnswersNoQuestion(t *testing.T) {
	s := newStory(t).submitted().claimed().add(journal.Woken, journal.WokenData{To: "analyst"}).claimed().worked("a").asked("budget-0").
		add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer}).add(journal.Woken, journal.WokenData{To: "assistant"})
	if len(s.task.Answers) != 0 || len(s.task.Open) != 0 || len(s.task.Rounds) != 1 {
		t.Errorf("answers %+v, open %+v", s.task.Answers, s.task.Open)
	}
}

// A child that was given up counts with what it used once it ends, and with nothing else.
func TestAGivenUpChildCountsWithWhatItUsed(t *testing.T) {
	for name, giveUp := range map[string]func(*story){
		"another agent": func(s *story) { s.add(journal.Woken, journal.WokenData{To: "assistant"}) },
		"another plan": func(s *story) {
			s.add(journal.Replanned, journal.ReplannedData{Plan: &akitad.Plan{Steps: []akitad.Step{{ID: "new"}}}})
		},
	} {
		s := newStory(t).submitted().claimed().add(journal.Planned, journal.PlannedData{Profile: "analyst"}).add(journal.Woken, journal.WokenData{To: "analyst"}).claimed()
		child := journal.ChildRef{ID: akitad.DeriveTaskID("a"), Call: "a"}
		if name == "another plan" {
			child.Call, child.Run = "", "a"
		} else {
			s.add(journal.Thought, calls("a")).add(journal.Round, open("a"))
		}
		s.add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{child}})
		giveUp(s)
		used := s.task.Usage.Calls
		if c := s.task.Children[0]; !c.GivenUp || c.State != akitad.WasCancelled {
			t.Fatalf("%s: %+v", name, c)
		}
		for range 2 {
			s.add(journal.ChildDone, done("a"))
		}
		c := s.task.Children[0]
		if got := s.task.Usage.Calls - used; got != 1 || c.GivenUp || c.Result != nil || c.State != akitad.WasCancelled || len(s.task.Degraded) != 0 {
			t.Errorf("%s: %d calls, %+v", name, got, c)
		}
	}
}

// A plan goes to sleep only when what it handed out is there; a pause says nothing of it.
func TestASleepingPlanHasPlacedItsSteps(t *testing.T) {
	for _, tt := range []struct {
		wait journal.WaitingData
		want bool
	}{
		{journal.WaitingData{Reason: akitad.ReasonChildren, Any: true}, true},
		{journal.WaitingData{Reason: akitad.ReasonPaused}, false},
	} {
		s := newStory(t).submitted().claimed().add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: akitad.DeriveTaskID("a"), Run: "a"}}})
		if s.task.Children[0].Placed {
			t.Error("placed before the plan slept")
		}
		if s.add(journal.Waiting, tt.wait); s.task.Children[0].Placed != tt.want {
			t.Errorf("%+v: placed is %v", tt.wait, !tt.want)
		}
	}
}
