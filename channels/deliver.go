package channels

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/sleep"
	"github.com/akitad/akitad/internal/text"
)

// deliverAll brings answers back. It begins with the oldest end that the stream keeps: none may be
// missed because it came before the consumer did.
func (d *desk) deliverAll(ctx context.Context) error {
	return d.bus.Consume(ctx, bus.ConsumerOptions{
		Stream: bus.Tasks, Durable: "outbox-" + d.ch.Name(), Filters: []string{"akita.task.*.end"}, MaxAckPending: maxDeliveries,
	}, func(ctx context.Context, del *bus.Delivery) {
		d.inLane(ctx, del, d.owes, func(sctx context.Context, t *journal.Task) error {
			asked := t.Asked
			err := d.deliver(sctx, t)
			if err == nil {
				d.unask(ctx, t, asked)
			}
			return err
		})
	})
}

// owes is what makes an end worth a look: it reports whether the task's answer is still to be sent through this channel.
func (d *desk) owes(t *journal.Task) bool { return d.ours(t) && t.Final() && !t.Delivered }

// inLane does what an event calls for in its session's lane, until it succeeds, and settles it then.
// Events of tasks that are not wanted are settled at once.
func (d *desk) inLane(ctx context.Context, del *bus.Delivery, wanted func(*journal.Task) bool, do func(context.Context, *journal.Task) error) {
	if !d.loans.take(del) {
		return // it waits in its lane already
	}
	id := taskOf(del)
	session := d.sessions.of(id, strings.HasSuffix(del.Subject(), ".end"))
	if session == "" {
		d.enter(ctx, del, id, wanted, do)
		return
	}
	// Side by side: one journal that takes long to read must not keep the people of others waiting.
	if err := d.looks.Go(ctx, session, func() { d.enter(ctx, del, id, wanted, do) }); err != nil {
		d.loans.end(del)
	}
}

// taskOf reads the task's id from the subject of an event, akita.task.ID.ROUTE.
func taskOf(del *bus.Delivery) akitad.TaskID {
	return akitad.TaskID(strings.Split(del.Subject(), ".")[2])
}

// goneAfter is how often a task is not found that an event is of, before it counts as removed: a replica may lag.
const goneAfter = 5

// enter loads the task of an event, and puts what is to be done into the lane of its conversation if it is wanted. The task
// is loaded anew when its turn has come, as much may have happened while it waited.
func (d *desk) enter(ctx context.Context, del *bus.Delivery, id akitad.TaskID, wanted func(*journal.Task) bool, do func(context.Context, *journal.Task) error) {
	var t *journal.Task
	tries := 0
	loaded := d.insist(ctx, id, func(ctx context.Context) (err error) {
		t, err = d.journal.LoadTold(ctx, id, del)
		if tries++; tries > goneAfter && errors.Is(err, journal.ErrBehind) && !t.Exists() {
			return nil
		}
		return err
	})
	if !loaded || !wanted(t) {
		d.loans.end(del)
		if loaded {
			d.settle(del)
		}
		return
	}
	err := d.lanes.Go(ctx, laneOf(id, t.Sub), func() {
		if d.insist(ctx, id, func(ctx context.Context) error { return d.afresh(ctx, id, del.Seq(), do) }) {
			d.settle(del)
		}
		d.loans.end(del)
	})
	if err != nil { // the gateway stops: the event comes again
		d.loans.end(del)
	}
}

// afresh calls do with a task as it is after the event with that sequence.
func (d *desk) afresh(ctx context.Context, id akitad.TaskID, seq uint64, do func(context.Context, *journal.Task) error) error {
	t, err := d.journal.LoadAt(ctx, id, seq)
	if err != nil {
		return err
	}
	return do(ctx, t)
}

// insist repeats do until it succeeds, or ctx has ended; false is the latter. What is being done when
// ctx ends may go on for the grace time.
func (d *desk) insist(ctx context.Context, id akitad.TaskID, do func(context.Context) error) bool {
	lctx, cancel := d.linger(ctx)
	defer cancel()
	for wait := 200 * time.Millisecond; ctx.Err() == nil; wait = min(2*wait, 15*time.Second) {
		err := do(lctx)
		if err == nil {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		d.log.Warn("not delivered, tried again", zap.String("task", string(id)), zap.Duration("after", wait), zap.Error(err))
		sleep.For(ctx, wait)
	}
	return false
}

// settle takes an event from the consumer for good. If that fails the event comes again, and nothing is left to do for it then.
func (d *desk) settle(del *bus.Delivery) {
	if err := del.Done(); err != nil {
		d.log.Debug("delivery not settled", zap.Error(err))
	}
}

// deliver sends a task's answer, from the part on that the journal says. Its first part replaces the
// placeholder, and an edit can be repeated without harm; so if there is no placeholder yet, there is
// one first.
func (d *desk) deliver(ctx context.Context, t *journal.Task) error {
	if !d.owes(t) {
		return nil
	}
	return d.answer(ctx, t)
}

// answer sends what the task is owed, after what the one before it in its session is.
func (d *desk) answer(ctx context.Context, t *journal.Task) error {
	if err := d.after(ctx, t, d.owes, d.answer); err != nil {
		return err
	}
	id := t.ID
	d.watches.stop(id) // a late line of progress would overwrite the answer
	if err := d.placeholder(ctx, t); err != nil && !undeliverable(err) {
		return err
	}
	var data journal.DeliveryData
	sent, err := d.send(ctx, t, &data.Amended)
	if err != nil && !undeliverable(err) {
		return err
	}
	data.Messages = sent
	if err != nil {
		data.Error = err.Error()
		d.log.Error("answer cannot be delivered", zap.String("task", string(id)), zap.Error(err))
	}
	end := t.Ended
	return d.journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Delivered || !t.Ended.Equal(end) { // or it was reopened meanwhile
			return nil
		}
		return &journal.Decision{Kind: journal.Delivered, Data: data}
	})
}

