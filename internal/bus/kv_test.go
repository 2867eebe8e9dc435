package bus_test

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func bucket(t testing.TB, b *bus.Bus, name string) *bus.KV {
	t.Helper()
	kv, err := b.KV(within(t), name)
	must(t, err)
	return kv
}

func TestKV(t *testing.T) {
	kv := bucket(t, bustest.New(t), "sessions")
	ctx := within(t)
	value, rev, err := kv.Get(ctx, "s-a")
	if value != nil || rev != 0 || err != nil {
		t.Fatalf("absent key is %q, %d, %v", value, rev, err)
	}
	rev, err = kv.Update(ctx, "s-a", []byte("1"), 0)
	must(t, err)
	if _, err = kv.Update(ctx, "s-a", []byte("x"), 0); !errors.Is(err, bus.ErrConflict) {
		t.Errorf("create twice: %v, want a conflict", err)
	}
	next, err := kv.Update(ctx, "s-a", []byte("2"), rev)
	must(t, err)
	if _, err = kv.Update(ctx, "s-a", []byte("x"), rev); !errors.Is(err, bus.ErrConflict) {
		t.Errorf("update of an old revision: %v, want a conflict", err)
	}
	value, rev, err = kv.Get(ctx, "s-a")
	if string(value) != "2" || rev != next || err != nil {
		t.Errorf("value is %q at %d, %v", value, rev, err)
	}
	if err = kv.Delete(ctx, "s-a", rev-1); !errors.Is(err, bus.ErrConflict) {
		t.Errorf("delete of an old revision: %v, want a conflict", err)
	}
	must(t, kv.Delete(ctx, "s-a", rev))
	must(t, kv.Delete(ctx, "s-never", 0))
	if value, rev, err = kv.Get(ctx, "s-a"); value != nil || rev != 0 || err != nil {
		t.Errorf("deleted key is %q, %d, %v", value, rev, err)
	}
	if _, err = kv.Update(ctx, "s-a", []byte("3"), 0); err != nil {
		t.Errorf("create after a delete: %v", err)
	}
	_, err = kv.Update(ctx, "a b", nil, 0)
	wantKind(t, err, akitad.InvalidRequest)
}

func TestKVBucketsAndKeys(t *testing.T) {
	b := bustest.New(t)
	for _, name := range []string{"sessions", "steps", "health"} {
		kv := bucket(t, b, name)
		if keys, err := kv.Keys(within(t)); len(keys) != 0 || err != nil {
			t.Errorf("bucket %s starts with %q, %v", name, keys, err)
		}
		for _, key := range []string{name + "-1", name + "-2"} {
			_, err := kv.Put(within(t), key, []byte(name))
			must(t, err)
		}
		gone, err := kv.Put(within(t), "gone", []byte(name))
		must(t, err)
		must(t, kv.Delete(within(t), "gone", gone))
		keys, err := kv.Keys(within(t))
		slices.Sort(keys)
		if err != nil || !slices.Equal(keys, []string{name + "-1", name + "-2"}) {
			t.Errorf("bucket %s has %q, %v", name, keys, err)
		}
	}
	_, err := b.KV(within(t), "other")
	wantKind(t, err, akitad.NotFound)
}

// TestKVHasOneWinner: of many writers with one revision, one writes.
func TestKVHasOneWinner(t *testing.T) {
	kv := bucket(t, bustest.New(t), "health")
	rev := uint64(0)
	for range 20 {
		var won, now atomic.Uint64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if r, err := kv.Update(within(t), "k", []byte("x"), rev); err == nil {
					won.Add(1)
					now.Store(r)
				} else if !errors.Is(err, bus.ErrConflict) {
					t.Errorf("update: %v", err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d winners", won.Load())
		}
		rev = now.Load()
	}
}

func TestClaimTTLIsClusterWide(t *testing.T) {
	url := bustest.Server(t)
	bustest.Open(t, bus.Options{URL: url, ClaimTTL: 20 * time.Second})
	bustest.Open(t, bus.Options{URL: url, ClaimTTL: 20 * time.Second})
	_, err := bus.Open(t.Context(), bus.Options{URL: url})
	wantKind(t, err, akitad.InvalidRequest)
	want := "claim.ttl is 30s here, but 20s on the other nodes"
	if err == nil || err.Error() != want {
		t.Errorf("mismatch says %v, want %q", err, want)
	}
	if f := akitad.FailureOf(err); f == nil || f.Hint == "" {
		t.Errorf("%v gives no hint", err)
	}
}

// TestClaimTTLOfLoneServer: nobody else can hold a claim, so a new value is simply taken.
func TestClaimTTLOfLoneServer(t *testing.T) {
	dir := t.TempDir()
	bustest.Close(t, bustest.Open(t, bus.Options{Dir: dir, ClaimTTL: time.Hour}))
	b := bustest.Open(t, bus.Options{Dir: dir, ClaimTTL: 300 * time.Millisecond})
	w := openWork(t, b, "coder")
	put(t, b, "high", "t_a")
	for range 2 { // never settled: it comes again after the new ttl
		_, err := w.Next(within(t))
		must(t, err)
	}
	bustest.Close(t, b)
	_, err := bus.Open(t.Context(), bus.Options{Dir: dir, Listen: "127.0.0.1:0"})
	wantKind(t, err, akitad.InvalidRequest)
}
