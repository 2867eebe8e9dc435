package akitad

import "time"

// SpanKind is one of the twelve kinds of span.
type SpanKind string

// The twelve kinds; what one span of each stands for is docs/ARCHITECTURE.md's table.
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

// SpanKinds lists the twelve kinds.
var SpanKinds = []SpanKind{
	SpanTask, SpanPrompt, SpanDecision, SpanDelegation, SpanReasoning, SpanContext, SpanLLM,
	SpanToolBatch, SpanTool, SpanMemory, SpanVerification, SpanSupervision,
}

// Span is one timed piece of a task's trace, as it is stored and shown. An open span has no end.
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
