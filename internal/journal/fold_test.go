package journal_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// story folds events given as kind and payload, each right after the one before it.
type story struct {
	t    testing.TB
	task *journal.Task
}

func newStory(t testing.TB) *story { return &story{t, journal.NewTask(akitad.DeriveTaskID("story"))} }

func (s *story) event(kind akitad.EventKind, epoch uint64, payload any) akitad.Event {
	data, err := json.Marshal(payload)
	if err != nil {
		s.t.Fatal(err)
	}
	return akitad.Event{V: 1, ID: fmt.Sprint(s.task.Seq + 1), Prev: s.task.Seq, Seq: s.task.Seq + 3, Kind: kind, Epoch: epoch, At: time.Unix(int64(s.task.Seq), 0), Data: data}
}

func (s *story) add(kind akitad.EventKind, payload any) *story {
	s.t.Helper()
	epoch := uint64(0)
	if slices.Contains([]akitad.EventKind{journal.Thought, journal.Round, journal.Delegated, journal.Waiting}, kind) {
		epoch = s.task.Epoch
	}
	if err := s.task.Apply(s.event(kind, epoch, payload)); err != nil {
		s.t.Fatal(err)
	}
	return s
}

func (s *story) submitted() *story {
	return s.add(journal.Submitted, journal.SubmittedData{Root: s.task.ID, Profile: "assistant", Text: "go"})
}

func (s *story) claimed() *story {
	return s.add(journal.Claimed, journal.ClaimedData{Node: "n1", Incarnation: "i1", Activation: s.task.Activation})
}

func open(ids ...string) journal.RoundData {
	d := journal.RoundData{Round: 1}
	for _, id := range ids {
		d.Open = append(d.Open, journal.OpenCall{ID: id, Tool: "delegate", Kind: "children"})
		d.Results = append(d.Results, akitad.Observation{Call: id, Tool: "delegate"})
	}
	return d
}

func calls(ids ...string) journal.ThoughtData {
	d := journal.ThoughtData{Round: 1}
	for _, id := range ids {
		d.Calls = append(d.Calls, akitad.Call{ID: id, Tool: "delegate"})
	}
	return d
}

func refs(ids ...string) journal.DelegatedData {
	var d journal.DelegatedData
	for _, id := range ids {
		d.Children = append(d.Children, journal.ChildRef{ID: akitad.DeriveTaskID(id), Call: id})
	}
	return d
}

func done(id string) journal.ChildDoneData {
	return journal.ChildDoneData{
		Child: akitad.DeriveTaskID(id), Call: id, State: akitad.Completed,
		Result: &akitad.Result{Text: "result of " + id, Degraded: []akitad.Degradation{{Layer: "endpoint", From: id}}}, Usage: akitad.Usage{Calls: 1},
	}
}

// A round is opened only when the one before it is closed and all its calls are answered.
func TestIllegalThoughtsChangeNothing(t *testing.T) {
	for name, before := range map[string]func(*story){
		"the round is open": func(s *story) { s.add(journal.Thought, calls("a")) },
		"a call waits":      func(s *story) { s.add(journal.Thought, calls("a")).add(journal.Round, open("a")) },
		"the task has ended": func(s *story) {
			s.add(journal.Thought, calls("a")).add(journal.Round, journal.RoundData{}).add(journal.Completed, journal.EndData{})
		},
		"a round of no thought": func(s *story) {
			s.add(journal.Thought, calls("a")).add(journal.Round, journal.RoundData{}).add(journal.Round, open("x"))
		},
	} {
		s := newStory(t).submitted().claimed()
		before(s)
		s.add(journal.Thought, journal.ThoughtData{Round: 2, Usage: akitad.Usage{Calls: 1}})
		if len(s.task.Rounds) != 1 || s.task.Usage.Calls != 0 {
			t.Errorf("%s: %d rounds, usage %+v", name, len(s.task.Rounds), s.task.Usage)
		}
	}
}

