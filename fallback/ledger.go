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

// ErrConflict is what a Store's Save returns, wrapped or not, when the record is not at the
// revision that the caller has read.
var ErrConflict = errors.New("fallback: record was changed meanwhile")

// A Store keeps health records by name, shared by nodes and across restarts.
type Store interface {
	// Load gives a record and its revision; nil and 0 if there is none.
	Load(ctx context.Context, name string) (data []byte, rev uint64, err error)
	// Save replaces the record at revision rev (0: makes it), or returns ErrConflict.
	Save(ctx context.Context, name string, data []byte, rev uint64) error
}

// saves is how often a record that others change too is written anew before giving up.
const saves = 8

// seenFor is how long a record that was read is not read again: every model call asks for the health
// of its endpoint, and what another node has found out may come a second late.
const seenFor = time.Second

// Ledger keeps the Health of many names in a Store. Names are the caller's; the convention is
// "endpoint.NAME" and "profile.NAME". What one Ledger writes, it sees at once; what others write,
// within a second. It is safe for use by many goroutines and processes.
type Ledger struct {
	store Store
	rules Rules

	mu   sync.Mutex
	seen map[string]seenHealth
}

type seenHealth struct {
	Health
	rev uint64 // at least: a Store does not tell the revision that a save made, but it is a later one
	at  time.Time
}

// NewLedger gives a ledger over the store; nil keeps the records in memory.
func NewLedger(store Store, rules Rules) *Ledger {
	if store == nil {
		store = NewMemory()
	}
	return &Ledger{store: store, rules: rules.filled(), seen: map[string]seenHealth{}}
}

// Health gives the record of the name; one that was never written is healthy.
func (l *Ledger) Health(ctx context.Context, name string) (Health, error) {
	if h, ok := l.recent(name); ok {
		return h, nil
	}
	h, _, err := l.load(ctx, name)
	return h, err
}

// recent gives a record that was read or written within the last second.
func (l *Ledger) recent(name string) (Health, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.seen[name]
	return s.Health, ok && time.Since(s.at) < seenFor
}

// saw keeps a record, unless a later revision of it is kept: what took long to read is old by now.
func (l *Ledger) saw(name string, h Health, rev uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if rev >= l.seen[name].rev {
		l.seen[name] = seenHealth{h, rev, time.Now()}
	}
}

// Failed records a failure and gives the health after it.
func (l *Ledger) Failed(ctx context.Context, name string, now time.Time, kind akitad.Kind, reason string) (Health, error) {
	return l.change(ctx, name, func(h Health) (Health, bool) { return h.failed(l.rules, now, kind, reason), true })
}

// Succeeded records a success. A name with a clean record is not written again.
func (l *Ledger) Succeeded(ctx context.Context, name string) error {
	if h, ok := l.recent(name); ok && h.Clean() {
		return nil
	}
	_, err := l.change(ctx, name, func(h Health) (Health, bool) { return h.Succeeded(), !h.Clean() })
	return err
}

// TakeProbe reports whether the caller may make the probe that is due at now. Of all callers, one
// gets true.
func (l *Ledger) TakeProbe(ctx context.Context, name string, now time.Time) (bool, error) {
	taken := false
	_, err := l.change(ctx, name, func(h Health) (Health, bool) {
		taken = h.ProbeDue(now)
		return h.probing(l.rules, now), taken
	})
	return taken && err == nil, err
}

// change loads, applies and saves until nobody else wrote in between. The function says whether
// there is something to save.
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
		h = Health{} // an unreadable record must not keep an endpoint out; the next save mends it
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
