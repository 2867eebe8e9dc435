package bus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// What a bucket takes for known is what the server has, whatever many writers do to few keys at once.
func TestKnownKeysAreAsStored(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	b, err := Open(ctx, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close(ctx) }()
	keys := []string{"a", "b", "c"}
	known := 0
	for round := range 20 {
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() { disturb(ctx, b, keys, rand.New(rand.NewPCG(uint64(round), uint64(w)))) })
		}
		wg.Wait()
		for _, key := range keys {
			kv, err := b.KV(ctx, "sessions")
			if err != nil {
				t.Fatal(err)
			}
			value, rev, is, _ := kv.seen.get(key)
			if !is {
				continue
			}
			known++
			if stored, at, err := kv.read(ctx, key); string(stored) != string(value) || at != rev || err != nil {
				t.Fatalf("%s is taken for %q at %d, and is %q at %d (%v)", key, value, rev, stored, at, err)
			}
		}
	}
	if known == 0 {
		t.Error("nothing was known")
	}
}

// disturb reads and changes keys at random. Conflicts are part of it.
func disturb(ctx context.Context, b *Bus, keys []string, draw *rand.Rand) {
	for range 20 {
		kv, err := b.KV(ctx, "sessions")
		if err != nil {
			return
		}
		key := keys[draw.IntN(len(keys))]
		_, rev, _ := kv.Get(ctx, key)
		switch draw.IntN(5) {
		case 0:
			_ = kv.Delete(ctx, key, rev)
		case 1:
			_, _ = kv.Put(ctx, key, fmt.Append(nil, draw.IntN(1000)))
		case 2, 3:
			_, _ = kv.Update(ctx, key, fmt.Append(nil, draw.IntN(1000)), rev)
		}
	}
}

// A server that others reach may change behind this process's back: nothing of it is taken for known.
func TestNothingIsKnownOfASharedServer(t *testing.T) {
	b, err := Open(t.Context(), Options{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close(context.WithoutCancel(t.Context())) }()
	kv, err := b.KV(t.Context(), "sessions")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.Put(t.Context(), "a", []byte("1")); err != nil {
		t.Fatal(err)
	}
	if kv.seen != nil {
		t.Error("the bucket remembers")
	}
}

// Values and keys beyond the bounds are asked for anew.
func TestWhatIsKnownIsBounded(t *testing.T) {
	c := &kvCache{}
	c.learn("long", make([]byte, keptValue+1), 1, c.change("long"))
	if _, _, known, _ := c.get("long"); known {
		t.Error("a long value is kept")
	}
	for i := range 2 * keptKeys {
		key := fmt.Sprint(i)
		c.learn(key, []byte("x"), 1, c.change(key))
		if len(c.slots) > keptKeys {
			t.Fatalf("%d keys are kept", len(c.slots))
		}
	}
}

// A change whose answer was lost may still come: what is read of its key before it is not taken for known, however many
// other keys are asked for meanwhile.
func TestADoubtOutlivesTheBound(t *testing.T) {
	for _, doubts := range []int{1, keptKeys / 4, 3 * keptKeys} {
		c := &kvCache{}
		for i := range doubts {
			c.doubt(fmt.Sprint("lost", i))
		}
		for i := range 2 * keptKeys {
			c.learn(fmt.Sprint(i), []byte("x"), 1, c.change(fmt.Sprint(i)))
			if len(c.slots) > keptKeys {
				t.Fatalf("%d keys are kept", len(c.slots))
			}
		}
		for i := range doubts {
			key := fmt.Sprint("lost", i)
			_, _, _, mark := c.get(key)
			c.learn(key, []byte("as it was before"), 1, mark)
			if value, _, known, _ := c.get(key); known {
				t.Fatalf("with %d doubts %s is taken for %q", doubts, key, value)
			}
		}
		c.changed("lost0", []byte("new"), 2, c.change("lost0"))
		if value, _, known, _ := c.get("lost0"); known != (doubts < keptKeys) || known && string(value) != "new" {
			t.Errorf("with %d doubts, after a change that succeeds: %q, %v", doubts, value, known)
		}
	}
}
