package tracing

import (
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/akitad/akitad"
)

// The statuses of an ended span. An open span has none.
const (
	StatusOK        = "OK"
	StatusError     = "ERROR"
	StatusCancelled = "CANCELLED"
)

// Attributes for fields of a Span for which OpenTelemetry has no field.
const (
	keyKind    = "akita.kind"
	keyStatus  = "akita.status"
	keyMessage = "error.message"
)

// Span is an open span. A nil Span does nothing.
type Span struct {
	otel   trace.Span
	tracer *Tracer
	ended  atomic.Bool
}

// Set sets attributes of the span, replacing values of the same key. After End it does nothing.
func (s *Span) Set(attrs ...Attr) {
	if s == nil || s.ended.Load() {
		return
	}
	s.otel.SetAttributes(s.tracer.redacted(attrs)...)
}

// End ends the span and publishes it, with status OK for a nil error, CANCELLED for one of kind cancelled, and
// else ERROR with the kind as error.type. Only the first End counts.
func (s *Span) End(err error) {
	if s == nil || s.ended.Swap(true) {
		return
	}
	status := StatusOf(err)
	s.otel.SetAttributes(attribute.String(keyStatus, status))
	if err != nil {
		msg := validText(s.tracer.opts.Redact(err.Error()))
		s.otel.SetAttributes(attribute.String(KeyErrorType, string(akitad.KindOf(err))), attribute.String(keyMessage, msg))
		if status == StatusError {
			s.otel.SetStatus(codes.Error, msg)
		}
	} else {
		s.otel.SetStatus(codes.Ok, "")
	}
	s.otel.End()
}

// StatusOf returns the status with which End(err) ends a span: OK, ERROR or CANCELLED.
func StatusOf(err error) string {
	switch akitad.KindOf(err) {
	case "":
		return StatusOK
	case akitad.Cancelled:
		return StatusCancelled
	}
	return StatusError
}

// record turns an SDK span, open or ended, into the stored form.
func record(s sdktrace.ReadOnlySpan) akitad.Span {
	out := akitad.Span{
		TraceID: s.SpanContext().TraceID().String(),
		SpanID:  s.SpanContext().SpanID().String(),
		Name:    s.Name(),
		Start:   s.StartTime(),
	}
	if s.Parent().SpanID().IsValid() {
		out.ParentID = s.Parent().SpanID().String()
	}
	if end := s.EndTime(); !end.IsZero() {
		out.End, out.DurationMS = &end, milliseconds(end.Sub(s.StartTime()))
	}
	out.Attributes = make(map[string]any, len(s.Attributes()))
	for _, kv := range s.Attributes() {
		switch kv.Key {
		case keyKind:
			out.Kind = akitad.SpanKind(kv.Value.AsString())
		case keyStatus:
			out.Status = kv.Value.AsString()
		case keyMessage:
			out.Error = kv.Value.AsString()
		default:
			out.Attributes[string(kv.Key)] = kv.Value.AsInterface()
		}
	}
	return out
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// otelKind returns OpenTelemetry's kind of a span: client for a model call, internal for all others.
func otelKind(kind akitad.SpanKind) trace.SpanKind {
	if kind == akitad.SpanLLM {
		return trace.SpanKindClient
	}
	return trace.SpanKindInternal
}
