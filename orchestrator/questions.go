package orchestrator

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/sorting"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
)

// QuestionKind says what a person is asked about.
type QuestionKind string

// The kinds of question.
const (
	AskedPlan       QuestionKind = "plan"       // may the plan run
	AskedStep       QuestionKind = "step"       // what becomes of a step that failed
	AskedBudget     QuestionKind = "budget"     // may the task use as much again
	AskedStandstill QuestionKind = "standstill" // how to go on without progress
	AskedApproval   QuestionKind = "approval"   // may a tool be called so
	AskedAnswer     QuestionKind = "question"   // something about the work
)

// Question is an open call by which a task waits for a person.
type Question struct {
	ID      string // names task and call; see FindQuestion
	Kind    QuestionKind
	Text    string
	Choices []string   // the words that settle it; empty: any words do
	Until   *time.Time // when the task goes on without an answer
	Task    *journal.Task

	call string
}

// Questions gives the open questions of a task, oldest first.
func Questions(t *journal.Task) []Question {
	var out []Question
	for _, c := range t.Open {
		if t.Final() || c.Kind != string(tool.SuspendAnswer) && c.Kind != string(tool.SuspendApproval) {
			continue
		}
		var asked tool.Question
		if err := json.Unmarshal(c.Payload, &asked); err != nil || asked.Text == "" {
			continue
		}
		q := Question{ID: questionID(t.ID, c.ID), Kind: kindOf(c), Text: asked.Text, Choices: asked.Options, Until: c.Until, Task: t, call: c.ID}
		if lang := text.Lang(t.Sub.Origin.Lang); len(q.Choices) == 0 {
			q.Choices = choicesOf(q.Kind, lang)
		}
		out = append(out, q)
	}
	return out
}

func kindOf(c journal.OpenCall) QuestionKind {
	switch {
	case strings.HasPrefix(c.ID, "step/"):
		return AskedStep
	case journal.PlanCall(c.ID):
		return AskedPlan
	case strings.HasPrefix(c.ID, journal.BudgetCall):
		return AskedBudget
	case strings.HasPrefix(c.ID, journal.StillCall):
		return AskedStandstill
	case c.Kind == string(tool.SuspendApproval):
		return AskedApproval
	}
	return AskedAnswer
}

func choicesOf(kind QuestionKind, lang text.Lang) []string {
	switch kind {
	case AskedBudget:
		return []string{lang.GoOn(), text.ChoiceWords(lang, text.Stop)[0]}
	case AskedApproval:
		return text.ChoiceWords(lang, text.Approve, text.Deny)
	}
	return nil
}

// questionID names one call of one task: whatever is asked later has another.
func questionID(task akitad.TaskID, call string) string {
	return string(task) + "." + akitad.Digest(call)[:8]
}

// Who names those who may answer: by "owner" and the person of the task, as its origin has it; nobody
// for anyone of the conversation.
func (q Question) Who() []string {
	person := q.Task.Sub.Origin.Person()
	switch {
	case q.Kind == AskedApproval:
		return []string{"owner"}
	case !journal.Decides(q.call) || person == "":
		return []string{}
	}
	return []string{person, "owner"}
}

// AllQuestions gives what all tasks ask people at present, the newest task first.
func (o *Orchestrator) AllQuestions(ctx context.Context) ([]Question, error) {
	out := []Question{}
	open, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range open {
		t, err := o.Journal.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		out = append(out, Questions(t)...)
	}
	sorting.By(out, func(a, b Question) int { return b.Task.Created.Compare(a.Task.Created) })
	return slices.CompactFunc(out, func(a, b Question) bool { return a.ID == b.ID }), nil
}

// open lists the tasks that have not ended, as far as the read model knows them.
func (o *Orchestrator) open(ctx context.Context) ([]akitad.TaskID, error) {
	var out []akitad.TaskID
	for _, state := range []akitad.State{akitad.Waiting, akitad.Running, akitad.Pending} {
		f := projection.Filter{State: state, Limit: projection.MaxLimit}
		for {
			rows, next, err := o.Projection.List(ctx, f)
			if err != nil {
				return nil, err
			}
			for _, r := range rows {
				out = append(out, r.ID)
			}
			if f.Cursor = next; next == "" {
				break
			}
		}
	}
	return out, nil
}

// FindQuestion gives the open question of that id. One that is answered, given up or out of time is a
// Conflict; an id that never named one is not_found.
func (o *Orchestrator) FindQuestion(ctx context.Context, id string) (Question, error) {
	unknown := akitad.Errorf(akitad.NotFound, "there is no question %q", id).WithHint("list the open ones at /v1/approvals (akitad approvals ls)")
	task, _, found := strings.Cut(id, ".")
	if !found || !akitad.TaskID(task).Valid() {
		return Question{}, unknown
	}
	t, err := o.Journal.Load(ctx, akitad.TaskID(task))
	if err != nil {
		return Question{}, err
	}
	all := Questions(t)
	if at := slices.IndexFunc(all, func(q Question) bool { return q.ID == id }); at >= 0 {
		return all[at], nil
	}
	if asked, err := o.wasAsked(ctx, t, id); err != nil || !asked {
		return Question{}, firstOf(err, unknown)
	}
	return Question{}, closedQuestion(id)
}

func closedQuestion(id string) error {
	return conflictf("list the open ones at /v1/approvals (akitad approvals ls)", "question %s is closed: it was answered, its time was up, or its task has ended", id)
}

// wasAsked looks in the whole journal for the question.
func (o *Orchestrator) wasAsked(ctx context.Context, t *journal.Task, id string) (bool, error) {
	if !t.Exists() {
		return false, nil
	}
	asked := false
	err := o.Journal.Events(ctx, t.ID, 0, func(e akitad.Event) error {
		var d journal.RoundData
		if e.Kind == journal.Round && json.Unmarshal(e.Data, &d) == nil {
			asked = asked || slices.ContainsFunc(d.Open, func(c journal.OpenCall) bool { return questionID(t.ID, c.ID) == id })
		}
		return nil
	})
	return asked, err
}

// Settle answers a question with a decision: approve or deny, or words of its choices, in either
// language. What does not fit the question is invalid_request, with the words that do; one that was
// closed meanwhile is a Conflict.
func (o *Orchestrator) Settle(ctx context.Context, q Question, decision, message string) error {
	words, outcome, err := q.read(decision)
	if err != nil {
		return err
	}
	done, err := o.Journal.Decided(ctx, q.Task, func(t *journal.Task) *journal.Decision {
		if t.Final() || !slices.ContainsFunc(t.Open, func(c journal.OpenCall) bool { return c.ID == q.call }) {
			return nil
		}
		return &journal.Decision{Kind: journal.Answered, Data: journal.AnsweredData{
			Call: q.call, Outcome: outcome, Message: message, Words: words, Observation: akitad.Observation{Text: journal.AnswerPrefix + words},
		}}
	})
	if err == nil && !done {
		err = closedQuestion(q.ID)
	}
	return err
}
