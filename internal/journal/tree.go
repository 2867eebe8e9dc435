package journal

import (
	"context"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/text"
)

// BudgetCall, with the number of times that a person has let the task go on, is the open call that
// stands for the question whether it may use as much again.
const BudgetCall = "budget-"

// Granted counts how often a person let a root task use as much again: by their answer when its budget
// was used up, or by a retry. What the attempts before used stays used.
func (t *Task) Granted() int {
	n := t.Retries
	for _, a := range t.Answers {
		if strings.HasPrefix(a.Call, BudgetCall) && a.Outcome == OutcomeAnswered && text.Agrees(a.Words) {
			n++
		}
	}
	return n
}

// Limits gives what the tree of a root task may use: the house's limits, lowered by what its request
// asked for, once more for each time that its person let it go on. The number of tasks grows with
// retries alone.
func (t *Task) Limits(house guard.Limits) guard.Limits {
	l := house.Narrow(t.Sub.Budget).Times(1 + t.Granted())
	l.Tasks = house.Tasks * (1 + t.Retries)
	return l
}

// Spent gives what the task itself used, with all its children that have joined.
func (t *Task) Spent() guard.Spend {
	s := guard.SpendOf(t.Usage)
	s.Active, s.Tasks = t.Active, t.Delegated()
	return s
}

// Spent gives what a task and everything below it have used so far, the children that still run
// included. What the task except says of itself is left out; "" leaves out nothing. A task without
// open children is not read anew.
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
