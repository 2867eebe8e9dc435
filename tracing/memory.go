package tracing

import (
	"context"
	"slices"
	"sync"

	"github.com/akitad/akitad"
)

// Memory is a Sink that keeps every record; the zero value is ready. It is for tests and for a run
// in one process.
type Memory struct {
	mu      sync.Mutex
	records []akitad.Span
}

// Span keeps the record.
func (m *Memory) Span(_ context.Context, s akitad.Span) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records = append(m.records, s)
	return nil
}

// Records gives every record in the order in which they came.
func (m *Memory) Records() []akitad.Span {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.records)
}

// Spans gives one record a span, see Merge.
func (m *Memory) Spans() []akitad.Span { return Merge(m.Records()) }

// Find gives the spans of one kind, in the order of Merge.
func (m *Memory) Find(kind akitad.SpanKind) []akitad.Span {
	return slices.DeleteFunc(m.Spans(), func(s akitad.Span) bool { return s.Kind != kind })
}
