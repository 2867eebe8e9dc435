package journal_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
)

// at folds an event that happened so many seconds after the beginning.
func (s *story) at(sec int, kind akitad.EventKind, payload any) {
	s.t.Helper()
	epoch := uint64(0)
	if kind != journal.Claimed && s.task.State == akitad.Running {
		epoch = s.task.Epoch
	}
	e := s.event(kind, epoch, payload)
	e.At = time.Unix(1000+int64(sec), 0)
	if err := s.task.Apply(e); err != nil {
		s.t.Fatal(err)
	}
}

// Active time runs while somebody has the task. What a lost worker did after its last event is
// nobody's, and neither is the time until another takes over.
func TestActiveTime(t *testing.T) {
	s := newStory(t)
	for _, step := range []struct {
		sec  int
		kind akitad.EventKind
		data any
		want time.Duration
	}{
		{0, journal.Submitted, journal.SubmittedData{Root: s.task.ID, Profile: "assistant"}, 0},
		{10, journal.Claimed, journal.ClaimedData{}, 0},
		{13, journal.Thought, calls("a"), 3 * time.Second},
		{15, journal.Round, open("a"), 5 * time.Second},
		{16, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonChildren}, 6 * time.Second},
		{500, journal.ChildDone, journal.ChildDoneData{Active: 20 * time.Second}, 6 * time.Second}, // of no child of its
		{600, journal.Answered, journal.AnsweredData{Call: "a"}, 6 * time.Second},
		{700, journal.Claimed, journal.ClaimedData{}, 6 * time.Second},
		{704, journal.Thought, calls("b"), 10 * time.Second},
		{90_000, journal.Claimed, journal.ClaimedData{}, 10 * time.Second},
		{90_001, journal.Completed, journal.EndData{}, 11 * time.Second},
	} {
		if s.at(step.sec, step.kind, step.data); s.task.Active != step.want {
			t.Errorf("after %s at %d s: %s, want %s", step.kind, step.sec, s.task.Active, step.want)
		}
	}
}

// A clock that is behind takes nothing away.
func TestActiveTimeNeverShrinks(t *testing.T) {
	s := newStory(t)
	s.at(0, journal.Submitted, journal.SubmittedData{Root: s.task.ID})
	s.at(10, journal.Claimed, journal.ClaimedData{})
	s.at(5, journal.Thought, calls("a"))
	if s.task.Active != 0 {
		t.Errorf("%s", s.task.Active)
	}
}

func TestAChildsSpendIsItsParents(t *testing.T) {
	s := newStory(t).submitted().claimed().add(journal.Thought, calls("a", "b")).add(journal.Round, open("a", "b")).add(journal.Delegated, refs("a", "b"))
	d := done("a")
	d.Usage, d.Active, d.Tasks = akitad.Usage{Input: 10, Cached: 4, Calls: 2}, time.Minute, 3
	before := s.task.Active
	s.add(journal.ChildDone, d)
	got := s.task.Spent()
	got.Active -= before
	if want := (guard.Spend{Input: 6, Calls: 2, Active: time.Minute, Tasks: 5}); got.Input != want.Input || got.Calls != want.Calls || got.Tasks != want.Tasks || got.Active < want.Active {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What a person answers to a question of the house is kept, whenever it was asked.
func TestAnswersToQuestionsOfNoRound(t *testing.T) {
	s := newStory(t).submitted().claimed().add(journal.Thought, calls("a")).add(journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "a", Text: "x"}}})
	s.add(journal.Round, journal.RoundData{Open: []journal.OpenCall{{ID: "budget-0", Kind: "answer", Payload: []byte(`{"text":"more?"}`)}}})
	s.add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer})
	s.add(journal.Answered, journal.AnsweredData{Call: "budget-0", Outcome: "answered", Words: "continue", Observation: akitad.Observation{Text: journal.AnswerPrefix + "continue"}})
	want := journal.Answer{Call: "budget-0", Question: "more?", Text: journal.AnswerPrefix + "continue", Words: "continue", Outcome: "answered"}
	if len(s.task.Answers) != 1 || s.task.Answers[0] != want || s.task.State != akitad.Pending || s.task.Rounds[0].Results[0].Text != "x" {
		t.Errorf("%+v, %s", s.task.Answers, s.task.State)
	}
	if got := s.task.Limits(guard.Limits{Calls: 10, Tasks: 5}); got != (guard.Limits{Calls: 20, Tasks: 5}) {
		t.Errorf("granted once: %+v", got)
	}
}

// A retry lets the task use as much again, whatever was answered before; what was used stays used.
func TestARetryIsAGrant(t *testing.T) {
	s := newStory(t).submitted().claimed().add(journal.Planned, journal.PlannedData{Usage: akitad.Usage{Calls: 10}})
	house := guard.Limits{Calls: 10, Tasks: 5}
	for n, want := range []guard.Limits{house, {Calls: 20, Tasks: 10}, {Calls: 30, Tasks: 15}} {
		if n > 0 {
			s.add(journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.OverBudget}}).add(journal.Retried, journal.RetriedData{})
		}
		if got := s.task.Limits(house); got != want || s.task.Granted() != n || s.task.Spent().Calls != 10 {
			t.Errorf("after %d retries: %+v, spent %+v, want %+v", n, got, s.task.Spent(), want)
		}
	}
}

