package bus

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

// ConsumerOptions describe a durable consumer, for which the server remembers which messages are settled.
// Stream and Durable are required.
type ConsumerOptions struct {
	Stream, Durable string
	Filters         []string      // subjects of the stream; none means all of them
	AckWait         time.Duration // after how long an unsettled delivery is delivered again; default 30 s
	MaxAckPending   int           // maximum number of unsettled deliveries; default 512
	InOrder         bool          // a message is delivered only after all messages before it are settled, see Consume
	FromNow         bool          // a new consumer skips the stored messages; not allowed on a work queue
	Alone           bool          // one process at a time consumes it, and handling a message twice does no harm, see Consume
}

// Consume calls handle with every message of a durable consumer until ctx ends. Then it returns nil, after
// handle has returned and messages that were not handled are given back. handle is called by one goroutine,
// in stream order except for messages that are delivered again. It may pass the delivery on and settle it
// later; until it returns, no further message is handled. Several processes that consume the same durable
// share its messages.
//
// On the embedded server everything that an earlier run left unsettled comes first, at once and in
// order. On a server that others reach, it comes when its loan ends; meanwhile later messages would
// come, and overtake it. InOrder prevents that there, at the price of one message at a time; so does Alone, for which
// an earlier run's loans are ended as on the embedded server, if the server is one that can. A consumer that is deleted or falls silent is made again. Consume fails only for options
// that the server refuses, or when the bus is closed.
func (b *Bus) Consume(ctx context.Context, opts ConsumerOptions, handle func(ctx context.Context, d *Delivery)) error {
	cfg := consumerConfig(opts)
	reset := b.srv != nil || opts.Alone
	if opts.InOrder && b.srv == nil {
		cfg.MaxAckPending, cfg.AckWait = 1, b.opts.ClaimTTL
	}
	var pause pauses
	for {
		began := time.Now()
		err := b.consumeOnce(ctx, opts.Stream, cfg, &reset, handle)
		if ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, nats.ErrConnectionClosed) || akitad.KindOf(fault("", err)) == akitad.InvalidRequest {
			return fault("consume "+opts.Durable, err)
		}
		b.log.Warn("consumer starts again", zap.String("consumer", opts.Durable), zap.Error(err))
		if time.Since(began) > maxPause {
			pause = pauses{}
		}
		if pause.wait(ctx) != nil {
			return nil
		}
	}
}

func consumerConfig(opts ConsumerOptions) jetstream.ConsumerConfig {
	cfg := jetstream.ConsumerConfig{
		Durable: opts.Durable, FilterSubjects: opts.Filters, AckPolicy: jetstream.AckExplicitPolicy, MaxDeliver: -1,
		AckWait: cmp.Or(opts.AckWait, 30*time.Second), MaxAckPending: cmp.Or(opts.MaxAckPending, 512),
	}
	if opts.FromNow {
		cfg.DeliverPolicy = jetstream.DeliverNewPolicy
	}
	return cfg
}

func (b *Bus) consumeOnce(ctx context.Context, stream string, cfg jetstream.ConsumerConfig, reset *bool, handle func(context.Context, *Delivery)) error {
	cons, err := b.durable(ctx, stream, cfg)
	if err != nil {
		return err
	}
	if *reset {
		err := b.resetConsumer(ctx, stream, cfg.Durable)
		if err != nil && (b.srv != nil || ctx.Err() != nil) {
			return err
		}
		if *reset = false; err != nil {
			b.log.Warn("what an earlier run has on loan comes only when its loan ends", zap.String("consumer", cfg.Durable), zap.Error(err))
		}
	}
	p := pump{b: b, cons: cons, batch: min(cfg.MaxAckPending, 256)}
	p.fn = func(m jetstream.Msg) error {
		d, err := fromJetStream(b, m)
		if err != nil {
			return err
		}
		handle(ctx, d)
		return nil
	}
	p.rest = func(m jetstream.Msg) {
		if err := m.Nak(); err != nil {
			b.log.Debug("delivery is left to time out", zap.Error(err))
		}
	}
	return p.run(ctx)
}

// durable creates the consumer or updates it.
func (b *Bus) durable(ctx context.Context, stream string, cfg jetstream.ConsumerConfig) (cons jetstream.Consumer, err error) {
	err = b.insist(ctx, answerWait, func(ctx context.Context) (err error) {
		cons, err = b.js.CreateOrUpdateConsumer(ctx, stream, cfg)
		return err
	})
	return cons, fault("set up consumer "+cfg.Durable, err)
}

// resetConsumer moves the consumer back to the first unsettled message. It must only be used if no other
// process can hold its messages.
func (b *Bus) resetConsumer(ctx context.Context, stream, durable string) error {
	return fault("reset consumer "+durable, b.insist(ctx, answerWait, func(ctx context.Context) error {
		_, err := b.js.ResetConsumer(ctx, stream, durable)
		return err
	}))
}
