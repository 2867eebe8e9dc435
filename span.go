package akitad

import "time"

// SpanKind says which part of the work a span covers.
type SpanKind string

// The kinds of span. The section "Spans" of docs/ARCHITECTURE.md says what one span of each kind covers.
const (
	SpanTask         SpanKind = "TASK"
	SpanPrompt       SpanKind = "PROMPT"
	SpanDecision     SpanKind = "DECISION"
	SpanDelegation   SpanKind = "DELEGATION"
	SpanReasoning    SpanKind = "REASONING"
	SpanContext      SpanKind = "CONTEXT"
	SpanLLM          SpanKind = "LLM"
	SpanToolBatch    SpanKind = "TOOL_BATCH"
	SpanTool         SpanKind = "TOOL"
	SpanMemory       SpanKind = "MEMORY"
	SpanVerification SpanKind = "VERIFICATION"
	SpanSupervision  SpanKind = "SUPERVISION"
)

// SpanKinds lists all kinds of span.
var SpanKinds = []SpanKind{
	SpanTask, SpanPrompt, SpanDecision, SpanDelegation, SpanReasoning, SpanContext, SpanLLM,
	SpanToolBatch, SpanTool, SpanMemory, SpanVerification, SpanSupervision,
}

// Span is one timed operation in the trace of a task, as it is stored and shown. End is nil while it is open.
type Span struct {
	TraceID    string         `json:"trace_id"`
	SpanID     string         `json:"span_id"`
	ParentID   string         `json:"parent_id,omitempty"`
	Name       string         `json:"name"`
	Kind       SpanKind       `json:"kind"`
	Start      time.Time      `json:"start_time"`
	End        *time.Time     `json:"end_time"`
	DurationMS float64        `json:"duration_ms"`
	Status     string         `json:"status"` // OK, ERROR, CANCELLED
	Attributes map[string]any `json:"attributes,omitempty"`
	Error      string         `json:"error,omitempty"`
}
