package tracing

import (
	"context"
	"slices"
	"sync"

	"github.com/akitad/akitad"
)

// Memory is a Sink that keeps every record in memory, for tests. The zero value is ready for use.
type Memory struct {
	mu      sync.Mutex
	records []akitad.Span
}

// Span implements Sink.
func (m *Memory) Span(_ context.Context, s akitad.Span) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records = append(m.records, s)
	return nil
}

// Records returns every record, in the order of arrival.
func (m *Memory) Records() []akitad.Span {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.records)
}

// Spans returns one record per span, see Merge.
func (m *Memory) Spans() []akitad.Span { return Merge(m.Records()) }

// Find returns the spans of one kind, in the order of Merge.
func (m *Memory) Find(kind akitad.SpanKind) []akitad.Span {
	return slices.DeleteFunc(m.Spans(), func(s akitad.Span) bool { return s.Kind != kind })
}
