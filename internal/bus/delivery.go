package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Delivery is a message of a stream on loan to its receiver, who must settle it: Ack when the work
// is done, Nak to give it back, Term if nobody should ever see it again. InProgress extends the
// loan by the consumer's AckWait; when that passes in silence, somebody else gets the message.
type Delivery struct {
	b         *Bus
	subject   string
	reply     string
	body      []byte
	header    nats.Header
	seq       uint64
	delivered uint64
}

// newDelivery reads what the server wrote into the reply subject; msg must come from a consumer.
func newDelivery(b *Bus, msg *nats.Msg) (*Delivery, error) {
	meta, err := msg.Metadata()
	if err != nil {
		return nil, fmt.Errorf("message on %s without delivery data: %w", msg.Subject, err)
	}
	return &Delivery{
		b: b, subject: msg.Subject, reply: msg.Reply, body: msg.Data, header: msg.Header,
		seq: meta.Sequence.Stream, delivered: meta.NumDelivered,
	}, nil
}

func fromJetStream(b *Bus, msg jetstream.Msg) (*Delivery, error) {
	meta, err := msg.Metadata()
	if err != nil {
		return nil, fmt.Errorf("message on %s without delivery data: %w", msg.Subject(), err)
	}
	return &Delivery{
		b: b, subject: msg.Subject(), reply: msg.Reply(), body: msg.Data(), header: msg.Headers(),
		seq: meta.Sequence.Stream, delivered: meta.NumDelivered,
	}, nil
}

// Subject gives the subject that the message was published on.
func (d *Delivery) Subject() string { return d.subject }

// Body gives the message's bytes; they are the receiver's.
func (d *Delivery) Body() []byte { return d.body }

// Seq gives the message's sequence in its stream.
func (d *Delivery) Seq() uint64 { return d.seq }

// Delivered tells how many times the message was handed out, this time included. Messages given
// back and consumers reset count too, so it says nothing about attempts at the work.
func (d *Delivery) Delivered() uint64 { return d.delivered }

// Header gives a header's value, or "".
func (d *Delivery) Header(key string) string { return d.header.Get(key) }

// Ack settles the message for good and returns when the server has taken note (5 s at most). An Ack that comes after the loan ended still removes the message, even from
// under its new holder: whoever may have lost the claim must not call it.
func (d *Delivery) Ack(ctx context.Context) error {
	ack := func(ctx context.Context) error {
		_, err := d.b.nc.RequestWithContext(ctx, d.reply, []byte("+ACK"))
		return err
	}
	err := d.b.try(ctx, answerWait, ack)
	if errors.Is(err, errLost) {
		err = d.b.try(ctx, answerWait, ack)
	}
	return fault("acknowledge "+d.subject, err)
}

// Done settles the message for good without waiting for the server to take note. One whose note is lost comes
// again: for receivers to whom that is no harm.
func (d *Delivery) Done() error { return d.say("+ACK") }

// Nak gives the message back; it is handed out again after delay, or at once if that is 0. To use
// it without a delay for a failure that lasts is to spin.
func (d *Delivery) Nak(delay time.Duration) error {
	verb := "-NAK"
	if delay > 0 {
		verb = fmt.Sprintf(`-NAK {"delay": %d}`, delay.Nanoseconds())
	}
	return d.say(verb)
}

// Term drops the message: nobody gets it again.
func (d *Delivery) Term() error { return d.say("+TERM") }

// InProgress says that the work goes on and restarts the AckWait.
func (d *Delivery) InProgress() error { return d.say("+WPI") }

func (d *Delivery) say(verb string) error {
	return fault("answer for "+d.subject, d.b.nc.Publish(d.reply, []byte(verb)))
}
