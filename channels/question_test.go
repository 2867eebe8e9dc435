package channels_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// oneQuestion is a task that asks one thing.
type oneQuestion struct {
	mu sync.Mutex
	q  channels.Question
}

func (o *oneQuestion) Of(t *journal.Task) []channels.Question {
	o.mu.Lock()
	defer o.mu.Unlock()
	q := o.q
	q.Task = t
	return []channels.Question{q}
}

func (o *oneQuestion) Find(context.Context, string) (channels.Question, error) {
	return channels.Question{}, akitad.Errorf(akitad.NotFound, "none")
}

func (o *oneQuestion) Settle(context.Context, string, string, string) error { return nil }

// manyQuestions are asked one after another: each closes the one before it. Their words are their ids.
type manyQuestions struct {
	mu   sync.Mutex
	task *journal.Task
	now  string
}

func (m *manyQuestions) open(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = id
}

func (m *manyQuestions) Of(t *journal.Task) []channels.Question {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.task = t
	return []channels.Question{{ID: m.now, Call: m.now, Text: m.now, Choices: []string{"Yes", "No"}, Asker: true, Task: t}}
}

func (m *manyQuestions) Find(_ context.Context, id string) (channels.Question, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return channels.Question{ID: id, Text: id, Closed: id != m.now, Task: m.task}, nil
}

func (m *manyQuestions) Settle(context.Context, string, string, string) error { return nil }

// A service without buttons shows numbered lines, and the number of a choice is the choice: of who may
// answer, and while the question is open.
func TestNumberedChoices(t *testing.T) {
	r, s := puppetRig(t)
	r.opts.Questions = &oneQuestion{q: channels.Question{ID: "q", Call: "c1", Text: "Blue or green?", Choices: []string{"Blue", "Green"}, Asker: true}}
	var id akitad.TaskID
	r.opts.Running = func(context.Context, akitad.SessionKey) (akitad.TaskID, bool, error) { return id, id != "", nil }
	r.start()
	id = s.say(anna, 1, nil)
	payload, err := json.Marshal(map[string]any{"text": "Blue or green?"})
	if err != nil {
		t.Fatal(err)
	}
	r.append(id, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1", Tool: "ask_user"}}})
	r.append(id, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "c1"}}, Open: []journal.OpenCall{{ID: "c1", Tool: "ask_user", Kind: "answer", Payload: payload}}})
	r.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: "Blue or green?"})
	s.wait(r, "the question", s.said("Blue or green?\n\n1. Blue\n2. Green\n\n"+text.En.ByNumber()))
	r.until(id, func(t *journal.Task) bool { return t.SaidSeq >= t.WaitSeq })
	words := func(nr int, from int64, said string) akitad.Message {
		want := s.say(from, nr, func(m *akitad.Message) { m.Text = said })
		r.waitFor(func() bool { all := r.came(); return len(all) > 0 && all[len(all)-1].Task == want })
		all := r.came()
		return all[len(all)-1]
	}
	for nr, tt := range []struct {
		from        int64
		said, reads string
	}{{anna, "3", ""}, {anna, "0", ""}, {anna, "2 of them", ""}, {boris, "2", ""}, {anna, " 2. ", "Green"}, {anna, "1", "Blue"}} {
		m := words(10+nr, tt.from, tt.said)
		if tt.reads == "" && (m.Answers != "" || m.Text != tt.said) || tt.reads != "" && (m.Text != tt.reads || m.Answers != "c1" || m.Steers != id) {
			t.Errorf("%d says %q: %q answers %q of %q", tt.from, tt.said, m.Text, m.Answers, m.Steers)
		}
	}
}

// Choices that are too many for buttons are left out: the question's words have to do.
func TestTooManyChoices(t *testing.T) {
	r, s := puppetRig(t)
	r.opts.Questions = &oneQuestion{q: channels.Question{ID: "q", Call: "c1", Text: "Which?", Choices: strings.Fields("a b c d e f g h i j"), Asker: true}}
	r.start()
	id := s.say(anna, 1, nil)
	r.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer, Note: "Which?"})
	s.wait(r, "the question", s.said("Which?"))
}

// What an owner has to decide nobody else decides, by number neither.
func TestNumbersForOwners(t *testing.T) {
	r, s := puppetRig(t)
	r.opts.Questions = &oneQuestion{q: channels.Question{ID: "q", Call: "c1", Text: "May it?", Choices: []string{"Yes", "No"}, Owner: true}}
	var id akitad.TaskID
	r.opts.Running = func(context.Context, akitad.SessionKey) (akitad.TaskID, bool, error) { return id, id != "", nil }
	r.start()
	id = s.say(boris, 1, nil)
	r.append(id, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonApproval, Note: "May it?"})
	r.until(id, func(t *journal.Task) bool { return t.SaidSeq > 0 && t.SaidSeq >= t.WaitSeq })
	for nr, who := range []int64{boris, anna} { // anna is the owner
		want := s.say(who, 2+nr, func(m *akitad.Message) { m.Text = "1" })
		r.waitFor(func() bool { all := r.came(); return all[len(all)-1].Task == want })
		all := r.came()
		if m := all[len(all)-1]; (m.Answers == "c1") != (who == anna) || (m.Text == "Yes") != (who == anna) {
			t.Errorf("%d: %q answers %q", who, m.Text, m.Answers)
		}
	}
}
