package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// StoredArtifact is an entry of the artifact store.
type StoredArtifact struct {
	Hash  string
	Bytes uint64
	At    time.Time // when it was last stored

	seq uint64
	id  string // id of its pieces
}

// Artifacts calls fn with every stored artifact, in no order. An error of fn ends the listing and is
// returned.
func (b *Bus) Artifacts(ctx context.Context, fn func(StoredArtifact) error) error {
	return b.read(ctx, objectStream, "$O."+store+".M.>", 1, func(s Stored) error {
		d, err := describedBy(s)
		if err != nil || !d.there() {
			return err
		}
		return fn(StoredArtifact{Hash: d.Name, Bytes: d.Size, At: d.at, seq: d.seq, id: d.NUID})
	})
}

// DropArtifact removes an artifact, unless it was stored again since it was listed; removed reports whether
// it did. A crash in between leaves a deletion mark, over which PutArtifact can store the artifact again.
func (b *Bus) DropArtifact(ctx context.Context, a StoredArtifact) (removed bool, err error) {
	gone := jetstream.ObjectInfo{ObjectMeta: jetstream.ObjectMeta{Name: a.Hash}, Bucket: store, NUID: a.id, Deleted: true}
	err = b.describe(ctx, gone, a.seq)
	if conflict(err) {
		return false, nil
	}
	if err != nil {
		return false, fault("drop artifact "+a.Hash, err)
	}
	return true, fault("drop artifact "+a.Hash, errors.Join(
		b.purge(ctx, objectStream, piecesOf(a.id)), b.purgeMark(ctx, a.Hash)))
}

// purgeMark removes the deletion mark of an artifact, but never a description that was stored over it.
func (b *Bus) purgeMark(ctx context.Context, hash string) error {
	mark, err := b.description(ctx, hash)
	if err != nil || mark.seq == 0 || mark.there() {
		return err
	}
	return b.insist(ctx, answerWait, func(ctx context.Context) error {
		s, err := b.js.Stream(ctx, objectStream)
		if err != nil {
			return err
		}
		return s.Purge(ctx, jetstream.WithPurgeSubject(describes(hash)), jetstream.WithPurgeSequence(mark.seq+1))
	})
}
