package bus

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Artifacts are objects of a NATS object store: pieces of 128 KiB under a subject of their own, and
// one message that describes them. Reading and writing go past the client library's reader and
// writer, which replace an object that is there, hang if that happens during a read, and make a
// consumer for each read.
const (
	objectStream = "OBJ_" + store
	pieceSize    = 128 << 10
)

func piecesOf(id string) (subject string) { return "$O." + store + ".C." + id }

func describes(name string) (subject string) {
	return "$O." + store + ".M." + base64.URLEncoding.EncodeToString([]byte(name))
}

func (b *Bus) objectInfo(ctx context.Context, name string) (info *jetstream.ObjectInfo, err error) {
	err = b.insist(ctx, answerWait, func(ctx context.Context) (err error) {
		info, err = b.objs.GetInfo(ctx, name)
		return err
	})
	return info, err
}

// putObject stores the pieces first, then the description, if there is none. Without it the pieces
// are nothing, so a crash in between leaves no half object, only some bytes that nobody reads.
func (b *Bus) putObject(ctx context.Context, name string, body []byte, sum [32]byte) error {
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
	err := b.describe(ctx, info)
	if !conflict(err) {
		return err
	}
	// Somebody was faster, or this was stored and the answer got lost.
	if stored, err := b.objectInfo(ctx, name); err != nil || stored.NUID == info.NUID {
		return err
	}
	return b.purge(ctx, objectStream, piecesOf(info.NUID))
}

func (b *Bus) describe(ctx context.Context, info jetstream.ObjectInfo) error {
	data, err := json.Marshal(info)
	if err != nil {
		return err
	}
	return b.insist(ctx, tryWait, func(ctx context.Context) error {
		m := &nats.Msg{Subject: describes(info.Name), Data: data, Header: nats.Header{jetstream.MsgRollup: {jetstream.MsgRollupSubject}}}
		_, err := b.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(0))
		return err
	})
}