// send brings the parts of an answer into the chat. A part that the service refuses is passed over,
// so that the others arrive; the last such error is given.
func (d *desk) send(ctx context.Context, t *journal.Task, amended *[]akitad.Amendment) (sent []string, refused error) {
	lang := text.Lang(t.Sub.Origin.Lang)
	at, begun := max(t.Parts-1, 0), false
	whole := reply(t, lang)
	short, inFile, err := d.shortened(ctx, whole)
	if err != nil {
		return nil, err
	}
	del := akitad.Delivery{
		Kind: akitad.DeliverAnswer, Message: t.Placeholder, Reply: short, Repeat: t.Parts > 0, Unshown: lang.Unshown(string(t.ID)), Amended: d.amending(t.ID, amended),
		Before: func(ctx context.Context, part int) error {
			at, begun = part, true
			return d.intend(ctx, t, part)
		},
	}
	if answered(t) && (t.SaidSeq > 0 || time.Since(t.Created) > d.opts.SlowAfter) { // what was said stands below it
		del.Notify = lang.Done()
	}
	var passed []int
	for {
		del.From, begun = at, false
		some, err := d.ch.Final(ctx, del)
		sent = append(sent, some...)
		if err == nil {
			if begun {
				at++
			}
			switch {
			case inFile && lacksText(d.ch, del, passed, at):
				some, err = d.sendMore(ctx, whole, amended)
			case refused != nil:
				some, err = d.sendMore(ctx, akitad.Reply{Task: t.ID, Origin: t.Sub.Origin, Text: lang.Unsent(string(t.ID))}, amended)
			default:
				return sent, nil
			}
			return append(sent, some...), cmp.Or(err, refused)
		}
		if !begun || akitad.KindOf(err) != akitad.InvalidRequest {
			return sent, err
		}
		refused, del.Repeat, passed = err, false, append(passed, at)
		at++
	}
}

// amending keeps and logs what was refused as it was to come.
func (d *desk) amending(id akitad.TaskID, list *[]akitad.Amendment) func(akitad.Amendment) {
	return func(a akitad.Amendment) {
		*list = append(*list, a)
		d.log.Warn("refused; sent in another form", zap.String("task", string(id)), zap.Int("part", a.Part), zap.String("as", string(a.As)), zap.String("why", a.Why))
	}
}

// answered reports whether the task ended with an answer, and not with why there is none.
func answered(t *journal.Task) bool {
	return t.State == akitad.Completed && t.Result != nil && (t.Result.Text != "" || len(t.Result.Artifacts) > 0)
}

// intend journals that a part is about to be sent, so that a crash while it is sent is known.
func (d *desk) intend(ctx context.Context, t *journal.Task, part int) error {
	end := t.Ended
	return d.journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Parts > part || !t.Ended.Equal(end) { // or it was reopened meanwhile
			return nil
		}
		return &journal.Decision{Kind: journal.Delivering, Data: journal.DeliveryData{Part: part + 1}}
	})
}

// undeliverable reports errors that no repetition mends: the chat is gone, the bot was blocked.
func undeliverable(err error) bool {
	switch akitad.KindOf(err) {
	case akitad.PermissionDenied, akitad.NotFound, akitad.InvalidRequest:
		return true
	}
	return false
}

// reply makes of a task's end what the person reads.
func reply(t *journal.Task, lang text.Lang) akitad.Reply {
	r := akitad.Reply{Task: t.ID, Origin: t.Sub.Origin}
	switch {
	case t.State == akitad.WasCancelled:
		r.Text = lang.Cancelled()
	case t.Error != nil && t.Error.Kind == akitad.Expired:
		r.Text = lang.Expired(t.Created)
	case t.Error != nil && t.Error.Kind == akitad.Overloaded && t.Started.IsZero(): // it was not taken
		r.Text = lang.Crowded()
	case t.Error != nil:
		r.Text = lang.Failed(*t.Error)
	}
	if t.Result != nil {
		kept := 0
		r.Partial, r.Degraded = t.Result.Partial, t.Result.Degraded
		r.Files, kept = files(t)
		r.Text = strings.TrimSpace(t.Result.Text + "\n\n" + r.Text)
		if kept > 0 {
			r.Text = strings.TrimSpace(r.Text + "\n\n" + lang.FilesKept(kept, string(t.ID)))
		}
	}
	if r.Text == "" {
		r.Text = lang.NoAnswer(len(t.Rounds))
	}
	return r
}
