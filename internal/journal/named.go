package journal

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// Hash is the name of an artifact: a SHA-256 as bytes.
type Hash [32]byte

// String returns the hash in hex, as the store names the artifact.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Hashes is a set of artifact names.
type Hashes map[Hash]struct{}

// Has reports whether the set contains the name, given in hex.
func (h Hashes) Has(hash string) bool {
	var sum Hash
	if n, err := hex.Decode(sum[:], []byte(hash)); err != nil || n != len(sum) {
		return false
	}
	_, ok := h[sum]
	return ok
}

// Find adds everything in text that looks like the name of an artifact: runs of exactly 64 hex digits.
func (h Hashes) Find(text []byte) {
	const digits = 2 * len(Hash{})
	run := 0
	for i := range len(text) + 1 {
		if i < len(text) && isHex(text[i]) {
			run++
			continue
		}
		if run == digits {
			var sum Hash
			if _, err := hex.Decode(sum[:], text[i-digits:i]); err == nil {
				h[sum] = struct{}{}
			}
		}
		run = 0
	}
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }

// Named adds to h the artifacts that the journals of all tasks refer to, also from payloads that are
// stored as artifacts. It reads the whole stream.
func (j *Journal) Named(ctx context.Context, h Hashes) error {
	err := j.bus.ScanTasks(ctx, []string{"akita.task.>"}, 1, func(s bus.Stored) error {
		h.Find(s.Body)
		var aside struct {
			Ref string `json:"ref"`
		}
		if err := json.Unmarshal(s.Body, &aside); err != nil || aside.Ref == "" {
			return nil // not an event, or one without such a payload
		}
		data, err := j.bus.GetArtifact(ctx, aside.Ref)
		if akitad.KindOf(err) == akitad.NotFound {
			return nil
		}
		h.Find(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("look for the artifacts that journals name: %w", err)
	}
	return nil
}