// The spend of a tree is that of all its tasks, those that have joined counted once.
func TestSpentOfATree(t *testing.T) {
	j := journal.New(bustest.New(t), "n")
	make := func(name string, parent akitad.TaskID, calls int, children ...journal.ChildRef) *journal.Task {
		id := akitad.DeriveTaskID(t.Name(), name)
		task, _, err := j.Create(t.Context(), id, journal.SubmittedData{Root: akitad.DeriveTaskID(t.Name(), "root"), Parent: parent})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []journal.Decision{
			{Kind: journal.Planned, Data: journal.PlannedData{Usage: akitad.Usage{Calls: calls}}},
			{Kind: journal.Delegated, Data: journal.DelegatedData{Children: children}},
		} {
			if err := j.Append(t.Context(), task, 0, e.Kind, e.Data); err != nil {
				t.Fatal(err)
			}
		}
		return task
	}
	ref := func(name string) journal.ChildRef {
		return journal.ChildRef{ID: akitad.DeriveTaskID(t.Name(), name), Run: name}
	}
	root := make("root", "", 1, ref("a"), ref("b"), ref("gone"))
	make("a", root.ID, 10)
	make("b", root.ID, 100, ref("c"))
	c := make("c", ref("b").ID, 1000)
	if err := j.Append(t.Context(), root, 0, journal.ChildDone, journal.ChildDoneData{Child: ref("a").ID, Usage: akitad.Usage{Calls: 10}, Tasks: 7}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		except akitad.TaskID
		want   guard.Spend
	}{{"", guard.Spend{Calls: 1111, Tasks: 11}}, {c.ID, guard.Spend{Calls: 111, Tasks: 11}}, {root.ID, guard.Spend{Calls: 1100, Tasks: 1}}} {
		if got, err := j.Spent(t.Context(), root, tt.except); err != nil || got != tt.want {
			t.Errorf("except %q: %+v, want %+v (%v)", tt.except, got, tt.want, err)
		}
	}
}

// The clock of a worker is set while it has a task, or its machine sleeps: that is no working time, and takes none
// away, whoever else appends in between by whatever clock.
func TestActiveTimeByAClockThatIsSet(t *testing.T) {
	b := bustest.New(t)
	for name, set := range map[string]time.Duration{"forward": 5 * time.Hour, "back": -5 * time.Hour, "by a moment": 20 * time.Second} {
		for _, between := range []bool{false, true} {
			j, other := journal.New(b, "a"), journal.New(b, "b")
			ahead := time.Duration(0)
			clock := func() time.Duration { return ahead }
			j.SetClock(clock)
			other.SetClock(clock)
			id := akitad.DeriveTaskID(t.Name(), name, fmt.Sprint(between))
			task, _, err := j.Create(t.Context(), id, journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"})
			write := func(kind akitad.EventKind, data any) {
				t.Helper()
				epoch := task.Epoch
				if kind == journal.Claimed {
					epoch = 0
				}
				for err == nil || errors.Is(err, journal.ErrConflict) {
					if err = j.Append(t.Context(), task, epoch, kind, data); err == nil {
						return
					}
				}
				t.Fatal(err)
			}
			write(journal.Claimed, journal.ClaimedData{})
			write(journal.Thought, calls("a"))
			ahead = set
			if between {
				theirs, err := other.Load(t.Context(), id)
				if err == nil {
					err = other.Append(t.Context(), theirs, 0, journal.Steered, journal.SteeredData{Text: "shorter"})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			write(journal.Round, open("a"))
			write(journal.Completed, journal.EndData{})
			if task.Active > time.Minute || task.Voided != 0 {
				t.Errorf("%s, another one writes in between: %v: %s of working time, %d void events", name, between, task.Active, task.Voided)
			}
			if fresh, err := journal.New(b, "c").Load(t.Context(), id); err != nil || fresh.Active != task.Active {
				t.Errorf("%s: read again it is %s, not %s (%v)", name, fresh.Active, task.Active, err)
			}
		}
	}
}

// A worker whose clock is ahead is lost after somebody with another clock has written: the time that the next one
// works counts, from its first minute on.
func TestActiveTimeAfterAClockThatWasAhead(t *testing.T) {
	id := akitad.DeriveTaskID(t.Name())
	task, noon := journal.NewTask(id), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i, e := range []struct {
		kind  akitad.EventKind
		after time.Duration
		data  any
	}{
		{journal.Submitted, 0, journal.SubmittedData{Root: id, Text: "go"}},
		{journal.Claimed, time.Hour, journal.ClaimedData{Node: "ahead"}},
		{journal.Thought, time.Hour + 5*time.Minute, calls("a")},
		{journal.Steered, 6 * time.Minute, journal.SteeredData{Text: "shorter"}},
		{journal.Claimed, 10 * time.Minute, journal.ClaimedData{Node: "right"}},
		{journal.Round, 40 * time.Minute, open("a")},
	} {
		data, err := json.Marshal(e.data)
		if err == nil {
			err = task.Apply(akitad.Event{V: 1, Seq: uint64(i + 1), Prev: uint64(i), Kind: e.kind, At: noon.Add(e.after), Data: data})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if task.Active != 30*time.Minute || task.Voided != 0 {
		t.Errorf("%s of working time, %d void events", task.Active, task.Voided)
	}
}
