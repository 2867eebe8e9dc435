package journal_test

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

var update = flag.Bool("update", false, "write the table of states into docs/DURABILITY.md")

// The states that an event can meet, each with how a task comes there.
var meets = []struct {
	name string
	come func(*story)
}{
	{"pending", func(s *story) { s.submitted() }},
	{"running", func(s *story) { asksTwo(s) }},
	{"waiting for answers", func(s *story) {
		asksTwo(s).add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer})
	}},
	{"waiting in the queue", func(s *story) {
		s.add(journal.Submitted, journal.SubmittedData{Root: s.task.ID, Profile: "assistant", Queued: true})
	}},
	{"paused before its turn", func(s *story) { s.submitted().add(journal.Paused, journal.AskData{}) }},
	{"final", func(s *story) { s.submitted().add(journal.Cancelled, journal.EndData{}) }},
}

// asksTwo is a task that runs and has two calls open.
func asksTwo(s *story) *story {
	return s.submitted().claimed().add(journal.Thought, calls("a", "b")).add(journal.Round, open("a", "b")).add(journal.Delegated, refs("a", "b"))
}

// The events, in the order of a task's life; what the last of several closes is a row of its own.
var events = []struct {
	name string
	come func(*story)
}{
	{"claimed", func(s *story) { s.claimed() }},
	{"compiled", func(s *story) { s.add(journal.Compiled, journal.CompiledData{}) }},
	{"planned", func(s *story) { s.add(journal.Planned, journal.PlannedData{}) }},
	{"woken", func(s *story) { s.add(journal.Woken, journal.WokenData{}) }},
	{"thought", func(s *story) { s.add(journal.Thought, calls("c")) }},
	{"round", func(s *story) { s.add(journal.Round, journal.RoundData{}) }},
	{"delegated", func(s *story) { s.add(journal.Delegated, refs("c")) }},
	{"waiting", func(s *story) {
		until := time.Unix(9e9, 0)
		s.add(journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry, Until: &until})
	}},
	{"answered, another call open", func(s *story) { s.add(journal.Answered, journal.AnsweredData{Call: "a"}) }},
	{"answered, the last", func(s *story) {
		s.add(journal.Answered, journal.AnsweredData{Call: "a"}).add(journal.Answered, journal.AnsweredData{Call: "b"})
	}},
	{"child_done, another open", func(s *story) { s.add(journal.ChildDone, done("a")) }},
	{"child_done, the last", func(s *story) { s.add(journal.ChildDone, done("a")).add(journal.ChildDone, done("b")) }},
	{"steered", func(s *story) { s.add(journal.Steered, journal.SteeredData{}) }},
	{"cancel_requested", func(s *story) { s.add(journal.CancelAsk, journal.AskData{}) }},
	{"paused", func(s *story) { s.add(journal.Paused, journal.AskData{}) }},
	{"resumed", func(s *story) { s.add(journal.Resumed, journal.AskData{}) }},
	{"replanned", func(s *story) { s.add(journal.Replanned, journal.ReplannedData{}) }},
	{"retried", func(s *story) { s.add(journal.Retried, journal.RetriedData{}) }},
	{"rolled_back", func(s *story) { s.add(journal.RolledBack, journal.RolledBackData{}) }},
	{"reduced", func(s *story) { s.add(journal.Reduced, journal.ReducedData{}) }},
	{"stalled", func(s *story) { s.add(journal.Stalled, journal.StalledData{}) }},
	{"begun", func(s *story) { s.add(journal.Begun, journal.BegunData{Calls: []string{"a"}}) }},
	{"rated", func(s *story) { s.add(journal.Rated, journal.RatedData{}) }},
	{"delivering", func(s *story) { s.add(journal.Delivering, journal.DeliveryData{Part: 1}) }},
	{"delivered", func(s *story) { s.add(journal.Delivered, journal.DeliveryData{}) }},
	{"completed", func(s *story) { s.add(journal.Completed, journal.EndData{}) }},
	{"failed", func(s *story) { s.add(journal.Failed, journal.EndData{}) }},
	{"cancelled", func(s *story) { s.add(journal.Cancelled, journal.EndData{}) }},
}

// The table of states in the documentation is what the fold does.
func TestStatesAreDocumented(t *testing.T) {
	const file, from, to = "../../docs/DURABILITY.md", "<!-- states -->\n", "<!-- end of states -->"
	table := statesTable(t)
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(doc), from)
	have, after, closed := strings.Cut(rest, to)
	switch {
	case !found || !closed:
		t.Fatalf("%s has no table of states", file)
	case *update:
		if err := os.WriteFile(file, []byte(before+from+table+to+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case have != table:
		t.Errorf("%s differs from the fold (-update to accept); got:\n%s", file, table)
	}
	known := map[string]bool{"submitted": true}
	for _, e := range events {
		kind, _, _ := strings.Cut(e.name, ",")
		known[kind] = true
	}
	for _, k := range journal.Kinds() {
		if !known[string(k)] {
			t.Errorf("the table has no row for %s", k)
		}
	}
}

func statesTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| event |")
	for _, m := range meets {
		b.WriteString(" " + m.name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(meets)) + "\n")
	for _, e := range events {
		b.WriteString("| " + e.name + " |")
		for _, m := range meets {
			s := newStory(t)
			m.come(s)
			before := stateOf(s.task)
			e.come(s)
			after := stateOf(s.task)
			if after == before {
				after = "="
			}
			b.WriteString(" " + after + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func stateOf(t *journal.Task) string {
	s := string(t.State)
	if t.Reason != "" {
		s += " (" + t.Reason + ")"
	}
	if t.IsPaused && t.Reason != akitad.ReasonPaused && !t.Final() {
		s += ", paused"
	}
	return s
}
