package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// within bounds a task that has no children.
func within(limits guard.Limits) func(context.Context, *journal.Task) (guard.Limits, guard.Spend) {
	return func(_ context.Context, t *journal.Task) (guard.Limits, guard.Spend) {
		return t.Limits(limits), t.Spent()
	}
}

// spender makes a new call each round, so that nothing but the budget ends it.
func spender(used akitad.Usage) *circler {
	m := &circler{usage: used, last: "what I have"}
	for i := range 60 {
		m.rounds = append(m.rounds, one("read", fmt.Sprintf(`{"what":"%d"}`, i)))
	}
	return m
}

var telegram = akitad.Origin{Channel: "telegram", Chat: "1", Sender: "1"}

// The agent is told at half of the budget, at the warning and near the end, once each, whoever runs
// the rounds; at its end one last call gives what there is.
func TestBudget(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits guard.Limits
		used   akitad.Usage
		rounds int
		want   []string
	}{
		{"calls", guard.Limits{Calls: 10}, akitad.Usage{}, 10, []string{"6 [Budget: 50 % of the model calls of this task used, 5 left.]", "9 [Budget: 80 % of the model calls of this task used, 2 left: finish soon.]", "10 [Budget: 90 % of the model calls of this task used, 1 left: finish soon.]"}},
		{"tokens", guard.Limits{Input: 1000}, akitad.Usage{Input: 400}, 3, []string{"3 [Budget: 80 % of the input tokens of this task used, 200 left: finish soon.]"}},
		{"cached tokens are free", guard.Limits{Input: 1000, Calls: 4}, akitad.Usage{Input: 4000, Cached: 3999}, 4, []string{"3 [Budget: 50 % of the model calls of this task used, 2 left.]"}},
		{"used up by others before it began", guard.Limits{Input: 0, Calls: 1}, akitad.Usage{}, 1, nil},
	} {
		for _, restarts := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, ", restarts ", restarts), func(t *testing.T) {
				model := spender(tt.used)
				r := newRig(t, model, count("read", safe))
				r.turn.Budget, r.turn.Rounds = within(tt.limits), 60
				out, b, err := drive(t, r, model, newBook(t, journal.SubmittedData{Text: "go"}), restarts)
				if err != nil {
					t.Fatal(err)
				}
				task := b.Snapshot()
				if len(task.Rounds) != tt.rounds || len(model.asked) != tt.rounds+1 {
					t.Errorf("%d rounds and %d requests, want %d and one more", len(task.Rounds), len(model.asked), tt.rounds)
				}
				var got []string
				for _, n := range notes(b) {
					if strings.Contains(n, "Budget") {
						got = append(got, n)
					}
				}
				if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
					t.Errorf("told:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
				}
				if !out.Result.Partial || out.Result.Text != "what I have" || !strings.Contains(out.Result.Missing[0], "budget is used up") {
					t.Errorf("%+v", out.Result)
				}
			})
		}
	}
}

// Who waits in a chat is asked, once each time that the budget is used up; only a yes lets it go on,
// with as much again.
func TestAPersonIsAskedForMore(t *testing.T) {
	for _, tt := range []struct {
		answers []string // "" is nobody's
		lang    string
		rounds  int
	}{
		{[]string{"no"}, "en", 4},
		{[]string{""}, "en", 4},
		{[]string{"what does that mean?"}, "en", 4},
		{[]string{"Continue!", "stop"}, "en", 8},
		{[]string{"继续。", "go on", ""}, "zh", 12},
	} {
		t.Run(strings.Join(tt.answers, ", "), func(t *testing.T) {
			model := spender(akitad.Usage{})
			r := newRig(t, model, count("read", safe))
			r.turn.Budget, r.turn.Rounds = within(guard.Limits{Calls: 4}), 60
			b := newBook(t, journal.SubmittedData{Text: "go", Origin: telegram})
			for i, words := range tt.answers {
				out, now, err := drive(t, r, model, b, false)
				task := now.Snapshot()
				if err != nil || !out.Waits || len(task.Open) != 1 || !strings.Contains(task.Question(), "model calls") {
					t.Fatalf("question %d: %v, %+v, %q", i, err, out, task.Question())
				}
				b = now
				reply(b, words)
				b = b.again()
			}
			out, b, err := drive(t, r, model, b, false)
			if err != nil || out.Waits || out.Result.Text != "what I have" || !out.Result.Partial {
				t.Fatalf("%v, %+v", err, out)
			}
			words := model.asked[len(model.asked)-1].Messages
			if last := tt.answers[len(tt.answers)-1]; last == "what does that mean?" && !strings.Contains(words[len(words)-2].Text, last) {
				t.Errorf("the agent does not know what the person said: %q", words[len(words)-2].Text)
			}
			if n := len(b.Snapshot().Rounds); n != tt.rounds || len(model.asked) != n+1 {
				t.Errorf("%d rounds, %d requests, want %d", n, len(model.asked), tt.rounds)
			}
		})
	}
}

