package commands

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/policy"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/orchestrator"
)

// approve lists what waits for a decision, or decides it: /approve yes, /approve no, /approve ID no.
func (c *Commands) approve(ctx context.Context, r request) (string, error) {
	id, decision := "", []string{}
	for _, w := range strings.Fields(r.args) {
		if strings.HasPrefix(w, "t_") && id == "" {
			id = w
			continue
		}
		decision = append(decision, w)
	}
	open, err := c.questions(ctx, r, id)
	switch {
	case err != nil:
		return "", err
	case len(open) == 0 && id != "":
		return r.lang.AlreadyDecided(), nil
	case len(open) == 0:
		return r.lang.NothingToApprove(), nil
	case len(decision) == 0 && id != "" && len(open) == 1:
		decision = []string{string(text.Approve)}
	case len(decision) == 0, len(open) > 1:
		return r.lang.Approvals(lines(open)), nil
	}
	if id == "" { // the question that was open when the message came first
		if id, err = c.Orchestrator.Aim(ctx, r.Session, r.Task, open[0].ID); err != nil {
			return "", err
		}
		if open[0].ID != id {
			return r.lang.AlreadyDecided(), nil
		}
	}
	return c.decide(ctx, r, open[0], strings.Join(decision, " "))
}

// questions gives what waits for a decision: of the task or the question that is named, else of this
// conversation.
func (c *Commands) questions(ctx context.Context, r request, id string) ([]orchestrator.Question, error) {
	task, _, one := strings.Cut(id, ".")
	t, err := c.running(ctx, r)
	if id != "" && err == nil {
		t, err = c.seen(ctx, r, task)
	}
	if t == nil || err != nil {
		return nil, err
	}
	open := orchestrator.Questions(t)
	if one {
		open = slices.DeleteFunc(open, func(q orchestrator.Question) bool { return q.ID != id })
	}
	return open, nil
}

func lines(open []orchestrator.Question) []string {
	var out []string
	for _, q := range open {
		out = append(out, text.ApprovalLine(q.ID, q.Text, q.Choices))
	}
	return out
}

func (c *Commands) decide(ctx context.Context, r request, q orchestrator.Question, decision string) (string, error) {
	if who := q.Who(); len(who) > 0 && !mayDecide(who, r.Origin) {
		return r.lang.NotYours(len(who) == 1), nil
	}
	if policy.CheckJoin(q.Task.Sub.Origin, r.Origin) != nil {
		return r.lang.NotYours(false), nil
	}
	err := c.Orchestrator.Settle(ctx, q, decision, r.ID)
	if _, closed := errors.AsType[*orchestrator.Conflict](err); closed {
		return r.lang.AlreadyDecided(), nil
	}
	if akitad.KindOf(err) == akitad.InvalidRequest {
		return r.lang.DecisionUnfit(decision, q.Choices), nil
	}
	return r.lang.Decided(decision, q.Text), err
}

func mayDecide(who []string, from akitad.Origin) bool {
	return from.Owner || slices.Contains(who, from.Person())
}
