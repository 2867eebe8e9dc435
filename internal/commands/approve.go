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
	case len(decision) == 0 && id == "" && len(open) == 0:
		return r.lang.NothingToApprove(), nil
	case len(decision) == 0 && (id == "" || len(open) > 1):
		return r.lang.Approvals(lines(open)), nil
	case len(decision) == 0:
		decision = []string{string(text.Approve)}
	}
	at, err := c.about(ctx, r, id, open)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(open, func(q orchestrator.Question) bool { return q.ID == at })
	switch {
	case i >= 0:
		return c.decide(ctx, r, open[i], strings.Join(decision, " "))
	case at == "" && len(open) > 0:
		return r.lang.Approvals(lines(open)), nil
	case at == "" && id == "":
		return r.lang.NothingToApprove(), nil
	}
	return r.lang.AlreadyDecided(), nil
}

// about returns the question that a decision is for: the one that is named, else the only one that was open when the
// message came first, "" if none was or several were.
func (c *Commands) about(ctx context.Context, r request, id string, open []orchestrator.Question) (string, error) {
	only := ""
	if len(open) == 1 {
		only = open[0].ID
	}
	if strings.Contains(id, ".") {
		return only, nil
	}
	return c.Orchestrator.Aim(ctx, r.Session, r.Task, only)
}

// questions returns what waits for a decision: of the task or the question that is named, else of this
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
