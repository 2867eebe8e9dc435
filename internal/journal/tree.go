package journal

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/text"
)

// BudgetCall, followed by the number of grants so far, is the id of the open call that asks a person
// whether the task may use its budget once more.
const BudgetCall = "budget-"

// Granted counts how often a person granted a root task its budget once more: by an answer when the budget
// was used up, or by a retry. The usage of earlier attempts still counts.
func (t *Task) Granted() int {
	n := t.Retries
	for _, a := range t.Answers {
		if strings.HasPrefix(a.Call, BudgetCall) && a.Outcome == OutcomeAnswered && text.Agrees(a.Words) {
			n++
		}
	}
	return n
}

// Limits returns what the tree of a root task may use: the configured limits, lowered by the request's
// budget, times one plus Granted. The limit on the number of tasks grows with retries only.
func (t *Task) Limits(house guard.Limits) guard.Limits {
	l := house.Narrow(t.Sub.Budget).Times(1 + t.Granted())
	l.Tasks = house.Tasks * (1 + t.Retries)
	return l
}

// Spent returns the usage of the task and of its joined children.
func (t *Task) Spent() guard.Spend {
	s := guard.SpendOf(t.Usage)
	s.Active, s.Tasks = t.Active, t.Delegated()
	return s
}

// Spent returns the usage of a task and of all tasks below it so far, including children that still run.
// The own usage of the task with the id except is left out; "" leaves out nothing. Only the journals of
// children that have not joined are loaded.
func (j *Journal) Spent(ctx context.Context, t *Task, except akitad.TaskID) (guard.Spend, error) {
	var total guard.Spend
	if t.ID != except {
		total = t.Spent()
	}
	for _, c := range t.Children {
		if c.Done && !c.GivenUp {
			continue
		}
		child, err := j.Load(ctx, c.ID)
		if err != nil {
			return total, err
		}
		below, err := j.Spent(ctx, child, except)
		if err != nil {
			return total, err
		}
		total = total.Add(below)
	}
	return total, nil
}
