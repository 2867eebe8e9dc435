package orchestrator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/tracing"
)

// dispatchAll turns ready, wait and end events into work items, timers and joins. Nothing else does that.
// Each action looks at the fold first, so that an event that is delivered twice has no second effect.
func (o *Orchestrator) dispatchAll(ctx context.Context) error {
	defer o.dispatch.Wait()
	return o.Bus.Consume(ctx, bus.ConsumerOptions{
		Stream: bus.Tasks, Durable: "dispatch", MaxAckPending: maxInFlight,
		Filters: []string{"akita.task.*.ready", "akita.task.*.wait", "akita.task.*.end"},
	}, func(ctx context.Context, d *bus.Delivery) {
		id := akitad.TaskID(strings.Split(d.Subject(), ".")[2])
		_ = o.dispatch.Go(ctx, string(id), func() { // an error means that ctx has ended: the event will be delivered again
			if o.insist(ctx, d, "dispatch", func() error { return o.onEvent(ctx, id, d) }) {
				o.ack(d)
			}
		})
	})
}

// onEvent does what the task's state requires now. d is the delivered event.
func (o *Orchestrator) onEvent(ctx context.Context, id akitad.TaskID, d *bus.Delivery) error {
	t, err := o.Journal.LoadTold(ctx, id, d)
	switch {
	case err != nil:
		return err
	case t.Final():
		return o.onEnd(ctx, t)
	case t.State == akitad.Pending && t.Activation == d.Seq():
		return o.onReady(ctx, t)
	case t.State == akitad.Waiting && t.AskedCancel:
		return o.Cancel(ctx, id, "on request") // the worker began to wait before it saw the request
	case t.State == akitad.Waiting:
		return o.onWait(ctx, t)
	}
	return nil
}

// onReady enqueues a task, and cancels the children that it gave up when another agent took over: who handed it over
// may not have come to that. A child that nobody waits for when it begins is cancelled instead: its parent ended between
// the decision to delegate and this.
func (o *Orchestrator) onReady(ctx context.Context, t *journal.Task) error {
	if t.Sub.Parent != "" && t.Claims == 0 {
		parent, err := o.Journal.Load(ctx, t.Sub.Parent)
		if err != nil {
			return err
		}
		if ended := parent.Final() && t.Sub.Try <= parent.Retries; ended || gaveUp(parent, t.ID) || slices.Contains(parent.Cut, t.ID) {
			return o.Cancel(ctx, t.ID, "the task it belongs to no longer waits for it")
		}
	}
	if err := o.enqueue(ctx, t); err != nil {
		return err
	}
	return o.cancelGivenUp(ctx, t)
}

// enqueue publishes the task's work item, which names the activation.
func (o *Orchestrator) enqueue(ctx context.Context, t *journal.Task) error {
	item := claim.Item{Activation: t.Activation, Session: t.Sub.Session}
	prio := string(t.Sub.Priority)
	if prio == "" {
		prio = string(akitad.Normal)
	}
	span := tracing.Traceparent(o.Tracer.InTask(ctx, t.Sub.Root, t.SpanTask()))
	return o.Bus.PublishWork(ctx, t.Target(), prio, string(t.ID), fmt.Sprintf("%s-%d", t.ID, t.Activation), item.Body(), span)
}

// onWait sets the timer of the wait, and checks whether what the task waits for has happened between the
// decision to wait and the event.
func (o *Orchestrator) onWait(ctx context.Context, t *journal.Task) error {
	if t.Until != nil {
		if err := o.setTimer(ctx, t.ID, *t.Until); err != nil {
			return err
		}
	}
	return o.hasCome(ctx, t)
}

// hasCome looks whether what a task waits for has come.
func (o *Orchestrator) hasCome(ctx context.Context, t *journal.Task) error {
	if t.Reason != akitad.ReasonQueued {
		return o.joinEnded(ctx, t)
	}
	if err := o.enterAgain(ctx, t); err != nil {
		return err
	}
	return o.giveTurn(ctx, t)
}

// joinEnded joins the children that have ended but are not joined.
func (o *Orchestrator) joinEnded(ctx context.Context, t *journal.Task) error {
	for _, c := range t.Children {
		if c.Done {
			continue
		}
		child, err := o.Journal.Load(ctx, c.ID)
		if err != nil {
			return err
		}
		if child.Final() {
			if err := o.join(ctx, child); err != nil {
				return err
			}
		}
	}
	return nil
}

// onEnd joins the task to its parent, passes on the session's turn, cancels children that are left, and
// closes the task's span.
func (o *Orchestrator) onEnd(ctx context.Context, t *journal.Task) error {
	journal.CloseSpans(ctx, o.Tracer, t)
	if t.Sub.Parent != "" {
		if err := o.join(ctx, t); err != nil {
			return err
		}
	} else if t.Sub.Session != "" {
		if err := o.passTurn(ctx, t); err != nil {
			return err
		}
	}
	return o.cancelChildren(ctx, t, "the task it belongs to has ended")
}

// join appends child_done to the parent. If the parent has ended, the result comes too late, and only the
// child's usage and files are added to the record.
func (o *Orchestrator) join(ctx context.Context, child *journal.Task) error {
	parent, err := o.Journal.Load(ctx, child.Sub.Parent)
	if err != nil {
		return err
	}
	if followed, err := o.followUp(ctx, parent, child); followed || err != nil {
		return err
	}
	done := childDone(child)
	if r := child.Result; r != nil && r.Next != nil && child.Sub.Nexts < journal.MaxNext {
		lacks := *r // its follow-up was refused
		lacks.Next, lacks.Partial, lacks.Missing = nil, true, append(slices.Clone(r.Missing), "no more tasks may be delegated for: "+r.Next.Goal)
		done.Result = &lacks
	}
	err = o.Journal.Decide(ctx, parent, func(p *journal.Task) *journal.Decision {
		if !awaits(p, child.ID) && !gaveUp(p, child.ID) {
			return nil
		}
		return &journal.Decision{Kind: journal.ChildDone, Data: done}
	})
	if err == nil {
		journal.CloseDelegation(ctx, o.Tracer, child, parent.Profile, time.Now())
	}
	return err
}

