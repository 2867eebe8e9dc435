package bus

import (
	"context"
	"errors"
	"maps"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// TraceHeader carries the W3C trace context of the task across the work queue.
const TraceHeader = "traceparent"

// PublishIn stores a message of a channel in the stream Inbox and returns once it is stored. A message with
// the same msgID within 2 minutes is not stored again, which is no error, even if the first one was settled.
// If the stream is full, the error is of kind overloaded and the message is not stored.
func (b *Bus) PublishIn(ctx context.Context, channel, msgID string, body []byte) error {
	subj, err := subject("akita.in", channel)
	if err != nil {
		return err
	}
	return b.publish(ctx, &nats.Msg{Subject: subj, Data: body}, msgID)
}

// PublishRaw stores a message as the channel received it in the stream Raw, in the same way as PublishIn.
func (b *Bus) PublishRaw(ctx context.Context, channel, msgID string, body []byte) error {
	subj, err := subject("akita.raw", channel)
	if err != nil {
		return err
	}
	return b.publish(ctx, &nats.Msg{Subject: subj, Data: body}, msgID)
}

// PublishWork stores an item in the work queue and returns once it is stored. prio is high, normal or low;
// msgID is for deduplication as in PublishIn; traceparent may be empty.
func (b *Bus) PublishWork(ctx context.Context, profile, prio, id, msgID string, body []byte, traceparent string) error {
	subj, err := subject("akita.work", profile, prio, id)
	if err != nil {
		return err
	}
	if _, err := level(prio); err != nil {
		return err
	}
	m := &nats.Msg{Subject: subj, Data: body}
	if traceparent != "" {
		m.Header = nats.Header{TraceHeader: {traceparent}}
	}
	return b.publish(ctx, m, msgID)
}

// publish stores m. While the server does not answer, it sends m again until ctx ends or, without a
// deadline, for 10 s. A message without an id may then be stored twice.
func (b *Bus) publish(ctx context.Context, m *nats.Msg, msgID string) error {
	opts := []jetstream.PublishOpt{jetstream.WithRetryAttempts(0)}
	if msgID != "" {
		opts = append(opts, jetstream.WithMsgID(msgID))
	}
	return fault("publish to "+m.Subject, b.insist(ctx, tryWait, func(ctx context.Context) error {
		_, err := b.js.PublishMsg(ctx, &nats.Msg{Subject: m.Subject, Header: maps.Clone(m.Header), Data: m.Data}, opts...)
		return err
	}))
}

// HasWork reports whether the queue has an item of id, waiting or claimed.
func (b *Bus) HasWork(ctx context.Context, id string) (bool, error) {
	filter, err := workOf(id)
	if err != nil {
		return false, err
	}
	err = b.insist(ctx, answerWait, func(ctx context.Context) error {
		s, err := b.js.Stream(ctx, Queue)
		if err == nil {
			_, err = s.GetLastMsgForSubject(ctx, filter)
		}
		return err
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil, fault("look for work of "+id, err)
}

// Backlog returns the number of items in the queue, waiting or claimed, and the sequence of the newest event
// of all tasks.
func (b *Bus) Backlog(ctx context.Context) (items int, newest uint64, err error) {
	err = b.insist(ctx, answerWait, func(ctx context.Context) error {
		work, err := b.js.Stream(ctx, Queue)
		if err != nil {
			return err
		}
		tasks, err := b.js.Stream(ctx, Tasks)
		if err != nil {
			return err
		}
		items, newest = int(work.CachedInfo().State.Msgs), tasks.CachedInfo().State.LastSeq
		return nil
	})
	return items, newest, fault("look at the backlog", err)
}

// DropWork removes every item of id from the queue, also one that a worker has claimed. The daemon itself never does: an
// item that is outdated is recognised by its activation. Tests that play many tasks on one queue leave none behind with it.
func (b *Bus) DropWork(ctx context.Context, id string) error {
	filter, err := workOf(id)
	if err != nil {
		return err
	}
	return b.purge(ctx, Queue, filter)
}

func workOf(id string) (filter string, err error) {
	if _, err := subject("akita.work", id); err != nil {
		return "", err
	}
	return "akita.work.*.*." + id, nil
}
