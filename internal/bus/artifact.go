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
	artifactFresh = 24 * time.Hour
)

// PutArtifact stores body and returns its name: its SHA-256 in hex. If the artifact exists, it is not stored
// again, also when several nodes store it at once. But if it is older than a day, its time is renewed, so that
// the collector does not remove an artifact that is about to be referred to again. Only the disk limits the size.
func (b *Bus) PutArtifact(ctx context.Context, body []byte) (hash string, err error) {
	ctx, cancel := context.WithTimeout(ctx, artifactWait)
	defer cancel()
	sum := sha256.Sum256(body)
	hash = hex.EncodeToString(sum[:])
	var pause pauses
	for try := 1; ; try++ {
		err := b.putArtifact(ctx, hash, body)
		if err == nil {
			return hash, nil
		}
		if !conflict(err) || try == artifactTries || pause.wait(ctx) != nil {
			return "", fault("store artifact "+hash, err)
		}
	}
}

func (b *Bus) putArtifact(ctx context.Context, hash string, body []byte) error {
	d, err := b.description(ctx, hash)
	switch {
	case err != nil:
		return err
	case !d.there():
		return b.putObject(ctx, d, hash, body)
	case time.Since(d.at) > artifactFresh:
		return b.describe(ctx, d.ObjectInfo, d.seq)
	}
	return nil
}

// GetArtifact returns the artifact with that hash and checks its bytes against it. For an unknown hash, the
// error is of kind not_found.
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

// mayChange reports whether a failed read may succeed in a moment, because the replica that answered lags.
func (b *Bus) mayChange(err error) bool {
	return b.opts.Replicas > 1 && (errors.Is(err, errDamaged) || errors.Is(err, jetstream.ErrObjectNotFound))
}

var errDamaged = errors.New("its bytes are damaged or not all there")

func isHash(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == sha256.Size && s == hex.EncodeToString(raw)
}

func (b *Bus) getArtifact(ctx context.Context, hash string) ([]byte, error) {
	d, err := b.description(ctx, hash)
	if err == nil && !d.there() {
		err = jetstream.ErrObjectNotFound
	}
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	err = b.read(ctx, objectStream, piecesOf(d.NUID), 1, func(s Stored) error {
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
