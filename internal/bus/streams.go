package bus

import (
	"cmp"
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
)

const (
	dedupWindow = 2 * time.Minute    // how long a message id is remembered, counted from its first publish
	spansKept   = 7 * 24 * time.Hour // by default
	maxInbox    = 256 << 20          // bytes; texts over 16 KiB travel as artifacts
)

// buckets are the names of the key-value buckets.
var buckets = []string{"sessions", "health", "akita", stepsBucket}

const stepsBucket = "steps"

// stepsKept is how long the result of a step with an idempotency key is kept: as long as an ended task by
// default.
const stepsKept = 30 * 24 * time.Hour

// streamConfigs returns the configuration of every stream. No stream drops an old message for a new one: a
// full stream refuses, and the publisher gets an error. Only spans expire by age.
func (b *Bus) streamConfigs() []jetstream.StreamConfig {
	base := jetstream.StreamConfig{
		Storage: jetstream.FileStorage, Replicas: b.opts.Replicas, Duplicates: dedupWindow, Discard: jetstream.DiscardNew,
	}
	tasks, work, timers, raws, inbox, spans := base, base, base, base, base, base

	tasks.Name, tasks.Subjects = Tasks, []string{"akita.task.*.*"}
	tasks.AllowDirect, tasks.Compression = true, jetstream.S2Compression
	tasks.RePublish = &jetstream.RePublish{Source: "akita.task.*.*", Destination: "akita.ctl.{{wildcard(1)}}"}

	work.Name, work.Subjects = Queue, []string{"akita.work.*.*.*"}
	work.Retention = jetstream.WorkQueuePolicy

	// No MaxAge, which would delete timers further in the future. The server refuses DiscardNew here;
	// without limits nothing is ever discarded.
	timers.Name, timers.Subjects = Timers, []string{"akita.timer.*", "akita.due.*"}
	timers.Retention, timers.Discard = jetstream.WorkQueuePolicy, jetstream.DiscardOld
	timers.AllowMsgSchedules = true

	raws.Name, raws.Subjects = Raw, []string{"akita.raw.*"}
	raws.Retention, raws.MaxMsgs, raws.MaxBytes = jetstream.WorkQueuePolicy, int64(b.opts.MaxInbox), maxInbox

	inbox.Name, inbox.Subjects = Inbox, []string{"akita.in.*"}
	inbox.Retention, inbox.MaxMsgs, inbox.MaxBytes = jetstream.WorkQueuePolicy, int64(b.opts.MaxInbox), maxInbox

	spans.Name, spans.Subjects = Spans, []string{"akita.span.*"}
	spans.AllowDirect, spans.Compression, spans.MaxAge = true, jetstream.S2Compression, max(cmp.Or(b.opts.Spans, spansKept), dedupWindow)
	return []jetstream.StreamConfig{tasks, work, timers, raws, inbox, spans}
}

// setup creates streams, buckets and the object store in parallel, which takes half as long.
func (b *Bus) setup(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	eg, ctx := errgroup.WithContext(ctx)
	for _, cfg := range b.streamConfigs() {
		eg.Go(func() error { return b.ensureStream(ctx, cfg) })
	}
	kvs := make([]jetstream.KeyValue, len(buckets))
	for i, name := range buckets {
		eg.Go(func() error { return b.ensureBucket(ctx, name, &kvs[i]) })
	}
	eg.Go(func() error { return b.ensureStore(ctx) })
	if err := eg.Wait(); err != nil {
		return err
	}
	b.kv = make(map[string]jetstream.KeyValue, len(buckets))
	b.kvSeen = map[string]*kvCache{}
	for i, name := range buckets {
		b.kv[name] = kvs[i]
		if b.alone() && name != stepsBucket { // the keys of that bucket expire
			b.kvSeen[name] = &kvCache{}
		}
	}
	return nil
}

func (b *Bus) ensureStream(ctx context.Context, cfg jetstream.StreamConfig) error {
	var s jetstream.Stream
	err := b.insist(ctx, answerWait, func(ctx context.Context) (err error) {
		s, err = b.js.CreateOrUpdateStream(ctx, cfg)
		return err
	})
	if err != nil {
		return fault("set up stream "+cfg.Name, err)
	}
	// A server that is too old ignores settings that it does not know.
	if cfg.AllowMsgSchedules && !s.CachedInfo().Config.AllowMsgSchedules {
		return akitad.Errorf(akitad.Unavailable, "the NATS server cannot schedule messages").WithHint("run nats-server 2.15 or newer")
	}
	return nil
}

func (b *Bus) ensureBucket(ctx context.Context, name string, kv *jetstream.KeyValue) error {
	cfg := jetstream.KeyValueConfig{Bucket: name, Storage: jetstream.FileStorage, Replicas: b.opts.Replicas}
	if name == stepsBucket {
		cfg.TTL = stepsKept
	}
	err := b.insist(ctx, answerWait, func(ctx context.Context) (err error) {
		*kv, err = b.js.CreateOrUpdateKeyValue(ctx, cfg)
		return err
	})
	return fault("set up bucket "+name, err)
}

func (b *Bus) ensureStore(ctx context.Context) error {
	cfg := jetstream.ObjectStoreConfig{Bucket: store, Storage: jetstream.FileStorage, Replicas: b.opts.Replicas, Compression: true}
	err := b.insist(ctx, answerWait, func(ctx context.Context) (err error) {
		_, err = b.js.CreateOrUpdateObjectStore(ctx, cfg)
		return err
	})
	return fault("set up object store "+store, err)
}