func TestStateAfterEachEvent(t *testing.T) {
	until := time.Unix(9e9, 0)
	for _, tt := range []struct {
		name   string
		events func(*story)
		state  akitad.State
		reason string
	}{
		{"submitted", func(s *story) { s.submitted() }, akitad.Pending, ""},
		{"submitted into a busy session", func(s *story) {
			s.add(journal.Submitted, journal.SubmittedData{Root: s.task.ID, Queued: true})
		}, akitad.Waiting, akitad.ReasonQueued},
		{"claimed", func(s *story) { s.submitted().claimed() }, akitad.Running, ""},
		{"compiled", func(s *story) { s.submitted().claimed().add(journal.Compiled, journal.CompiledData{}) }, akitad.Running, ""},
		{"planned", func(s *story) { s.submitted().claimed().add(journal.Planned, journal.PlannedData{}) }, akitad.Running, ""},
		{"woken", func(s *story) { s.submitted().claimed().add(journal.Woken, journal.WokenData{To: "analyst"}) }, akitad.Pending, ""},
		{"thought", func(s *story) { s.submitted().claimed().add(journal.Thought, calls("a")) }, akitad.Running, ""},
		{"waiting", func(s *story) {
			s.submitted().claimed().add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry, Until: &until})
		}, akitad.Waiting, akitad.ReasonRetry},
		{"answered with another call open", func(s *story) {
			s.submitted().claimed().add(journal.Thought, calls("a", "b")).add(journal.Round, open("a", "b")).
				add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer}).add(journal.Answered, journal.AnsweredData{Call: "a"})
		}, akitad.Waiting, akitad.ReasonAnswer},
		{"answered as the last", func(s *story) {
			s.submitted().claimed().add(journal.Thought, calls("a")).add(journal.Round, open("a")).
				add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer}).add(journal.Answered, journal.AnsweredData{Call: "a"})
		}, akitad.Pending, ""},
		{"answered before it waits", func(s *story) {
			s.submitted().claimed().add(journal.Thought, calls("a")).add(journal.Round, open("a")).add(journal.Answered, journal.AnsweredData{Call: "a"})
		}, akitad.Running, ""},
		{"steered", func(s *story) { s.submitted().claimed().add(journal.Steered, journal.SteeredData{Text: "x"}) }, akitad.Running, ""},
		{"paused while pending", func(s *story) { s.submitted().add(journal.Paused, journal.AskData{}) }, akitad.Waiting, akitad.ReasonPaused},
		{"paused while running", func(s *story) { s.submitted().claimed().add(journal.Paused, journal.AskData{}) }, akitad.Running, ""},
		{"resumed", func(s *story) {
			s.submitted().add(journal.Paused, journal.AskData{}).add(journal.Resumed, journal.AskData{})
		}, akitad.Pending, ""},
		{"answered while paused", func(s *story) {
			s.submitted().claimed().add(journal.Thought, calls("a")).add(journal.Round, open("a")).
				add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer}).add(journal.Paused, journal.AskData{}).
				add(journal.Answered, journal.AnsweredData{Call: "a"})
		}, akitad.Waiting, akitad.ReasonAnswer},
		{"answered while paused, then resumed", func(s *story) {
			s.submitted().claimed().add(journal.Thought, calls("a")).add(journal.Round, open("a")).
				add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer}).add(journal.Paused, journal.AskData{}).
				add(journal.Answered, journal.AnsweredData{Call: "a"}).add(journal.Resumed, journal.AskData{})
		}, akitad.Pending, ""},
		{"completed", func(s *story) { s.submitted().claimed().add(journal.Completed, journal.EndData{}) }, akitad.Completed, ""},
		{"failed", func(s *story) { s.submitted().claimed().add(journal.Failed, journal.EndData{}) }, akitad.Failed, ""},
		{"cancelled", func(s *story) { s.submitted().add(journal.Cancelled, journal.EndData{}) }, akitad.WasCancelled, ""},
		{"an end is final", func(s *story) {
			s.submitted().add(journal.Cancelled, journal.EndData{}).add(journal.Woken, journal.WokenData{}).
				add(journal.Completed, journal.EndData{}).add(journal.Resumed, journal.AskData{}).claimed()
		}, akitad.WasCancelled, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStory(t)
			tt.events(s)
			if s.task.State != tt.state || s.task.Reason != tt.reason {
				t.Errorf("state %s (%s), want %s (%s)", s.task.State, s.task.Reason, tt.state, tt.reason)
			}
		})
	}
}