// reply settles the open question as the one door does, or as the clock does.
func reply(b *book, words string) {
	d := journal.AnsweredData{Call: b.Snapshot().Open[0].ID, Outcome: "answered", Words: words, Observation: akitad.Observation{Text: journal.AnswerPrefix + words}}
	if words == "" {
		d.Outcome, d.Observation.Text = "assumed", "Nobody answered in time."
	}
	b.add(0, journal.Answered, d)
}

// What was said about the budget before the first round is none of the facts that the task was given.
func TestAGrantIsNoFact(t *testing.T) {
	model := spender(akitad.Usage{})
	r := newRig(t, model, count("read", safe))
	r.turn.Budget = within(guard.Limits{Calls: 2})
	b := newBook(t, journal.SubmittedData{Text: "go", Origin: telegram})
	b.add(0, journal.Planned, journal.PlannedData{Usage: akitad.Usage{Calls: 2}})
	if out := r.run(t, b); !out.Waits || len(model.asked) != 0 {
		t.Fatalf("%+v after %d requests", out, len(model.asked))
	}
	reply(b, "continue")
	b = b.again()
	if out := r.run(t, b); !out.Waits {
		t.Fatalf("%+v", out)
	}
	if _, brief := llm.SplitBrief(model.asked[0].Messages[0].Text); len(brief.Given) != 0 || brief.Date == "" {
		t.Errorf("the brief is %+v", brief)
	}
}

// A child cannot ask, and a person without a chat cannot be asked.
func TestNobodyToAsk(t *testing.T) {
	for name, sub := range map[string]journal.SubmittedData{
		"a child": {Text: "go", Origin: telegram, Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"},
		"http":    {Text: "go", Origin: akitad.Origin{Channel: "http"}},
	} {
		model := spender(akitad.Usage{})
		r := newRig(t, model, count("read", safe))
		r.turn.Budget = within(guard.Limits{Calls: 2})
		out, b, err := drive(t, r, model, newBook(t, sub), false)
		if err != nil || out.Waits || !out.Result.Partial || len(b.Snapshot().Rounds) != 2 {
			t.Errorf("%s: %v, %+v", name, err, out)
		}
	}
}

// A task that gets no further asks its person how to go on. What they say is passed on and counts as
// news; a stop, or silence, ends it.
func TestAStandstillIsTold(t *testing.T) {
	for _, tt := range []struct {
		answer string
		rounds int
		told   bool
	}{{"look in the other folder", 19, true}, {"stop", 11, false}, {"", 11, false}} {
		t.Run(tt.answer, func(t *testing.T) {
			var rounds [][]akitad.Call
			for i := range 3 {
				rounds = append(rounds, one("read", fmt.Sprintf(`{"what":"%d"}`, i)))
			}
			for i := range 60 {
				rounds = append(rounds, one("none", fmt.Sprintf(`{"n":%d}`, i)))
			}
			model := &circler{rounds: rounds, last: "no"}
			r := newRig(t, model, count("read", safe))
			r.turn.Rounds = 60
			out, b, err := drive(t, r, model, newBook(t, journal.SubmittedData{Text: "go", Origin: telegram}), false)
			if err != nil || !out.Waits || !strings.Contains(b.Snapshot().Question(), "last 8 rounds") {
				t.Fatalf("%v, %+v, %q", err, out, b.Snapshot().Question())
			}
			reply(b, tt.answer)
			out, b, err = drive(t, r, model, b.again(), true)
			if err != nil || len(b.Snapshot().Rounds) != tt.rounds || out.Waits != tt.told {
				t.Errorf("%v, %+v after %d rounds", err, out, len(b.Snapshot().Rounds))
			}
			if told := strings.Contains(strings.Join(notes(b), "\n"), tt.answer); tt.answer != "stop" && tt.answer != "" && !told {
				t.Errorf("the agent was told %q", notes(b))
			}
		})
	}
}
