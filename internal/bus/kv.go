package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/akitad/akitad"
)

// KV is a bucket of small values that are changed by compare-and-set. Keys match [A-Za-z0-9_-./=]+.
type KV struct {
	b    *Bus
	kv   jetstream.KeyValue
	seen *kvCache
}

// KV returns one of the buckets: sessions, health, akita, steps. For any other name the error is
// of kind not_found.
func (b *Bus) KV(_ context.Context, bucket string) (*KV, error) {
	kv, ok := b.kv[bucket]
	if !ok {
		return nil, akitad.Errorf(akitad.NotFound, "no bucket %q", bucket).WithHint("the buckets are " + fmt.Sprint(buckets))
	}
	return &KV{b, kv, b.kvSeen[bucket]}, nil
}

// Get returns a key's value and revision; for a key that does not exist it returns nil, 0, nil.
func (k *KV) Get(ctx context.Context, key string) (value []byte, rev uint64, err error) {
	value, rev, known, mark := k.seen.get(key)
	if known {
		return value, rev, nil
	}
	if value, rev, err = k.read(ctx, key); err == nil {
		k.seen.learn(key, value, rev, mark)
	}
	return value, rev, err
}

func (k *KV) read(ctx context.Context, key string) (value []byte, rev uint64, err error) {
	var e jetstream.KeyValueEntry
	err = k.b.insist(ctx, answerWait, func(ctx context.Context) (err error) {
		e, err = k.kv.Get(ctx, key)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, k.fault("get", key, err)
	}
	return e.Value(), e.Revision(), nil
}

// Update sets key if its revision is still rev, where 0 means that it does not exist, and returns the new
// revision. Otherwise the error is ErrConflict. After any other error, the value may or may not be set.
func (k *KV) Update(ctx context.Context, key string, value []byte, rev uint64) (uint64, error) {
	var now uint64
	mark := k.seen.change(key)
	err := k.b.try(ctx, answerWait, func(ctx context.Context) (err error) {
		if rev == 0 {
			now, err = k.kv.Create(ctx, key, value)
		} else {
			now, err = k.kv.Update(ctx, key, value, rev)
		}
		return err
	})
	if err != nil {
		if conflict(err) {
			k.seen.change(key) // a concurrent Get may have read the value from before the other change
		} else {
			k.seen.doubt(key)
		}
		return 0, k.fault("update", key, err)
	}
	k.seen.changed(key, value, now, mark)
	return now, nil
}

// Put sets key unconditionally and returns the new revision.
func (k *KV) Put(ctx context.Context, key string, value []byte) (uint64, error) {
	var rev uint64
	mark := k.seen.change(key)
	err := k.b.insist(ctx, tryWait, func(ctx context.Context) (err error) {
		rev, err = k.kv.Put(ctx, key, value)
		return err
	})
	if err != nil {
		k.seen.doubt(key)
		return 0, k.fault("put", key, err)
	}
	k.seen.changed(key, value, rev, mark)
	return rev, nil
}

// Delete removes key if its revision is still rev; 0 means that there is nothing to remove. Otherwise the error is
// ErrConflict, also when the answer to a first try was lost.
func (k *KV) Delete(ctx context.Context, key string, rev uint64) error {
	if rev == 0 {
		return nil
	}
	k.seen.change(key)
	err := k.b.insist(ctx, tryWait, func(ctx context.Context) error { return k.kv.Delete(ctx, key, jetstream.LastRevision(rev)) })
	if err != nil {
		k.seen.doubt(key)
		return k.fault("delete", key, err)
	}
	k.seen.change(key)
	return nil
}

// Keys returns the keys that have a value, in no order.
func (k *KV) Keys(ctx context.Context) ([]string, error) {
	var keys []string
	err := k.b.insist(ctx, answerWait, func(ctx context.Context) (err error) {
		keys, err = k.kv.Keys(ctx)
		return err
	})
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, nil
	}
	if err != nil {
		return nil, k.fault("list", "keys", err)
	}
	return keys, nil
}

func (k *KV) fault(verb, key string, err error) error {
	op := fmt.Sprintf("%s %s in bucket %s", verb, key, k.kv.Bucket())
	switch {
	case conflict(err):
		return fmt.Errorf("%s: %w", op, ErrConflict)
	case errors.Is(err, jetstream.ErrInvalidKey):
		return &akitad.Error{Kind: akitad.InvalidRequest, Op: op, Err: err, Hint: tokenHint}
	}
	return fault(op, err)
}

const claimTTLKey = "claim.ttl"

// agreeClaimTTL records the claim ttl for all nodes, or returns an error if another one is recorded: a node
// with its own ttl would change the timeout of every item that other nodes hold. If no other process can
// reach the server, the new value is recorded.
func (b *Bus) agreeClaimTTL(ctx context.Context) error {
	kv, err := b.KV(ctx, "akita")
	if err != nil {
		return err
	}
	mine := b.opts.ClaimTTL.String()
	if _, err = kv.Update(ctx, claimTTLKey, []byte(mine), 0); !errors.Is(err, ErrConflict) {
		return err
	}
	stored, rev, err := kv.Get(ctx, claimTTLKey)
	if err != nil || string(stored) == mine {
		return err
	}
	if b.alone() {
		_, err = kv.Update(ctx, claimTTLKey, []byte(mine), rev)
		return err
	}
	return ttlMismatch(mine, string(stored))
}

func ttlMismatch(mine, stored string) error {
	if d, err := time.ParseDuration(stored); err == nil {
		stored = d.String()
	}
	return akitad.Errorf(akitad.InvalidRequest, "claim.ttl is %s here, but %s on the other nodes", mine, stored).
		WithHint("set claim.ttl to " + stored + "; to change it for all, stop every node and delete the key claim.ttl of the NATS bucket akita")
}