func TestEventsOfAnotherPredecessorAreVoid(t *testing.T) {
	s := newStory(t).submitted()
	e := s.event(journal.Cancelled, 0, journal.EndData{})
	e.Prev = s.task.Seq - 1
	if err := s.task.Apply(e); err != nil {
		t.Fatal(err)
	}
	if s.task.State != akitad.Pending || s.task.Voided != 1 || s.task.Seq != e.Seq {
		t.Fatalf("state %s, %d void, at %d; want pending, 1, %d", s.task.State, s.task.Voided, s.task.Seq, e.Seq)
	}
	// The void event is a predecessor all the same: the task is not blocked by it.
	if s.claimed(); s.task.State != akitad.Running {
		t.Errorf("after a void event a good one does not count: %s", s.task.State)
	}
}

func TestEventsOfALostClaimAreVoid(t *testing.T) {
	s := newStory(t).submitted().claimed()
	first := s.task.Epoch
	s.claimed() // taken over
	if err := s.task.Apply(s.event(journal.Completed, first, journal.EndData{})); err != nil {
		t.Fatal(err)
	}
	if s.task.State != akitad.Running || s.task.Voided != 1 {
		t.Errorf("a worker without a claim ended the task: %s, %d void", s.task.State, s.task.Voided)
	}
}

// Several calls suspended in one round are settled in any order, before and after the task waits:
// it wakes exactly once, when the last is settled, and every result stands at its own call.
func TestSuspendedCallsSettleInEveryOrder(t *testing.T) {
	ids := []string{"a", "b", "c"}
	for _, order := range permutations(ids) {
		for waitsAfter := range len(order) + 1 {
			s := newStory(t).submitted().claimed().add(journal.Thought, calls(ids...)).add(journal.Round, open(ids...)).add(journal.Delegated, refs(ids...))
			wakes := 0
			for i, id := range order {
				if i == waitsAfter {
					s.add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonChildren})
				}
				before := s.task.State
				s.add(journal.ChildDone, done(id)).add(journal.ChildDone, done(id)) // delivered twice
				if before == akitad.Waiting && s.task.State == akitad.Pending {
					wakes++
				}
			}
			want := 1
			if waitsAfter == len(order) {
				want = 0 // everything had come: the worker finds nothing to wait for
			}
			name := fmt.Sprint(order, " waiting after ", waitsAfter)
			if wakes != want || len(s.task.Open) != 0 {
				t.Errorf("%s: %d wakes, want %d; %d calls open", name, wakes, want, len(s.task.Open))
			}
			for i, o := range s.task.Rounds[0].Results {
				if o.Call != ids[i] || !strings.Contains(o.Text, "result of "+ids[i]) {
					t.Errorf("%s: result %d is %q for %s", name, i, o.Text, o.Call)
				}
			}
			if s.task.Usage.Calls != 3 || len(s.task.Degraded) != 3 {
				t.Errorf("%s: usage of %d calls, %d degradations; want 3, 3", name, s.task.Usage.Calls, len(s.task.Degraded))
			}
		}
	}
}

func permutations(in []string) [][]string {
	if len(in) == 0 {
		return [][]string{nil}
	}
	var out [][]string
	for i, x := range in {
		for _, rest := range permutations(slices.Delete(slices.Clone(in), i, i+1)) {
			out = append(out, append([]string{x}, rest...))
		}
	}
	return out
}

func TestPlanWakesOnAnyStep(t *testing.T) {
	run := func(id string) journal.ChildRef { return journal.ChildRef{ID: akitad.DeriveTaskID(id), Run: id} }
	s := newStory(t).submitted().claimed().
		add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{run("a"), run("b")}}).
		add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonChildren, Any: true}).
		add(journal.ChildDone, journal.ChildDoneData{Child: akitad.DeriveTaskID("a"), Run: "a", State: akitad.Failed, Error: &akitad.Failure{Kind: akitad.Timeout}})
	if s.task.State != akitad.Pending || s.task.OpenRuns() != 1 {
		t.Errorf("state %s with %d runs open, want pending with 1", s.task.State, s.task.OpenRuns())
	}
}

func TestFollowUpTakesTheChildsPlace(t *testing.T) {
	s := newStory(t).submitted().claimed().add(journal.Thought, calls("a")).add(journal.Round, open("a")).add(journal.Delegated, refs("a")).
		add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonChildren}).
		add(journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{{ID: akitad.DeriveTaskID("a2"), Replaces: akitad.DeriveTaskID("a")}}})
	s.add(journal.ChildDone, done("a"))
	if s.task.State != akitad.Waiting {
		t.Fatalf("the replaced child woke its parent: %s", s.task.State)
	}
	d := done("a2")
	d.Call = "a"
	if s.add(journal.ChildDone, d); s.task.State != akitad.Pending || !strings.Contains(s.task.Rounds[0].Results[0].Text, "result of a2") {
		t.Errorf("state %s, result %q", s.task.State, s.task.Rounds[0].Results[0].Text)
	}
}

