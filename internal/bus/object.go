package bus

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Artifacts are objects of a NATS object store: pieces of 128 KiB under a subject of their own, and one
// message that describes them. The client library's reader and writer are not used: they replace an
// existing object, hang if that happens during a read, and create a consumer for each read.
const (
	objectStream = "OBJ_" + store
	pieceSize    = 128 << 10
)

func piecesOf(id string) (subject string) { return "$O." + store + ".C." + id }

func describes(name string) (subject string) {
	return "$O." + store + ".M." + base64.URLEncoding.EncodeToString([]byte(name))
}

// description is the message that describes an object, or the deletion mark of a removed one.
type description struct {
	jetstream.ObjectInfo
	seq uint64    // its place in the store; 0 if there is none
	at  time.Time // when it was stored
}

func (d description) there() bool { return d.seq > 0 && !d.Deleted }

func (b *Bus) description(ctx context.Context, name string) (description, error) {
	s, ok, err := b.last(ctx, objectStream, describes(name))
	if err != nil || !ok {
		return description{}, err
	}
	return describedBy(s)
}

func describedBy(s Stored) (description, error) {
	d := description{seq: s.Seq, at: s.Time}
	if err := json.Unmarshal(s.Body, &d.ObjectInfo); err != nil {
		return description{}, fmt.Errorf("description of an object: %w", err)
	}
	return d, nil
}

// putObject stores the pieces and then the description, if that is still as was. After a crash in between
// there is no half object, only some pieces that are never read.
func (b *Bus) putObject(ctx context.Context, was description, name string, body []byte) error {
	sum := sha256.Sum256(body)
	info := jetstream.ObjectInfo{
		ObjectMeta: jetstream.ObjectMeta{Name: name}, Bucket: store, NUID: nuid.Next(), Size: uint64(len(body)),
		Digest: "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:]),
	}
	for piece := range slices.Chunk(body, pieceSize) {
		if err := b.publish(ctx, &nats.Msg{Subject: piecesOf(info.NUID), Data: piece}, nuid.Next()); err != nil {
			return err
		}
		info.Chunks++
	}
	err := b.describe(ctx, info, was.seq)
	if !conflict(err) {
		return err
	}
	// Another writer was faster, or this description was stored and the answer was lost.
	if now, derr := b.description(ctx, name); derr != nil || now.NUID == info.NUID {
		return derr
	}
	return errors.Join(err, b.purge(ctx, objectStream, piecesOf(info.NUID)))
}

// describe replaces the description of an object, if the current one has the sequence was.
func (b *Bus) describe(ctx context.Context, info jetstream.ObjectInfo, was uint64) error {
	data, err := json.Marshal(info)
	if err != nil {
		return err
	}
	return b.insist(ctx, tryWait, func(ctx context.Context) error {
		m := &nats.Msg{Subject: describes(info.Name), Data: data, Header: nats.Header{jetstream.MsgRollup: {jetstream.MsgRollupSubject}}}
		_, err := b.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(was))
		return err
	})
}
