package app

import (
	"context"
	"slices"

	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/orchestrator"
)

// questions shows the gateway what tasks ask people.
type questions struct{ o *orchestrator.Orchestrator }

// Of returns what a task asks at present.
func (q questions) Of(t *journal.Task) []channels.Question {
	var out []channels.Question
	for _, one := range orchestrator.Questions(t) {
		out = append(out, question(one))
	}
	return out
}

// Find returns a question by its id.
func (q questions) Find(ctx context.Context, id string) (channels.Question, error) {
	one, past, err := q.o.Asked(ctx, id)
	if err != nil {
		return channels.Question{}, err
	}
	out := question(one)
	if past != nil {
		out.Closed, out.Answer, out.By = true, past.Words, past.Message
	}
	return out, nil
}

// Settle answers an open question.
func (q questions) Settle(ctx context.Context, id, choice, message string) error {
	return q.o.Press(ctx, id, choice, message)
}

// question says who may press its buttons: who was asked, and an owner where it is for owners to decide.
func question(q orchestrator.Question) channels.Question {
	who := q.Who()
	onlyOwner := len(who) == 1 && who[0] == "owner"
	return channels.Question{
		ID: q.ID, Task: q.Task, Call: q.Call(), Text: q.Text, Choices: q.Choices,
		Owner: slices.Contains(who, "owner"), Asker: !onlyOwner,
	}
}
