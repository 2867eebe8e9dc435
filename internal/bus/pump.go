package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// pullExpiry is how long the server keeps a pull request. An embedded server loses none, so it can be long.
func (b *Bus) pullExpiry() time.Duration {
	if b.srv != nil {
		return 2 * time.Minute
	}
	return 30 * time.Second
}

// heartbeat is how often the server confirms a pull request. After twice that without a message the request
// is made again; on a cluster, new consumers were seen to be silent for seconds.
func (b *Bus) heartbeat() time.Duration {
	if b.srv != nil {
		return 30 * time.Second
	}
	return time.Second
}

// workBeat and workExpiry are the same for the pull requests for work, of which there are three per profile.
// They are long because they wake an idle process. The client library allows a heartbeat of at most 30 s.
func (b *Bus) workBeat() time.Duration {
	if b.srv != nil {
		return 5 * b.heartbeat()
	}
	return b.heartbeat()
}

func (b *Bus) workExpiry() time.Duration {
	if b.srv != nil {
		return 5 * b.pullExpiry()
	}
	return b.pullExpiry()
}

// pump calls fn with a consumer's messages, one at a time, until ctx ends, fn returns an error, or the
// consumer breaks. It returns after the last call of fn. Messages that arrive after the end are passed to
// rest, if that is set.
type pump struct {
	b       *Bus
	cons    jetstream.Consumer
	batch   int // maximum number of messages that the server sends ahead
	ordered bool
	fn      func(jetstream.Msg) error
	rest    func(jetstream.Msg)

	open chan bool // a semaphore: held by the goroutine that calls fn or ends the calls
}

func (p *pump) run(ctx context.Context) error {
	p.open = make(chan bool, 1)
	p.open <- true
	ended, broken := make(chan error, 1), make(chan error, 1)
	var back <-chan struct{}
	if p.ordered { // messages in transit when the connection broke are not sent again
		back = p.b.link.change()
	}
	cc, err := p.cons.Consume(p.handler(ctx, ended), jetstream.PullMaxMessages(p.batch), jetstream.PullExpiry(p.b.pullExpiry()),
		jetstream.PullHeartbeat(p.b.heartbeat()), jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
			select {
			case broken <- err:
			default: // one error is enough
			}
		}))
	if err != nil {
		return err
	}
	closed := cc.Closed()
	defer p.stop(cc, closed)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			return err
		case <-closed: // the connection or the consumer is closed
			return p.b.whyEnded()
		case <-back:
			return errLost
		case err := <-broken:
			if err := p.look(ctx, err); err != nil {
				return err
			}
		}
	}
}

func (p *pump) handler(ctx context.Context, ended chan<- error) jetstream.MessageHandler {
	return func(m jetstream.Msg) {
		open := <-p.open
		if open && ctx.Err() == nil {
			if err := p.fn(m); err != nil {
				open = false
				ended <- err
			}
			p.open <- open
			return
		}
		p.open <- open
		if p.rest != nil {
			p.rest(m)
		}
	}
}

var errEnded = errors.New("consumer has ended")

func (b *Bus) whyEnded() error {
	select {
	case <-b.closed:
		return nats.ErrConnectionClosed
	default:
		return errEnded
	}
}

// look decides whether an error that the client reports means that the consumer must be created again.
func (p *pump) look(ctx context.Context, trouble error) error {
	p.b.log.Debug("consumer in trouble", zap.String("consumer", p.cons.CachedInfo().Name), zap.Error(trouble))
	if p.ordered || errors.Is(trouble, nats.ErrConnectionClosed) {
		return trouble
	}
	err := p.b.try(ctx, answerWait, func(ctx context.Context) error {
		_, err := p.cons.Info(ctx)
		return err
	})
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return err
	}
	return nil // the client repeats a lost pull request by itself
}

// stop waits for a running call of fn and prevents further ones. While there is a connection, it also waits
// for the messages in transit.
func (p *pump) stop(cc jetstream.ConsumeContext, closed <-chan struct{}) {
	life := p.b.link.present()
	if life.Err() == nil {
		cc.Drain()
	} else {
		cc.Stop()
	}
	<-p.open
	p.open <- false
	select {
	case <-closed:
	case <-life.Done():
	}
}
