package bus_test

import (
	"bytes"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

// An artifact that is dropped is gone with its bytes, can be stored again, and is then not dropped by who
// saw the old one.
func TestDropArtifact(t *testing.T) {
	b := bustest.New(t)
	body := bytes.Repeat([]byte("body"), 100_000)
	hash, err := b.PutArtifact(within(t), body)
	must(t, err)
	other, err := b.PutArtifact(within(t), []byte("other"))
	must(t, err)
	seen := listed(t, b)
	if len(seen) != 2 || seen[hash].Bytes != uint64(len(body)) || seen[hash].At.IsZero() {
		t.Fatalf("listed %+v", seen)
	}
	drop := func(want bool) {
		t.Helper()
		if removed, err := b.DropArtifact(within(t), seen[hash]); removed != want || err != nil {
			t.Fatalf("removed %v, want %v, %v", removed, want, err)
		}
	}
	drop(true)
	_, err = b.GetArtifact(within(t), hash)
	wantKind(t, err, akitad.NotFound)
	if left := listed(t, b); len(left) != 1 || left[other].Hash != other {
		t.Errorf("left is %+v", left)
	}
	drop(false)
	_, err = b.PutArtifact(within(t), body)
	must(t, err)
	drop(false)
	if got, err := b.GetArtifact(within(t), hash); err != nil || !bytes.Equal(got, body) {
		t.Errorf("stored again, it reads as %d bytes, %v", len(got), err)
	}
}

func listed(t *testing.T, b *bus.Bus) map[string]bus.StoredArtifact {
	t.Helper()
	all := map[string]bus.StoredArtifact{}
	must(t, b.Artifacts(within(t), func(a bus.StoredArtifact) error {
		all[a.Hash] = a
		return nil
	}))
	return all
}