// Whatever comes in whatever order, the fold ends at most once until it is retried, its end never changes,
// it never wakes with a call open, and folding the same events again gives the same task.
func TestFoldProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newStory(t).submitted()
		events := []akitad.Event{}
		replayed := journal.NewTask(s.task.ID)
		if err := replayed.Apply(journalFirst(s)); err != nil {
			rt.Fatal(err)
		}
		var end akitad.State
		for range rapid.IntRange(1, 30).Draw(rt, "n") {
			e := randomEvent(rt, s)
			events = append(events, e)
			if err := s.task.Apply(e); err != nil {
				rt.Fatal(err)
			}
			retried := e.Kind == journal.Retried && end != akitad.Completed
			if end != "" && s.task.State != end && !retried {
				rt.Fatalf("an ended task went from %s to %s by %s", end, s.task.State, e.Kind)
			}
			if end = ""; retried && s.task.Delivered && !s.task.Final() {
				rt.Fatal("a retried task counts as delivered")
			}
			if s.task.Final() {
				end = s.task.State
			}
			if s.task.State == akitad.Running && s.task.Epoch == 0 {
				rt.Fatal("running without a claim")
			}
			if s.task.State != akitad.Running && s.task.Epoch != 0 {
				rt.Fatalf("%s with a claim", s.task.State)
			}
		}
		for _, e := range slices.Concat(events, events) { // each delivered again
			if err := replayed.Apply(e); err != nil {
				rt.Fatal(err)
			}
		}
		a, _ := json.Marshal(replayed)
		b, _ := json.Marshal(s.task)
		if string(a) != string(b) {
			rt.Fatalf("replay differs:\n%s\n%s", a, b)
		}
	})
}

// journalFirst is the submitted event of a story that has just begun.
func journalFirst(s *story) akitad.Event {
	fresh := newStory(s.t)
	return fresh.event(journal.Submitted, 0, journal.SubmittedData{Root: s.task.ID, Profile: "assistant", Text: "go"})
}

func randomEvent(rt *rapid.T, s *story) akitad.Event {
	kind := rapid.SampledFrom(journal.Kinds()).Draw(rt, "kind")
	epoch := rapid.SampledFrom([]uint64{0, s.task.Epoch, 1}).Draw(rt, "epoch")
	id := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "id")
	var payload any = struct{}{}
	switch kind {
	case journal.Submitted:
		payload = journal.SubmittedData{Root: "t_other"}
	case journal.Thought:
		payload = calls(id)
	case journal.Round:
		payload = open(id)
	case journal.Delegated:
		payload = refs(id)
	case journal.Waiting:
		payload = journal.WaitingData{Reason: rapid.SampledFrom([]string{"children", "answer", "retry", "queued", "paused"}).Draw(rt, "reason")}
	case journal.Answered:
		payload = journal.AnsweredData{Call: id}
	case journal.ChildDone:
		payload = done(id)
	case journal.Retried:
		from := rapid.IntRange(-1, 3).Draw(rt, "from")
		payload = journal.RetriedData{From: &from, Queued: rapid.Bool().Draw(rt, "queued")}
	}
	e := s.event(kind, epoch, payload)
	e.At = e.At.UTC()
	if rapid.IntRange(0, 9).Draw(rt, "stale") == 0 {
		e.Prev--
	}
	return e
}

// Who is resumed waits anew for what is open, and until when: the time of its question is not lost.
func TestResumedWaitsForItsQuestionAgain(t *testing.T) {
	s := newStory(t).submitted().claimed().add(journal.Woken, journal.WokenData{To: "assistant"}).claimed().asked("q").add(journal.Woken, journal.WokenData{}).add(journal.Paused, journal.AskData{}).add(journal.Resumed, journal.AskData{})
	if s.task.State != akitad.Pending || s.task.Activation != s.task.Seq || len(s.task.Open) != 1 {
		t.Errorf("%s (%s), activation %d of %d, open %+v", s.task.State, s.task.Reason, s.task.Activation, s.task.Seq, s.task.Open)
	}
}
