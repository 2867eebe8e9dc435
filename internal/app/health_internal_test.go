package app

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/bus"
)

// overtaken is a store in which another writer is faster once: it saves between a load and the save after it.
type overtaken struct {
	healthStore
	other func()
	once  sync.Once
}

func (s *overtaken) Save(ctx context.Context, name string, body []byte, rev uint64) error {
	s.once.Do(s.other)
	return s.healthStore.Save(ctx, name, body, rev)
}

// A failure counts also when another node, or another task of this one, records one at the same moment.
func TestHealthThatAnotherWriterChanges(t *testing.T) {
	ctx := t.Context()
	b, err := bus.Open(ctx, bus.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close(context.WithoutCancel(ctx))
	kv, err := b.KV(ctx, "health")
	if err != nil {
		t.Fatal(err)
	}
	fail := func(l *fallback.Ledger) (fallback.Health, error) {
		return l.Failed(ctx, "endpoint.main", time.Now(), akitad.Transport, "connection refused")
	}
	other := fallback.NewLedger(healthStore{kv}, fallback.Rules{})
	store := &overtaken{healthStore: healthStore{kv}, other: func() {
		if _, err := fail(other); err != nil {
			t.Error(err)
		}
	}}
	h, err := fail(fallback.NewLedger(store, fallback.Rules{}))
	if err != nil || len(h.Failures) != 2 {
		t.Errorf("%d failures, %v; want both writers' failures counted", len(h.Failures), err)
	}
}
