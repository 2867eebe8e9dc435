package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// Call returns the id of the question's open call.
func (q Question) Call() string { return q.call }

// Past says how a question was closed. Words are empty if no person answered.
type Past struct {
	Words   string
	Message string // the id of the message that answered
}

// Asked returns a question by its id. If it is closed, past is not nil. An unknown id is not_found.
func (o *Orchestrator) Asked(ctx context.Context, id string) (q Question, past *Past, err error) {
	q, err = o.FindQuestion(ctx, id)
	if !closed(err) {
		return q, nil, err // the question is open, or there is none
	}
	task, _, _ := strings.Cut(id, ".")
	t, err := o.Journal.Load(ctx, akitad.TaskID(task))
	if err != nil {
		return q, nil, err
	}
	past = &Past{}
	err = o.Journal.Events(ctx, t.ID, 0, func(e akitad.Event) error {
		switch e.Kind {
		case journal.Round:
			if asked, ok := openedBy(t, e, id); ok {
				q, *past = asked, Past{}
			}
		case journal.Answered:
			var d journal.AnsweredData
			if json.Unmarshal(e.Data, &d) == nil && d.Call == q.call && q.call != "" && d.Message != "" {
				*past = Past{Words: d.Words, Message: d.Message}
			}
		}
		return nil
	})
	return q, past, err
}

// openedBy returns the question with that id, if this event has opened it.
func openedBy(t *journal.Task, e akitad.Event, id string) (Question, bool) {
	var d journal.RoundData
	if json.Unmarshal(e.Data, &d) != nil {
		return Question{}, false
	}
	at := slices.IndexFunc(d.Open, func(c journal.OpenCall) bool { return questionID(t.ID, c.ID) == id })
	if at < 0 {
		return Question{}, false
	}
	then := &journal.Task{ID: t.ID, Sub: t.Sub, Created: t.Created, Open: d.Open[at : at+1]}
	if all := Questions(then); len(all) > 0 {
		q := all[0]
		q.Task = t
		return q, true
	}
	return Question{}, false
}

// Press answers an open question with one of its choices. A closed question is not changed.
func (o *Orchestrator) Press(ctx context.Context, id, choice, message string) error {
	q, err := o.FindQuestion(ctx, id)
	if err == nil {
		err = o.Settle(ctx, q, choice, message)
	}
	if closed(err) {
		return nil
	}
	return err
}

func closed(err error) bool {
	_, ok := errors.AsType[*Conflict](err)
	return ok
}

// answersExactly closes the open call that a message names. If that call is closed, or the sender may not
// answer it, the message is dropped and never becomes a task.
func (o *Orchestrator) answersExactly(ctx context.Context, m akitad.Message) error {
	t, err := o.Journal.Load(ctx, m.Steers)
	if err != nil {
		return err
	}
	for _, q := range Questions(t) {
		if q.call != m.Answers || !o.mayAnswer(q, m.Origin) {
			continue
		}
		err = o.Settle(ctx, q, m.Text, m.ID)
		if closed(err) || akitad.KindOf(err) == akitad.InvalidRequest {
			return nil
		}
		return err
	}
	return nil
}

// mayAnswer reports whether a sender may answer a question.
func (o *Orchestrator) mayAnswer(q Question, from akitad.Origin) bool {
	who := q.Who()
	owner := from.Owner || from.Sender != "" && from.Sender == o.opts.Owners[from.Channel]
	return len(who) == 0 || slices.Contains(who, from.Person()) || owner && slices.Contains(who, "owner")
}
