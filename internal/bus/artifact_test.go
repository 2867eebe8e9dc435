package bus_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func TestArtifacts(t *testing.T) {
	dir := t.TempDir()
	b := bustest.Open(t, bus.Options{Dir: dir})
	rng := rand.New(rand.NewPCG(1, 2))
	bodies := map[string][]byte{}
	for _, size := range []int{0, 1, 128 << 10, 128<<10 + 1, 5 << 20} {
		body := make([]byte, size)
		for i := range body {
			body[i] = byte(rng.Uint32())
		}
		hash, err := b.PutArtifact(within(t), body)
		must(t, err)
		bodies[hash] = body
	}
	bustest.Close(t, b)
	b = bustest.Open(t, bus.Options{Dir: dir})
	for hash, body := range bodies {
		got, err := b.GetArtifact(within(t), hash)
		if err != nil || !bytes.Equal(got, body) {
			t.Errorf("%d bytes come back as %d: %v", len(body), len(got), err)
		}
	}
	hash, err := b.PutArtifact(within(t), []byte("abc"))
	must(t, err)
	if want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; hash != want {
		t.Errorf("name is %s, want the SHA-256 %s", hash, want)
	}
}

func TestArtifactThatIsNotThere(t *testing.T) {
	b := bustest.New(t)
	_, err := b.GetArtifact(within(t), strings.Repeat("0", 64))
	wantKind(t, err, akitad.NotFound)
	for _, name := range []string{"", "abc", strings.Repeat("A", 64), strings.Repeat("g", 64), "../" + strings.Repeat("0", 61)} {
		_, err := b.GetArtifact(within(t), name)
		wantKind(t, err, akitad.InvalidRequest)
	}
}

// TestArtifactIsPutOnce stores one body from many sides while others read it: everyone reads the
// right bytes, at once.
func TestArtifactIsPutOnce(t *testing.T) {
	url := bustest.Server(t)
	buses := []*bus.Bus{bustest.Open(t, bus.Options{URL: url}), bustest.Open(t, bus.Options{URL: url})}
	body := bytes.Repeat([]byte("0123456789abcdef"), 64<<10) // 1 MiB
	hash, err := buses[0].PutArtifact(within(t), body)
	must(t, err)
	var wg sync.WaitGroup
	for i := range 16 {
		b := buses[i%2]
		wg.Go(func() {
			if _, err := b.PutArtifact(within(t), body); err != nil {
				t.Errorf("put again: %v", err)
			}
			got, err := b.GetArtifact(within(t), hash)
			if err != nil || !bytes.Equal(got, body) {
				t.Errorf("read %d bytes: %v", len(got), err)
			}
		})
	}
	wg.Wait()
}

// TestArtifactIsPutOnceByMany stores one new body from two nodes at once, many times over.
func TestArtifactIsPutOnceByMany(t *testing.T) {
	url := bustest.Server(t)
	buses := []*bus.Bus{bustest.Open(t, bus.Options{URL: url}), bustest.Open(t, bus.Options{URL: url})}
	for i := range 20 {
		body := bytes.Repeat([]byte{byte(i)}, 300<<10)
		var wg sync.WaitGroup
		for _, b := range append(buses, buses...) {
			wg.Go(func() {
				hash, err := b.PutArtifact(within(t), body)
				if err != nil {
					t.Errorf("put: %v", err)
					return
				}
				if got, err := b.GetArtifact(within(t), hash); err != nil || !bytes.Equal(got, body) {
					t.Errorf("read %d bytes: %v", len(got), err)
				}
			})
		}
		wg.Wait()
	}
}
