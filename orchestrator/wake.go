package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
)

// wakeAll wakes the tasks whose timers fire, side by side: one whose journal cannot be read must not keep the others
// asleep.
func (o *Orchestrator) wakeAll(ctx context.Context) error {
	defer o.wakes.Wait()
	return o.Bus.Consume(ctx, bus.ConsumerOptions{Stream: bus.Timers, Durable: "due", MaxAckPending: maxInFlight, Filters: []string{"akita.due.*"}},
		func(ctx context.Context, d *bus.Delivery) {
			id := akitad.TaskID(strings.TrimPrefix(d.Subject(), "akita.due."))
			_ = o.wakes.Go(ctx, string(id), func() { // an error means that ctx has ended: the timer will be delivered again
				if o.insist(ctx, d, "wake", func() error { return o.due(ctx, id, rungAt(d.Body(), time.Now())) }) {
					o.ack(d)
				}
			})
		})
}

// setTimer has a task looked at when its time has come. The timer says which time that was.
func (o *Orchestrator) setTimer(ctx context.Context, id akitad.TaskID, at time.Time) error {
	return o.Bus.SetTimer(ctx, string(id), at, at.UTC().AppendFormat(nil, time.RFC3339Nano))
}

// rungAt returns the time that a timer was set for, if by the clock here that is a moment ahead: the server's clock,
// by which it has come, is a little before this one's. Else it is now.
func rungAt(timer []byte, now time.Time) time.Time {
	at, err := time.Parse(time.RFC3339Nano, string(timer))
	if ahead := at.Sub(now); err != nil || ahead < 0 || ahead > time.Minute {
		return now
	}
	return at
}

// due does what is due for a task at now. It recognises an outdated timer by the fold.
func (o *Orchestrator) due(ctx context.Context, id akitad.TaskID, now time.Time) error {
	t, err := o.Journal.Load(ctx, id)
	if err != nil || !t.Exists() {
		return err
	}
	for err == nil && dueDecision(t, now) != nil { // more than one question may be due
		err = o.Journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision { return dueDecision(t, now) })
	}
	if next := nextDue(t, now); err == nil && next != nil {
		return o.setTimer(ctx, id, *next) // the time was moved, or another question is open
	}
	return err
}

// nextDue returns the next time after now at which something is due for a waiting task, nil if there is none.
func nextDue(t *journal.Task, now time.Time) *time.Time {
	if t.State != akitad.Waiting {
		return nil
	}
	next := t.Until
	for _, c := range t.Open {
		if c.Until != nil && c.Until.After(now) && (next == nil || !next.After(now) || c.Until.Before(*next)) {
			next = c.Until
		}
	}
	if next == nil || !next.After(now) {
		return nil
	}
	return next
}

// setBack reports whether the clock was set back since then. A short wait would otherwise last for hours.
func setBack(then, now time.Time) bool { return then.Sub(now) > time.Minute }

// dueDecision returns the event that is due at now: an open question is answered by its assumption, or a
// retry begins, which is also due if the clock was set back since the wait began.
func dueDecision(t *journal.Task, now time.Time) *journal.Decision {
	if t.State != akitad.Waiting || t.Until == nil || t.Until.After(now) && !setBack(t.Updated, now) {
		return nil
	}
	for _, c := range t.Open {
		if c.Until != nil && !c.Until.After(now) {
			return &journal.Decision{Kind: journal.Answered, Data: journal.AnsweredData{
				Call: c.ID, Outcome: "assumed", Observation: akitad.Observation{Text: assumption(c, text.Lang(t.Sub.Origin.Lang))},
			}}
		}
	}
	if t.Reason == akitad.ReasonRetry || t.WakeOnAny {
		return &journal.Decision{Kind: journal.Woken, Data: journal.WokenData{Reason: "time to try again"}}
	}
	return nil
}

func assumption(c journal.OpenCall, lang text.Lang) string {
	var q tool.Question
	if err := json.Unmarshal(c.Payload, &q); err != nil || q.Assumption == "" {
		return lang.NobodyAnswered()
	}
	return lang.NobodyAnsweredAssume(q.Assumption)
}

