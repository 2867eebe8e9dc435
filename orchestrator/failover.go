package orchestrator

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/tracing"
)

// failoverReason is the recorded reason of a hand-over that a person asked for.
const failoverReason = "failover was asked for"

// Failover ends the current attempt of a task and hands the task, with the work so far, to the next agent of
// its profile's fallback chain that some worker can run. Open calls are given up. The error is a Conflict if
// the task has ended, has no agent yet, or no agent is left.
func (o *Orchestrator) Failover(ctx context.Context, id akitad.TaskID) error {
	t, err := o.known(ctx, id)
	if err != nil {
		return err
	}
	if err := mayFailOver(t); err != nil {
		return err
	}
	next, err := o.nextAgent(ctx, t)
	if err != nil {
		return err
	}
	from, left := t.Profile, t.Snapshot()
	d := akitad.Degradation{Layer: "agent", From: from, To: next, Kind: akitad.Cancelled, Reason: failoverReason}
	done, err := o.Journal.Decided(ctx, t, func(t *journal.Task) *journal.Decision {
		if mayFailOver(t) != nil || t.Profile != from {
			return nil
		}
		left = t.Snapshot()
		return &journal.Decision{Kind: journal.Woken, Data: journal.WokenData{Reason: failoverReason, To: next, Degraded: &d}}
	})
	switch {
	case err != nil:
		return err
	case !done:
		return conflictf("look at it again: akitad task show "+string(id), "task %s has moved on meanwhile (%s, %s)", id, t.State, t.Profile)
	}
	o.decideAgent(ctx, t, from, next)
	return o.cancelChildren(ctx, left, "another agent took over the task it belongs to")
}

func mayFailOver(t *journal.Task) error {
	switch {
	case t.Final():
		return ended(t)
	case t.AskedCancel:
		return conflictf("wait for its end", "task %s is being cancelled", t.ID)
	case !t.Handed:
		return conflictf("fail over one of its children, or wait until an agent has it", "task %s is not with an agent", t.ID)
	case t.Sub.Step != nil && t.Sub.Step.Kind() != "agent":
		return conflictf("cancel it, or retry its root when that has ended", "task %s is one call of a plan: another agent would make the same", t.ID)
	}
	return nil
}

// nextAgent asks the workers of the task's profile for its fallback chain, and returns the first agent in it
// that was not tried and that some worker can run.
func (o *Orchestrator) nextAgent(ctx context.Context, t *journal.Task) (string, error) {
	chain := []string{o.opts.Default}
	info, found, err := o.Bus.AskHere(ctx, t.Profile)
	if err != nil {
		return "", err
	}
	if found {
		var here struct {
			Fallback []string `json:"fallback"`
		}
		if err := json.Unmarshal(info, &here); err != nil {
			return "", akitad.Errorf(akitad.Unavailable, "what runs %s cannot be understood: %w", t.Profile, err)
		}
		chain = here.Fallback
	}
	var absent []string
	next, ok := t.NextAgent(t.Profile, chain, func(name string) bool {
		_, found, aerr := o.Bus.AskHere(ctx, name)
		if err = firstOf(err, aerr); !found {
			absent = append(absent, name)
		}
		return found
	})
	switch {
	case err != nil:
		return "", err
	case ok:
		return next, nil
	case len(absent) > 0:
		return "", conflictf("start a worker that has it", "no worker runs %s, the next agent after %s", strings.Join(absent, " or "), t.Profile)
	}
	return "", conflictf("list more of them under fallback: in agents/"+t.Profile+".md of the home folder, or cancel the task: akitad task cancel "+string(t.ID),
		"no agent is left after %s for task %s", t.Profile, t.ID)
}

// decideAgent records the choice as a span.
func (o *Orchestrator) decideAgent(ctx context.Context, t *journal.Task, from, next string) {
	_, span := o.Tracer.Start(o.Tracer.InTask(ctx, t.Sub.Root, t.SpanTask()), akitad.SpanDecision, "agent",
		tracing.String("type", "agent"), tracing.Strings("options", []string{from, next}))
	span.Set(tracing.String("choice", next), tracing.String("reason", failoverReason))
	span.End(nil)
}
