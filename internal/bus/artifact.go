package bus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/akitad/akitad"
)

const (
	artifactWait  = time.Minute // without another deadline
	artifactTries = 6           // over about a third of a second
)

// PutArtifact stores body and gives the name under which it can be read: its SHA-256 in hex. What
// is stored already is left alone, also if several nodes store it at once. Size is bounded by the
// disk alone.
func (b *Bus) PutArtifact(ctx context.Context, body []byte) (hash string, err error) {
	ctx, cancel := context.WithTimeout(ctx, artifactWait)
	defer cancel()
	sum := sha256.Sum256(body)
	hash = hex.EncodeToString(sum[:])
	_, err = b.objectInfo(ctx, hash)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		err = b.putObject(ctx, hash, body, sum)
	}
	if err != nil {
		return "", fault("store artifact "+hash, err)
	}
	return hash, nil
}

// GetArtifact gives the bytes that PutArtifact named hash, checked against it. An unknown hash is
// of kind not_found.
func (b *Bus) GetArtifact(ctx context.Context, hash string) ([]byte, error) {
	if !isHash(hash) {
		return nil, akitad.Errorf(akitad.InvalidRequest, "%q is not an artifact", hash).WithHint("artifacts are named by 64 hex digits")
	}
	ctx, cancel := context.WithTimeout(ctx, artifactWait)
	defer cancel()
	var pause pauses
	for try := 1; ; try++ {
		body, err := b.getArtifact(ctx, hash)
		if err == nil || try == artifactTries || !b.mayChange(err) || pause.wait(ctx) != nil {
			return body, fault("read artifact "+hash, err)
		}
	}
}

// mayChange reports whether a read that failed so may go well in a moment: on a cluster, the
// replica that answered may be behind.
func (b *Bus) mayChange(err error) bool {
	return b.opts.Replicas > 1 && (errors.Is(err, errDamaged) || errors.Is(err, jetstream.ErrObjectNotFound))
}

var errDamaged = errors.New("its bytes are damaged or not all there")

func isHash(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == sha256.Size && s == hex.EncodeToString(raw)
}

func (b *Bus) getArtifact(ctx context.Context, hash string) ([]byte, error) {
	info, err := b.objectInfo(ctx, hash)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	err = b.read(ctx, objectStream, piecesOf(info.NUID), 1, func(s Stored) error {
		_, err := buf.Write(s.Body)
		return err
	})
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(buf.Bytes()); hex.EncodeToString(sum[:]) != hash {
		return nil, &akitad.Error{Kind: akitad.Unavailable, Err: errDamaged}
	}
	return buf.Bytes(), nil
}