func childDone(child *journal.Task) journal.ChildDoneData {
	d := journal.ChildDoneData{
		Child: child.ID, State: child.State, Result: child.Result, Error: child.Error, Usage: child.Usage, Files: child.Files,
		Taint: child.Tainted, Nodes: child.Nodes, Active: child.Active, Tasks: child.Delegated(),
		Unverified: child.Unverified, Common: child.Common,
	}
	if child.Sub.Step != nil {
		d.Run = child.Sub.Call
	} else {
		d.Call = child.Sub.Call
	}
	return d
}

func awaits(p *journal.Task, id akitad.TaskID) bool {
	for _, c := range p.Children {
		if c.ID == id {
			return !c.Done
		}
	}
	return false
}

// gaveUp reports whether the parent has given the child up, and only the child's usage is still to be added.
func gaveUp(p *journal.Task, id akitad.TaskID) bool {
	return slices.ContainsFunc(p.Children, func(c journal.Child) bool { return c.ID == id && c.GivenUp })
}

// followUp submits the task that a child's result asks for in the place of the child: same parent, same
// depth, same call. After MaxNext in a row, or if no more tasks may be delegated, it returns false and the
// result counts as it is.
func (o *Orchestrator) followUp(ctx context.Context, parent, child *journal.Task) (bool, error) {
	if child.Result == nil || child.Result.Next == nil || child.Sub.Nexts >= journal.MaxNext || parent.Final() {
		return false, nil
	}
	if awaits(parent, child.ID) {
		if limits, spent := o.tree(ctx, parent); !limits.MayDelegate(spent) {
			o.supervise(o.Tracer.InTask(ctx, parent.Sub.Root, parent.SpanTask()), guard.Spending, guard.Refuse)
			return false, nil
		}
	}
	sub := followUpData(child)
	id := parent.ChildID(cmp.Or(sub.Key, sub.Call) + "/next/" + strconv.Itoa(sub.Nexts))
	ref := journal.ChildRef{ID: id, Profile: sub.Profile, Goal: sub.Text, Attempt: sub.Attempt, Replaces: child.ID}
	err := o.Journal.Decide(ctx, parent, func(p *journal.Task) *journal.Decision {
		if p.Final() || !awaits(p, child.ID) {
			return nil
		}
		done := childDone(child)
		done.Result, done.Error = nil, nil // the follow-up will have them
		return &journal.Decision{Kind: journal.Delegated, Data: journal.DelegatedData{Children: []journal.ChildRef{ref}, Replaced: &done}}
	})
	if err != nil || !awaits(parent, id) {
		return err != nil, err
	}
	t, created, err := o.Journal.Create(ctx, id, sub)
	if created {
		journal.OpenSpans(ctx, o.Tracer, t, parent.Profile)
	}
	return true, err
}

func followUpData(child *journal.Task) journal.SubmittedData {
	sub, next := child.Sub, child.Result.Next
	sub.Text, sub.Inputs, sub.Nexts = next.Goal, string(next.Inputs), sub.Nexts+1
	sub.Results = append(sub.Results[:len(sub.Results):len(sub.Results)],
		journal.NamedResult{Name: "before", Text: child.Result.Text, Data: child.Result.Data})
	if next.Profile != "" {
		sub.Profile = next.Profile
	}
	sub.Files = append(sub.Files[:len(sub.Files):len(sub.Files)], child.Files...)
	sub.Tainted = child.Tainted
	if n := len(sub.Path); n > 0 { // it replaces the child
		sub.Path = append(sub.Path[:n-1:n-1], journal.PathEntry(sub.Profile, sub.Text))
	}
	return sub
}

// passTurn returns the session's turn to the next task in the queue.
func (o *Orchestrator) passTurn(ctx context.Context, t *journal.Task) error {
	s, err := o.changeSession(ctx, t.Sub.Session, func(s *sessionState) bool {
		p, here := s.find(t.ID)
		if here = here && p.Try <= t.Retries; here { // else it has been retried meanwhile
			s.leave(t.ID)
		}
		return here
	})
	if err != nil || s.Running == nil {
		return err
	}
	next, err := o.Journal.Load(ctx, s.Running.Task)
	if err != nil || !next.Exists() {
		return err // Accept checks for the turn once the task is created
	}
	return o.giveTurn(ctx, next)
}

// giveTurn wakes a queued task that has the session's turn.
func (o *Orchestrator) giveTurn(ctx context.Context, t *journal.Task) error {
	if t.Sub.Session == "" { // it is being refused, or comes again
		return nil
	}
	s, _, err := o.session(ctx, t.Sub.Session)
	if err != nil || s.Running == nil || s.Running.Task != t.ID {
		return err // the end of the task before it checks again
	}
	return o.wakeQueued(ctx, t)
}

// wakeQueued wakes a task that waits for a turn.
func (o *Orchestrator) wakeQueued(ctx context.Context, t *journal.Task) error {
	return o.Journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.State != akitad.Waiting || t.Reason != akitad.ReasonQueued {
			return nil
		}
		return &journal.Decision{Kind: journal.Woken, Data: journal.WokenData{Reason: "its turn in the session"}}
	})
}
