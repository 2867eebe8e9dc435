package journal_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

func bill(endpoint, role string, input, calls int) akitad.Bill {
	return akitad.Bill{Endpoint: endpoint, Role: role, Usage: akitad.Usage{Input: input, Calls: calls, Cost: float64(input) / 1000}}
}

func TestBills(t *testing.T) {
	a := akitad.Bills{bill("x", "main", 10, 1)}
	b := a.Add(bill("y", "main", 5, 1), bill("x", "main", 1, 2), bill("x", "judge", 7, 1))
	want := akitad.Bills{{Endpoint: "x", Role: "main", Usage: akitad.Usage{Input: 11, Calls: 3, Cost: 0.011}}, bill("y", "main", 5, 1), bill("x", "judge", 7, 1)}
	if !reflect.DeepEqual(b, want) || a[0].Input != 10 || len(a) != 1 {
		t.Errorf("%+v, want %+v; the first is %+v", b, want, a)
	}
	if got := b.Total(); got.Input != 23 || got.Calls != 5 {
		t.Errorf("total %+v", got)
	}
}

// Each call that an event tells of is in the ledger once, and the ledger is what the task itself used:
// its children, and events that lost a race, are not in it.
func TestLedger(t *testing.T) {
	s := newStory(t).submitted().claimed()
	s.add(journal.Compiled, journal.CompiledData{Usage: bill("", "", 10, 1).Usage, Bills: akitad.Bills{bill("small", "compiler", 10, 1)}})
	s.add(journal.Planned, journal.PlannedData{Profile: "assistant", Usage: bill("", "", 20, 2).Usage, Bills: akitad.Bills{bill("dead", "planner", 0, 1), bill("big", "planner", 20, 1)}})
	s.add(journal.Woken, journal.WokenData{To: "analyst", Bills: akitad.Bills{bill("big", "main", 1, 1)}}).claimed()
	s.add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry, Bills: akitad.Bills{bill("big", "main", 2, 1)}})
	s.add(journal.Woken, journal.WokenData{}).claimed()
	before := s.task.Snapshot()
	thought := calls("c1")
	thought.Usage, thought.Bills = bill("", "", 100, 1).Usage, akitad.Bills{bill("big", "main", 100, 1)}
	s.add(journal.Thought, thought)
	void := s.event(journal.Thought, s.task.Epoch, thought)
	void.Prev--
	if err := s.task.Apply(void); err != nil {
		t.Fatal(err)
	}
	s.add(journal.Delegated, refs("c1")).add(journal.Round, open("c1"))
	s.add(journal.ChildDone, done("c1"))
	s.add(journal.Completed, journal.EndData{Usage: bill("", "", 30, 1).Usage, Bills: akitad.Bills{bill("big", "main", 30, 1)}})
	want := akitad.Bills{bill("small", "compiler", 10, 1), bill("dead", "planner", 0, 1), bill("big", "planner", 20, 1), bill("big", "main", 133, 4)}
	got := s.task.Bills()
	for i := range got { // sums of fractions
		got[i].Cost = float64(got[i].Input) / 1000
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if child := done("c1").Usage; s.task.Usage.Calls != got.Total().Calls+child.Calls {
		t.Errorf("all used %+v, the task itself %+v", s.task.Usage, got.Total())
	}
	if b := before.Bills().Total(); b.Input != 33 {
		t.Errorf("a snapshot changed: %+v", b)
	}
}

func TestLedgerDays(t *testing.T) {
	s := newStory(t).submitted().claimed()
	for i, at := range []time.Time{
		time.Date(2026, 11, 30, 23, 59, 59, 0, time.Local), time.Date(2026, 12, 1, 0, 0, 0, 0, time.Local), time.Date(2026, 12, 1, 9, 0, 0, 0, time.Local),
	} {
		e := s.event(journal.Planned, 0, journal.PlannedData{Usage: akitad.Usage{Input: i + 1, Calls: 1}, Bills: akitad.Bills{bill("big", "planner", i+1, 1)}})
		e.At = at.UTC()
		if err := s.task.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, b := range s.task.Ledger {
		got = append(got, b.Day)
	}
	if !slices.Equal(got, []string{"2026-11-30", "2026-12-01"}) || s.task.Ledger[1].Input != 5 || s.task.Ledger[1].Calls != 2 {
		t.Errorf("%+v", s.task.Ledger)
	}
}

// Events of before there were bills count for what is known of them.
func TestLedgerOfOldEvents(t *testing.T) {
	used := akitad.Usage{Input: 5, Calls: 1}
	s := newStory(t).submitted().claimed()
	s.add(journal.Compiled, journal.CompiledData{Usage: used}).add(journal.Planned, journal.PlannedData{})
	thought := calls("c1")
	thought.Usage, thought.Endpoint = used, "big"
	s.add(journal.Thought, thought)
	want := akitad.Bills{{Role: "compiler", Usage: used}, {Endpoint: "big", Role: "main", Usage: used}}
	if got := s.task.Bills(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
