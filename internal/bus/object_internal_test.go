package bus

import (
	"bytes"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/akitad/akitad"
)

// TestObjectIsStandard reads with the client library what we store, and finds that a race for one
// object leaves one set of pieces.
func TestObjectIsStandard(t *testing.T) {
	b := openRaw(t)
	body := bytes.Repeat([]byte("piece"), 100_000)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := b.PutArtifact(t.Context(), body); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	hash, err := b.PutArtifact(t.Context(), body)
	if err != nil {
		t.Fatal(err)
	}
	objs, err := b.js.ObjectStore(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := objs.GetBytes(t.Context(), hash); err != nil || !bytes.Equal(got, body) {
		t.Errorf("the library reads %d bytes: %v", len(got), err)
	}
	s, err := b.js.Stream(t.Context(), objectStream)
	if err != nil {
		t.Fatal(err)
	}
	info, err := s.Info(t.Context(), jetstream.WithSubjectFilter("$O.>"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(info.State.Subjects); n != 2 {
		t.Errorf("%d subjects are left, want one object's pieces and its description", n)
	}
}

// TestObjectWithoutItsPieces takes the pieces of an object away: its reader hears of it.
func TestObjectWithoutItsPieces(t *testing.T) {
	b := openRaw(t)
	hash, err := b.PutArtifact(t.Context(), bytes.Repeat([]byte("piece"), 100_000))
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.js.Stream(t.Context(), objectStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteMsg(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if body, err := b.GetArtifact(t.Context(), hash); akitad.KindOf(err) != akitad.Unavailable || body != nil {
		t.Errorf("a damaged artifact reads as %d bytes, %v", len(body), err)
	}
}

// TestDroppedObjectLeavesNothing holds that a removed artifact leaves neither pieces nor a mark in the store.
func TestDroppedObjectLeavesNothing(t *testing.T) {
	b := openRaw(t)
	if _, err := b.PutArtifact(t.Context(), bytes.Repeat([]byte("piece"), 100_000)); err != nil {
		t.Fatal(err)
	}
	var stored []StoredArtifact
	err := b.Artifacts(t.Context(), func(a StoredArtifact) error {
		stored = append(stored, a)
		return nil
	})
	if err != nil || len(stored) != 1 {
		t.Fatalf("%d artifacts, %v", len(stored), err)
	}
	if removed, err := b.DropArtifact(t.Context(), stored[0]); !removed || err != nil {
		t.Fatalf("removed %v, %v", removed, err)
	}
	s, err := b.js.Stream(t.Context(), objectStream)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Msgs; n != 0 {
		t.Errorf("%d messages are left", n)
	}
}
