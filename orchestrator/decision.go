package orchestrator

import (
	"strconv"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// read translates a decision into words that the task understands, and returns the outcome to record.
func (q Question) read(decision string) (words, outcome string, err error) {
	decision = strings.TrimSpace(decision)
	if n, err := strconv.Atoi(decision); err == nil && len(q.Choices) > 0 {
		if n < 1 || n > len(q.Choices) {
			return "", "", q.unfit(decision)
		}
		decision = q.Choices[n-1]
	}
	said := text.ReadDecision(decision)
	switch words = q.named(decision); {
	case words != "", decision == "":
	case q.Kind == AskedStep:
		if c := text.ReadChoice(decision); c != text.Approve && c != "" {
			words = decision
		}
	case said == text.Approve:
		words = q.yes()
	case said == text.Stop:
		words = q.no()
	case q.open():
		words = decision
	}
	if words == "" {
		return "", "", q.unfit(decision)
	}
	return words, q.outcome(said), nil
}

// open reports whether any text answers the question. (A text about a plan would ask for another plan, but a
// decision is not meant that way.)
func (q Question) open() bool { return q.Kind == AskedStandstill || q.Kind == AskedAnswer }

func (q Question) lang() text.Lang { return text.Lang(q.Task.Sub.Origin.Lang) }

// yes returns the words for a plain yes, "" if a yes does not answer the question.
func (q Question) yes() string {
	switch {
	case q.Kind == AskedPlan, q.Kind == AskedApproval:
		return text.ChoiceWords(q.lang(), text.Approve)[0]
	case q.Kind == AskedBudget, q.Kind == AskedStandstill:
		return q.lang().GoOn()
	case len(q.Choices) == 0:
		return q.lang().Yes()
	}
	return ""
}

// no returns the words for a plain no, "" if a no does not answer the question.
func (q Question) no() string {
	switch {
	case q.Kind == AskedApproval:
		return text.ChoiceWords(q.lang(), text.Deny)[0]
	case q.Kind != AskedAnswer:
		return text.ChoiceWords(q.lang(), text.Stop)[0]
	case len(q.Choices) == 0:
		return q.lang().No()
	}
	return ""
}

// outcome returns the outcome to record: for the approval of a tool, whether it was given; otherwise that a
// person answered.
func (q Question) outcome(said text.Choice) string {
	switch {
	case q.Kind != AskedApproval:
		return journal.OutcomeAnswered
	case said == text.Approve:
		return "approved"
	}
	return "denied"
}

// named returns the choice that equals the decision, in any letter case, "" if none does.
func (q Question) named(decision string) string {
	for _, c := range q.Choices {
		if strings.EqualFold(c, decision) {
			return c
		}
	}
	return ""
}

func (q Question) unfit(decision string) error {
	hint := "decide approve or deny"
	if len(q.Choices) > 0 {
		hint = "decide one of: " + strings.Join(q.Choices, ", ")
	}
	return akitad.Errorf(akitad.InvalidRequest, "%q decides nothing about question %s", decision, q.ID).WithHint(hint)
}
