package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// StoredArtifact is an artifact in the store.
type StoredArtifact struct {
	Hash  string
	Bytes uint64
	At    time.Time // when it was last stored

	seq uint64
	id  string // of its pieces
}

// Artifacts calls fn with every artifact that is stored, in no order. An error of fn ends the listing and
// comes back.
func (b *Bus) Artifacts(ctx context.Context, fn func(StoredArtifact) error) error {
	return b.read(ctx, objectStream, "$O."+store+".M.>", 1, func(s Stored) error {
		d, err := describedBy(s)
		if err != nil || !d.there() {
			return err
		}
		return fn(StoredArtifact{Hash: d.Name, Bytes: d.Size, At: d.at, seq: d.seq, id: d.NUID})
	})
}

// DropArtifact removes an artifact for good, unless it was stored again since it was listed; removed tells
// which. A crash in between leaves a mark in its place, over which PutArtifact stores it anew.
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

// purgeMark removes the mark of a removed artifact, and never a description that came over it.
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
