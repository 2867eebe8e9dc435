package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
)

// delegate journals the ids of the children that open calls ask for, and then submits them. Both can be
// repeated after a crash, because ids are derived from the parent and the call.
func (w *Worker) delegate(ctx context.Context, c *claim.Claim) error {
	t := c.Snapshot()
	var refs []journal.ChildRef
	wanted := map[akitad.TaskID]journal.SubmittedData{}
	for _, open := range t.Open {
		if open.Kind != string(tool.SuspendChildren) {
			continue
		}
		id, sub, err := w.childOf(t, open)
		if err != nil {
			return err
		}
		wanted[id] = sub
		if !slices.ContainsFunc(t.Children, func(c journal.Child) bool { return c.ID == id }) {
			refs = append(refs, journal.ChildRef{ID: id, Call: open.ID, Profile: sub.Profile, Goal: sub.Text})
		}
	}
	if len(refs) > 0 {
		if err := c.Append(ctx, journal.Delegated, journal.DelegatedData{Children: refs}); err != nil {
			return err
		}
	}
	for id, sub := range wanted {
		if err := w.submit(ctx, t, id, sub); err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) submit(ctx context.Context, parent *journal.Task, id akitad.TaskID, sub journal.SubmittedData) error {
	child, created, err := w.Journal.Create(ctx, id, sub)
	if err != nil {
		return fmt.Errorf("submit child %s: %w", id, err)
	}
	if created {
		journal.OpenSpans(ctx, w.Tracer, child, parent.Profile)
	}
	return nil
}

// childOf returns the child that an open call asks for.
func (w *Worker) childOf(t *journal.Task, open journal.OpenCall) (akitad.TaskID, journal.SubmittedData, error) {
	var reqs []tool.ChildRequest
	if err := json.Unmarshal(open.Payload, &reqs); err != nil || len(reqs) != 1 {
		return "", journal.SubmittedData{}, errors.Join(fmt.Errorf("open call %s asks for %d children, want one", open.ID, len(reqs)), err)
	}
	req := reqs[0]
	sub := t.ChildData(req.Profile, req.Goal)
	sub.Call, sub.Schema, sub.Inputs = open.ID, req.Schema, req.Inputs
	sub.Flow, sub.FlowHash, sub.Plan, sub.Params = req.Flow, req.FlowHash, req.Plan, req.Params
	if req.Context == "shared" {
		sub.Request = sharedContext(t)
	}
	return t.ChildID(open.ID), sub, nil
}

// sharedRounds is the number of the parent's last rounds that a shared context quotes.
const sharedRounds = 6

// sharedContext quotes the parent's text, constraints and last rounds, as data for the child.
func sharedContext(t *journal.Task) string {
	out := "The task this one is part of: " + t.Sub.Text
	if t.Compiled != nil {
		for _, c := range t.Compiled.Spec.Constraints {
			out += "\nconstraint: " + c
		}
	}
	for _, r := range t.Rounds[max(0, len(t.Rounds)-sharedRounds):] {
		if r.Thought.Text != "" {
			out += "\nround " + strconv.Itoa(r.Thought.Round) + ": " + r.Thought.Text
		}
		for _, o := range r.Results {
			short, _ := tool.Clip(o.Text)
			out += "\n" + o.Tool + " returned: " + short
		}
	}
	return out
}

// decision records a choice between options as a span.
func (w *Worker) decision(ctx context.Context, kind string, options []string, choice, reason string) {
	_, span := w.Tracer.Start(ctx, akitad.SpanDecision, kind, tracing.String("type", kind), tracing.Strings("options", options))
	span.Set(tracing.String("choice", choice), tracing.String("reason", reason))
	span.End(nil)
}
