package channels

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// staleAfter is the age from which on an event announces nothing: a new consumer sees all that the
// stream keeps.
const staleAfter = 25 * time.Hour

// announceAll shows new tasks in their chat, and what waiting ones have to ask.
func (d *desk) announceAll(ctx context.Context) error {
	return d.bus.Consume(ctx, bus.ConsumerOptions{
		Stream: bus.Tasks, Durable: "announce-" + d.ch.Name(), Filters: []string{"akita.task.*.ready", "akita.task.*.wait"}, MaxAckPending: maxDeliveries,
	}, func(ctx context.Context, del *bus.Delivery) {
		if !d.announces(taskOf(del), del.Body(), time.Now()) {
			d.settle(del)
			return
		}
		d.inLane(ctx, del, d.ours, func(sctx context.Context, t *journal.Task) error {
			delivered, asked := t.Delivered, t.Asked // before the next question takes its place
			err := d.announce(sctx, t)
			if err == nil && !delivered {
				d.unask(ctx, t, asked)
			}
			if err == nil && !t.Final() {
				d.watch(ctx, t)
			}
			return err
		})
	})
}

// announces tells the events that may concern a person from those that do not, without reading a
// journal: most of what happens is between agents. It takes note of the channel's new tasks.
func (d *desk) announces(id akitad.TaskID, body []byte, now time.Time) bool {
	var e akitad.Event
	if json.Unmarshal(body, &e) != nil || now.Sub(e.At) > staleAfter {
		return false
	}
	switch {
	case e.Kind == journal.Retried, e.Kind == journal.Answered:
		return true
	case e.Kind != journal.Submitted && e.Kind != journal.Waiting:
		return false
	case e.Ref != "":
		return true // the payload is elsewhere
	case e.Kind == journal.Waiting:
		return decode[journal.WaitingData](e).Note != ""
	}
	sub := decode[journal.SubmittedData](e)
	if sub.Parent != "" || sub.Origin.Channel != d.ch.Name() {
		return false
	}
	d.sessions.begin(id, laneOf(id, sub))
	return true
}

// ours reports whether the task came from a message of this channel.
func (d *desk) ours(t *journal.Task) bool {
	return t.Exists() && t.IsRoot() && t.Sub.Origin.Channel == d.ch.Name()
}

// announce does what the task's journal calls for now: a placeholder, a question. A task that has ended
// already gets its placeholder too: the next one of its session must not stand above it.
func (d *desk) announce(ctx context.Context, t *journal.Task) error {
	if t.Delivered {
		return nil
	}
	if err := d.placeholder(ctx, t); err != nil {
		if ctx.Err() != nil {
			return err // the gateway stops: the event comes again
		}
		d.log.Warn("no placeholder", zap.String("task", string(t.ID)), zap.Error(err)) // the answer tries again
	}
	return d.ask(ctx, t)
}

// placeholder puts the first message of a task into the chat and its id into the journal, once. After
// a crash between the two there is a second one, which says that it is where the answer will be; none where the
// service knows the first one by its key.
func (d *desk) placeholder(ctx context.Context, t *journal.Task) error {
	if t.Placeholder != "" || t.Delivered {
		return nil
	}
	if err := d.after(ctx, t, d.ours, d.placeholder); err != nil {
		return err
	}
	d.notice(ctx, t)
	msg, err := d.ch.Placeholder(ctx, t.Sub.Origin, d.firstWords(ctx, t), fmt.Sprintf("%s.%d", t.ID, t.Retries))
	if err != nil {
		return err
	}
	return d.journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Placeholder != "" || t.Delivered {
			return nil
		}
		return &journal.Decision{Kind: journal.Delivering, Data: journal.DeliveryData{Placeholder: msg}}
	})
}

