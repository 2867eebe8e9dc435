package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Delivery is a message of a stream that its receiver must settle: with Ack when the work is done, Nak to
// give it back, or Term to drop it. If the consumer's AckWait passes before that, the message is delivered
// again, possibly to another receiver; InProgress restarts the AckWait.
type Delivery struct {
	b         *Bus
	subject   string
	reply     string
	body      []byte
	header    nats.Header
	seq       uint64
	delivered uint64
}

// newDelivery parses the reply subject of a message, which must come from a consumer.
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

// Subject returns the subject on which the message was published.
func (d *Delivery) Subject() string { return d.subject }

// Body returns the message's bytes, which belong to the receiver.
func (d *Delivery) Body() []byte { return d.body }

// Seq returns the message's sequence in its stream.
func (d *Delivery) Seq() uint64 { return d.seq }

// Delivered returns how many times the message was delivered, including this time. Since messages that were
// given back and resets of the consumer count too, it is not the number of attempts at the work.
func (d *Delivery) Delivered() uint64 { return d.delivered }

// Header returns a header's value, or "". Tests ask with it what a message carries for readers outside of akitad, such as
// TraceHeader.
func (d *Delivery) Header(key string) string { return d.header.Get(key) }

// Ack settles the message and waits, up to 5 s, until the server has confirmed it. An Ack after the AckWait
// still removes the message, even if another receiver has it now. So a worker that may have lost its claim
// must not call it.
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

// Done is Ack without waiting for the server. If it is lost, the message is delivered again, so it is only
// for receivers for which that is harmless.
func (d *Delivery) Done() error { return d.say("+ACK") }

// Nak returns the message back. It is delivered again after delay, or at once if that is 0. For a failure that
// lasts, a delay is needed to avoid a busy loop.
func (d *Delivery) Nak(delay time.Duration) error {
	verb := "-NAK"
	if delay > 0 {
		verb = fmt.Sprintf(`-NAK {"delay": %d}`, delay.Nanoseconds())
	}
	return d.say(verb)
}

// InProgress restarts the AckWait.
func (d *Delivery) InProgress() error { return d.say("+WPI") }

func (d *Delivery) say(verb string) error {
	return fault("answer for "+d.subject, d.b.nc.Publish(d.reply, []byte(verb)))
}
