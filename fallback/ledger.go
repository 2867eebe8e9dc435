package fallback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/akitad/akitad"
)

// ErrConflict is returned by Store.Save, possibly wrapped, if the record has another revision than the one that
// the caller has read.
var ErrConflict = errors.New("fallback: record was changed meanwhile")

// Store keeps health records by name, shared by all nodes and over restarts.
type Store interface {
	// Load returns a record and its revision, nil and 0 if there is none.
	Load(ctx context.Context, name string) (data []byte, rev uint64, err error)
	// Save replaces the record of revision rev, where 0 means that there is none, or returns ErrConflict.
	Save(ctx context.Context, name string, data []byte, rev uint64) error
}

// saves is how often a change of a record is tried while other writers are faster.
const saves = 8

// seenFor is how long a record is cached. Every model call asks for the health of its endpoint, and the
// findings of another node may be a second late.
const seenFor = time.Second

// Ledger keeps the Health of endpoints and profiles in a Store, under the names "endpoint.NAME" and
// "profile.NAME". It sees its own changes at once, and those of other ledgers within a second. It is safe for
// concurrent use by many goroutines and processes.
type Ledger struct {
	store Store
	rules Rules

	mu   sync.Mutex
	seen map[string]seenHealth
}

type seenHealth struct {
	Health
	rev uint64 // a lower bound: Save does not return the new revision
	at  time.Time
}

// NewLedger returns a ledger on the store. With a nil store, the records are kept in memory.
func NewLedger(store Store, rules Rules) *Ledger {
	if store == nil {
		store = NewMemory()
	}
	return &Ledger{store: store, rules: rules.filled(), seen: map[string]seenHealth{}}
}

// Health returns the health of a name. A name without a record is healthy.
func (l *Ledger) Health(ctx context.Context, name string) (Health, error) {
	if h, ok := l.recent(name); ok {
		return h, nil
	}
	h, _, err := l.load(ctx, name)
	return h, err
}

// recent returns a record that was read or written within seenFor.
func (l *Ledger) recent(name string) (Health, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.seen[name]
	return s.Health, ok && time.Since(s.at) < seenFor
}

// saw caches a record, unless a later revision is cached: a slow read may return an old one.
func (l *Ledger) saw(name string, h Health, rev uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if rev >= l.seen[name].rev {
		l.seen[name] = seenHealth{h, rev, time.Now()}
	}
}

// Failed records a failure and returns the health after it.
func (l *Ledger) Failed(ctx context.Context, name string, now time.Time, kind akitad.Kind, reason string) (Health, error) {
	return l.change(ctx, name, func(h Health) (Health, bool) { return h.failed(l.rules, now, kind, reason), true })
}

// Succeeded records a success. A clean record is not written.
func (l *Ledger) Succeeded(ctx context.Context, name string) error {
	if h, ok := l.recent(name); ok && h.Clean() {
		return nil
	}
	_, err := l.change(ctx, name, func(h Health) (Health, bool) { return h.Succeeded(), !h.Clean() })
	return err
}

// TakeProbe reports whether the caller may make the probe that is due at now. Only one of all callers gets
// true.
func (l *Ledger) TakeProbe(ctx context.Context, name string, now time.Time) (bool, error) {
	taken := false
	_, err := l.change(ctx, name, func(h Health) (Health, bool) {
		taken = h.ProbeDue(now)
		return h.probing(l.rules, now), taken
	})
	return taken && err == nil, err
}

// change loads a record, applies a change and saves it, again if another writer was faster. apply reports
// whether there is something to save.
func (l *Ledger) change(ctx context.Context, name string, apply func(Health) (Health, bool)) (Health, error) {
	var err error
	for range saves {
		h, rev, lerr := l.load(ctx, name)
		if lerr != nil {
			return Health{}, lerr
		}
		next, changed := apply(h)
		if !changed {
			return h, nil
		}
		if err = l.save(ctx, name, next, rev); err == nil {
			l.saw(name, next, rev+1)
			return next, nil
		}
		if !errors.Is(err, ErrConflict) {
			break
		}
	}
	return Health{}, fmt.Errorf("save health of %s: %w", name, err)
}

func (l *Ledger) load(ctx context.Context, name string) (Health, uint64, error) {
	data, rev, err := l.store.Load(ctx, name)
	if err != nil {
		return Health{}, 0, fmt.Errorf("load health of %s: %w", name, err)
	}
	var h Health
	if len(data) > 0 && json.Unmarshal(data, &h) != nil {
		h = Health{} // an unreadable record must not exclude an endpoint; the next save replaces it
	}
	l.saw(name, h, rev)
	return h, rev, nil
}

func (l *Ledger) save(ctx context.Context, name string, h Health, rev uint64) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return l.store.Save(ctx, name, data, rev)
}