// sweepAll calls Sweep every Options.Sweep.
func (o *Orchestrator) sweepAll(ctx context.Context) error {
	tick := time.NewTicker(o.opts.Sweep)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := o.Sweep(ctx, time.Now()); err != nil && ctx.Err() == nil {
				o.Log.Warn("sweep failed", zap.Error(err))
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// Sweep wakes every task that should be running, has had no event for twice Options.ClaimTTL and has no work
// item. That happens only if an item was deleted by hand. It also purges ended tasks after their retention
// time; it never purges an open task.
func (o *Orchestrator) Sweep(ctx context.Context, now time.Time) error {
	stale, err := o.Projection.Stale(ctx, now, 2*o.opts.ClaimTTL)
	if err != nil {
		return err
	}
	o.swept.Lock()
	defer o.swept.Unlock()
	o.swept.begin()
	var errs []error // a task that cannot be read must not keep others from being woken
	for _, row := range stale {
		if err := o.sweepOne(ctx, row.ID, now); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, o.purge(ctx, now))...)
}

func (o *Orchestrator) sweepOne(ctx context.Context, id akitad.TaskID, now time.Time) error {
	t, err := o.Journal.Load(ctx, id)
	if err != nil || !t.Exists() || t.Final() || now.Sub(t.Updated).Abs() < 2*o.opts.ClaimTTL {
		return err
	}
	if t.AskedCancel {
		return o.cancelUnheard(ctx, t)
	}
	if t.State == akitad.Waiting {
		if due, at := o.swept.due(t, now); due {
			if err := o.due(ctx, id, at); err != nil {
				return err
			}
			if err := o.Journal.Refresh(ctx, t); err != nil || t.State != akitad.Waiting {
				return err
			}
			return o.hasCome(ctx, t)
		}
		return o.onWait(ctx, t)
	}
	has, err := o.Bus.HasWork(ctx, string(id))
	if err != nil || has {
		return err
	}
	seen := t.Seq
	return o.Journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Seq != seen {
			return nil // the task has moved on
		}
		o.Log.Warn("task without a work item is woken", zap.String("task", string(id)))
		return &journal.Decision{Kind: journal.Woken, Data: journal.WokenData{Reason: "swept"}}
	})
}

// cancelUnheard ends a task of which nobody has heard since its cancel was requested: it waits, or its worker is gone
// and no other has come.
func (o *Orchestrator) cancelUnheard(ctx context.Context, t *journal.Task) error {
	seen := t.Seq
	return o.Journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Final() || t.Seq != seen {
			return nil
		}
		return &journal.Decision{Kind: journal.Cancelled, Data: journal.EndData{
			Error: &akitad.Failure{Kind: akitad.Cancelled, Message: "cancelled: on request"},
		}}
	})
}

// waits is when the sweep first saw the waits that seem to have begun in a time to come: the clock was set back, or
// is behind that of the node which wrote them.
type waits struct {
	sync.Mutex
	now, before map[akitad.TaskID]firstSeen
}

type firstSeen struct {
	wait uint64 // its sequence
	at   time.Time
}

// begin begins another sweep. What the last one did not meet any more is forgotten.
func (w *waits) begin() { w.before, w.now = w.now, map[akitad.TaskID]firstSeen{} }

// due reports whether the time of a wait is over, and gives at what time it is: now, or its own end if it
// seems to be of a time to come and has been seen for as long as it was to last.
func (w *waits) due(t *journal.Task, now time.Time) (bool, time.Time) {
	switch {
	case t.Until == nil:
		return false, now
	case !t.Until.After(now) || !setBack(t.Updated, now):
		return !t.Until.After(now), now
	}
	first := w.before[t.ID]
	if first.wait != t.WaitSeq {
		first = firstSeen{t.WaitSeq, now}
	}
	w.now[t.ID] = first
	return now.Sub(first.at) >= t.Until.Sub(t.Updated), *t.Until
}

func (o *Orchestrator) purge(ctx context.Context, now time.Time) error {
	old, err := o.Projection.Settled(ctx, now.Add(-o.opts.Retention))
	if err != nil {
		return err
	}
	for _, row := range old {
		if err := o.Journal.Purge(ctx, row.ID); err != nil {
			return err
		}
		if err := o.Projection.Delete(ctx, row.ID); err != nil {
			return err
		}
	}
	return nil
}
