package fallback

import (
	"context"
	"slices"
	"sync"
)

// Memory is a Store in the memory of one process.
type Memory struct {
	mu      sync.Mutex
	records map[string]record
}

type record struct {
	data []byte
	rev  uint64
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{records: map[string]record{}} }

// Load implements Store.
func (m *Memory) Load(_ context.Context, name string) ([]byte, uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.records[name]
	return slices.Clone(r.data), r.rev, nil
}

// Save implements Store.
func (m *Memory) Save(_ context.Context, name string, data []byte, rev uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.records[name].rev != rev {
		return ErrConflict
	}
	m.records[name] = record{data: slices.Clone(data), rev: rev + 1}
	return nil
}