// after does for the task before t in its session what is still owed to that one. Events come again in any
// order after a crash of the server that keeps them, but what stands in a chat stands there for good.
func (d *desk) after(ctx context.Context, t *journal.Task, owed func(*journal.Task) bool, do func(context.Context, *journal.Task) error) error {
	if t.Sub.Follows == "" {
		return nil
	}
	before, err := d.journal.Load(ctx, t.Sub.Follows)
	if err != nil || !owed(before) {
		return err
	}
	return do(ctx, before)
}

// notice tells the person what goes with a new task, above its placeholder: that one becomes the answer.
// It is a word on the side, and one that cannot be sent holds up nothing.
func (d *desk) notice(ctx context.Context, t *journal.Task) {
	if t.Sub.Notice == "" || t.Retries > 0 {
		return
	}
	_, err := d.ch.Final(ctx, akitad.Delivery{Kind: akitad.DeliverNotice, Reply: akitad.Reply{Task: t.ID, Origin: t.Sub.Origin, Text: t.Sub.Notice}})
	if err != nil {
		d.log.Warn("a notice was not sent", zap.String("task", string(t.ID)), zap.Error(err))
	}
}

// firstWords are what a placeholder says: that the message was received, its place in the queue if it has to wait, or that the
// daemon was restarted if there may be a placeholder above it that nobody can edit.
func (d *desk) firstWords(ctx context.Context, t *journal.Task) string {
	lang := text.Lang(t.Sub.Origin.Lang)
	switch {
	case !queued(t) && t.Created.Before(d.began) && t.Retries == 0:
		return lang.Restarted()
	case !queued(t) || d.opts.Place == nil:
		return lang.Received()
	}
	place, err := d.opts.Place(ctx, t.Sub.Session, t.ID)
	if err != nil {
		d.log.Warn("place in the queue not known", zap.String("task", string(t.ID)), zap.Error(err))
	}
	switch {
	case place <= 0:
		return lang.Received()
	case d.behindQuestion(ctx, t.Sub.Session):
		return lang.QueuedBehindQuestion(place)
	}
	return lang.Queued(place)
}

// behindQuestion reports whether the task with the session's turn waits for an answer.
func (d *desk) behindQuestion(ctx context.Context, session akitad.SessionKey) bool {
	if d.opts.Running == nil {
		return false
	}
	id, running, err := d.opts.Running(ctx, session)
	if err != nil || !running {
		return false
	}
	t, err := d.journal.Load(ctx, id)
	return err == nil && t.State == akitad.Waiting && t.Question() != ""
}

// queued reports whether a task waits for the one before it in its session.
func queued(t *journal.Task) bool {
	return t.State == akitad.Waiting && t.Reason == akitad.ReasonQueued
}

// ask puts what a waiting task has to say (a question, or that it will try again later) into the
// chat as a message of its own, which notifies. The journal keeps that it was said; a crash between the
// two has it said twice.
func (d *desk) ask(ctx context.Context, t *journal.Task) error {
	if !unsaid(t) {
		return nil
	}
	del, question := d.askWith(t)
	told := journal.DeliveryData{Said: t.WaitSeq}
	del.Unshown, del.Amended = text.Lang(t.Sub.Origin.Lang).Unshown(string(t.ID)), d.amending(t.ID, &told.Amended)
	sent, err := d.ch.Final(ctx, del)
	if err != nil && !undeliverable(err) {
		return err
	}
	if err != nil {
		d.log.Error("question cannot be delivered", zap.String("task", string(t.ID)), zap.Error(err))
	}
	if len(del.Choices) > 0 && len(sent) > 0 {
		told.Question, told.Messages = question, sent[len(sent)-1:] // the one with the buttons
	}
	return d.journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.SaidSeq >= told.Said {
			return nil
		}
		return &journal.Decision{Kind: journal.Delivering, Data: told}
	})
}

// unsaid reports whether a task waits, and the chat has not been told for what.
func unsaid(t *journal.Task) bool {
	return t.State == akitad.Waiting && t.WaitNote != "" && t.SaidSeq < t.WaitSeq
}

// decode reads what an event says.
func decode[T any](e akitad.Event) (d T) {
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return d
	}
	return d
}
