package bus

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

// Options of a Bus. Dir or URL is required; the others have defaults.
type Options struct {
	Dir        string        // data directory of the embedded server; required without URL
	URL        string        // an external NATS server or cluster; empty means embedded
	Listen     string        // host:port on which the embedded server also listens; empty means not at all
	Token      string        // secret that clients of Listen must show; required unless Listen is a loopback address
	Durability string        // "process" (default: survives kill -9) or "power" (every write is synced)
	ClaimTTL   time.Duration // how long a work item may stay without a renewal; default 30 s, the same on all nodes
	Replicas   int           // copies of each stream on an external cluster; default 1
	Spans      time.Duration // how long spans are kept; default 7 days, at least 2 minutes
	Reserve    int64         // free bytes on the disk from which a store that a full disk has stopped is started again; default 1 MiB
	MaxInbox   int           // maximum number of messages in each of the streams Inbox and Raw; default 100,000
	Log        *zap.Logger   // default silent
}

// Bus is a connection to NATS, together with the server if that is embedded. Its methods are safe for
// concurrent use.
type Bus struct {
	opts   Options
	log    *zap.Logger
	srv    *embedded // nil when external
	nc     *nats.Conn
	js     jetstream.JetStream
	kv     map[string]jetstream.KeyValue
	kvSeen map[string]*kvCache // only if no other process can reach the server

	unsent chan *nats.Msg // spans to send again
	spanMu sync.Mutex
	spans  map[string]*spanBatch // by subject

	link      *link
	closed    chan struct{} // closed when the connection is finally closed
	closeOnce sync.Once
	closeErr  error
}

// Open starts the embedded server or connects to the external one, and creates or updates the streams, the
// buckets and the object store. It fails if opts.ClaimTTL differs from the one that other nodes use.
func Open(ctx context.Context, opts Options) (*Bus, error) {
	opts.ClaimTTL = cmp.Or(opts.ClaimTTL, 30*time.Second)
	opts.Replicas = max(opts.Replicas, 1)
	opts.MaxInbox = cmp.Or(opts.MaxInbox, 100_000)
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	b := &Bus{opts: opts, log: opts.Log, link: newLink(), unsent: make(chan *nats.Msg, maxPendingSpans), spans: map[string]*spanBatch{}, closed: make(chan struct{})}
	if err := b.open(ctx); err != nil {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = b.Close(stop) // the error of opening is more useful
		return nil, err
	}
	return b, nil
}

func (b *Bus) open(ctx context.Context) (err error) {
	if b.opts.URL == "" {
		b.opts.Replicas = 1
		if b.srv, err = startServer(b.opts); err != nil {
			return err
		}
	}
	if err := b.connect(); err != nil {
		return err
	}
	if err := b.setup(ctx); err != nil {
		return err
	}
	if err := b.agreeClaimTTL(ctx); err != nil {
		return err
	}
	if b.srv != nil {
		b.srv.guard(b.opts)
	}
	return nil
}

// minPayload is the payload limit, in bytes, that a server must have at least: a piece of an artifact and its
// headers.
const minPayload = 2 * pieceSize

func (b *Bus) connect() error {
	opts := []nats.Option{
		nats.Name("akitad"),
		nats.SyncQueueLen(1024), // the default allocates 64K slots for each read
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.DrainTimeout(5 * time.Second),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { b.link.lost() }),
		nats.ReconnectHandler(func(*nats.Conn) { b.link.back() }),
		nats.ClosedHandler(func(*nats.Conn) { close(b.closed) }),
		nats.ErrorHandler(b.asyncError),
	}
	if b.srv != nil {
		opts = append(opts, nats.InProcessServer(b.srv), nats.Token(b.opts.Token), nats.Timeout(startWait))
	}
	nc, err := nats.Connect(b.opts.URL, opts...)
	if err != nil {
		return b.connectFault(err)
	}
	b.nc = nc
	if most := nc.MaxPayload(); most < minPayload {
		return akitad.Errorf(akitad.InvalidRequest, "the NATS server takes messages of %d bytes at most, and akitad needs %d", most, minPayload).
			WithHint("set max_payload: 1MB, its default, in the server's configuration")
	}
	b.js, err = jetstream.New(nc,
		jetstream.WithPublishAsyncMaxPending(maxPendingSpans),
		jetstream.WithPublishAsyncTimeout(10*time.Second),
		jetstream.WithPublishAsyncErrHandler(b.spanFailed))
	return fault("connect to NATS", err)
}

func (b *Bus) connectFault(err error) error {
	kind, hint := connKind(err)
	if kind == akitad.Unknown {
		kind = akitad.Unavailable
	}
	if hint == "" {
		hint = "is the NATS server running, and is nats.url right?"
	}
	return &akitad.Error{Kind: kind, Op: "connect to NATS", Err: err, Hint: hint}
}

func (b *Bus) asyncError(_ *nats.Conn, sub *nats.Subscription, err error) {
	subj := ""
	if sub != nil {
		subj = sub.Subject
	}
	b.log.Warn("nats reports an error", zap.String("subject", subj), zap.Error(err))
}

// Embedded reports whether the server runs in this process.
func (b *Bus) Embedded() bool { return b.srv != nil }

// alone reports whether no other process can reach the server.
func (b *Bus) alone() bool { return b.srv != nil && b.srv.addr == "" }

// Shared reports whether other processes can reach the server.
func (b *Bus) Shared() bool { return !b.alone() }

// Addr returns the host:port on which the embedded server listens, "" if it does not or the server is external. Tests that
// let the system choose the port connect to it.
func (b *Bus) Addr() string {
	if b.srv == nil {
		return ""
	}
	return b.srv.addr
}

// Healthy returns an error of kind unavailable unless the connection is up, JetStream answers within
// 2 s and, if it is embedded, takes writes.
func (b *Bus) Healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if s := b.nc.Status(); s != nats.CONNECTED {
		return &akitad.Error{Kind: akitad.Unavailable, Op: "check NATS", Err: fmt.Errorf("connection is %s", s)}
	}
	if b.srv != nil && b.srv.health() != nil {
		return &akitad.Error{Kind: akitad.Unavailable, Op: "check NATS", Err: b.srv.health()}
	}
	if _, err := b.js.AccountInfo(ctx); err != nil {
		return &akitad.Error{Kind: akitad.Unavailable, Op: "check NATS", Err: err}
	}
	return nil
}

// Close flushes outgoing messages, closes the connection, and shuts the embedded server down. All consumers
// must have ended before. A second call returns the error of the first.
func (b *Bus) Close(ctx context.Context) error {
	b.closeOnce.Do(func() { b.closeErr = b.close(ctx) })
	return b.closeErr
}

func (b *Bus) close(ctx context.Context) (err error) {
	if b.nc != nil {
		if b.js != nil && b.link.present().Err() == nil {
			err = b.FlushSpans(ctx)
		}
		if b.nc.Drain() == nil {
			select {
			case <-b.closed:
			case <-ctx.Done():
			}
		}
		b.nc.Close()
	}
	if b.srv != nil {
		if serr := b.srv.stop(ctx); err == nil {
			err = serr
		}
	}
	return err
}
