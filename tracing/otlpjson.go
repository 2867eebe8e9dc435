package tracing

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/akitad/akitad"
)

// The JSON form of OTLP's ExportTraceServiceRequest: ids in hex, 64-bit numbers as strings, enums
// as numbers.
type (
	otlpRequest struct {
		ResourceSpans []otlpResource `json:"resourceSpans"`
	}
	otlpResource struct {
		Resource struct {
			Attributes []otlpAttr `json:"attributes"`
		} `json:"resource"`
		ScopeSpans []otlpScope `json:"scopeSpans"`
	}
	otlpScope struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpSpan struct {
		TraceID    string     `json:"traceId"`
		SpanID     string     `json:"spanId"`
		ParentID   string     `json:"parentSpanId,omitempty"`
		Name       string     `json:"name"`
		Kind       int        `json:"kind"` // 1 internal, 3 client
		Start      string     `json:"startTimeUnixNano"`
		End        string     `json:"endTimeUnixNano,omitempty"`
		Attributes []otlpAttr `json:"attributes"`
		Status     otlpStatus `json:"status"`
	}
	otlpStatus struct {
		Code    int    `json:"code,omitempty"` // 0 unset, 1 ok, 2 error
		Message string `json:"message,omitempty"`
	}
	otlpAttr struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		String *string    `json:"stringValue,omitempty"`
		Bool   *bool      `json:"boolValue,omitempty"`
		Int    *string    `json:"intValue,omitempty"`
		Double *float64   `json:"doubleValue,omitempty"`
		Array  *otlpArray `json:"arrayValue,omitempty"`
	}
	otlpArray struct {
		Values []otlpValue `json:"values"`
	}
)

// OTLP returns the spans as one OTLP/JSON export request, which can be posted to a collector's /v1/traces.
// service is the name of the resource; empty means "akitad". Open spans have no end.
func OTLP(records []akitad.Span, service string) ([]byte, error) {
	var r otlpResource
	r.Resource.Attributes = []otlpAttr{{"service.name", valueOf(cmp.Or(service, "akitad"))}}
	scope := otlpScope{Spans: []otlpSpan{}}
	scope.Scope.Name = "github.com/akitad/akitad/tracing"
	for _, s := range Merge(records) {
		scope.Spans = append(scope.Spans, otlpOf(s))
	}
	r.ScopeSpans = []otlpScope{scope}
	return json.MarshalIndent(otlpRequest{[]otlpResource{r}}, "", " ")
}

// batchOf returns ended spans of the SDK as one request. They come from one tracer, so they share the resource
// and the scope.
func batchOf(spans []sdktrace.ReadOnlySpan) otlpRequest {
	var r otlpResource
	var scope otlpScope
	for _, s := range spans {
		scope.Spans = append(scope.Spans, otlpOfSDK(s))
	}
	if len(spans) > 0 {
		r.Resource.Attributes = sdkAttrs(spans[0].Resource().Attributes())
		scope.Scope.Name = spans[0].InstrumentationScope().Name
	}
	r.ScopeSpans = []otlpScope{scope}
	return otlpRequest{[]otlpResource{r}}
}

func otlpOfSDK(s sdktrace.ReadOnlySpan) otlpSpan {
	out := otlpSpan{
		TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(), Name: s.Name(), Kind: int(s.SpanKind()),
		Start: nanos(s.StartTime()), End: nanos(s.EndTime()), Attributes: sdkAttrs(s.Attributes()),
	}
	if parent := s.Parent().SpanID(); parent.IsValid() {
		out.ParentID = parent.String()
	}
	switch st := s.Status(); st.Code {
	case codes.Ok:
		out.Status.Code = 1
	case codes.Error:
		out.Status = otlpStatus{Code: 2, Message: st.Description}
	}
	return out
}

func sdkAttrs(attrs []attribute.KeyValue) []otlpAttr {
	out := make([]otlpAttr, len(attrs))
	for i, kv := range attrs {
		out[i].Key = string(kv.Key)
		if kv.Value.Type() == attribute.FLOAT64 { // keep it a float even if its value is whole
			out[i].Value.Double = new(kv.Value.AsFloat64())
			continue
		}
		out[i].Value = valueOf(kv.Value.AsInterface())
	}
	return out
}

func otlpOf(s akitad.Span) otlpSpan {
	out := otlpSpan{
		TraceID: s.TraceID, SpanID: s.SpanID, ParentID: s.ParentID, Name: s.Name, Kind: int(otelKind(s.Kind)),
		Start: nanos(s.Start), Attributes: otlpAttrs(s),
	}
	if s.End != nil {
		out.End = nanos(*s.End)
	}
	switch s.Status {
	case StatusOK:
		out.Status.Code = 1
	case StatusError:
		out.Status = otlpStatus{Code: 2, Message: s.Error}
	}
	return out
}

func otlpAttrs(s akitad.Span) []otlpAttr {
	out := []otlpAttr{{keyKind, valueOf(string(s.Kind))}}
	if s.Status != "" {
		out = append(out, otlpAttr{keyStatus, valueOf(s.Status)})
	}
	if s.Error != "" {
		out = append(out, otlpAttr{keyMessage, valueOf(s.Error)})
	}
	for _, k := range slices.Sorted(maps.Keys(s.Attributes)) {
		out = append(out, otlpAttr{k, valueOf(s.Attributes[k])})
	}
	return out
}

// valueOf writes whole numbers as integers, including those that became floats by decoding JSON.
func valueOf(v any) (out otlpValue) {
	switch v := v.(type) {
	case string:
		out.String = &v
	case bool:
		out.Bool = &v
	case int64:
		out.Int = new(strconv.FormatInt(v, 10))
	case int:
		out.Int = new(strconv.Itoa(v))
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			out.Int = new(strconv.FormatInt(int64(v), 10))
		} else {
			out.Double = &v
		}
	case []string:
		out.Array = arrayOf(v)
	case []any:
		out.Array = arrayOf(v)
	default:
		text, _ := json.Marshal(v)
		out.String = new(string(text))
	}
	return out
}

func arrayOf[T any](list []T) *otlpArray {
	out := &otlpArray{Values: make([]otlpValue, len(list))}
	for i, v := range list {
		out.Values[i] = valueOf(v)
	}
	return out
}

func nanos(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }
