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

// QuestionKind is what a question is about.
type QuestionKind string

// The kinds of question.
const (
	AskedPlan       QuestionKind = "plan"       // whether the plan may run
	AskedStep       QuestionKind = "step"       // what to do about a failed step
	AskedBudget     QuestionKind = "budget"     // whether the task may use its budget once more
	AskedStandstill QuestionKind = "standstill" // how to continue without progress
	AskedApproval   QuestionKind = "approval"   // whether a tool call is allowed
	AskedAnswer     QuestionKind = "question"   // something about the work
)

// Question is an open call by which a task waits for a person.
type Question struct {
	ID      string // identifies the task and the call, see FindQuestion
	Kind    QuestionKind
	Text    string
	Choices []string   // the possible answers; empty: any text
	Until   *time.Time // when the task continues without an answer
	Task    *journal.Task

	call string
}

// Questions returns the open questions of a task, oldest first.
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

// questionID derives the id of the question for a task's open call; every question has another one.
func questionID(task akitad.TaskID, call string) string {
	return string(task) + "." + akitad.Digest(call)[:8]
}

// Who returns who may answer: "owner" and the sender of the task. If it is empty, everyone in the
// conversation may.
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

// AllQuestions returns the open questions of all tasks, newest task first.
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

// open returns the tasks that have not ended, according to the read model.
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

// FindQuestion returns the open question with that id. If it was closed (answered, given up or expired), the
// error is a Conflict; for an unknown id it is not_found.
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

// wasAsked searches the whole journal for the question.
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

// Settle answers a question with a decision: approve or deny, or one of its choices, in either language. A
// decision that does not fit the question is invalid_request, with the possible ones as a hint. If the
// question was closed meanwhile, the error is a Conflict.
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
