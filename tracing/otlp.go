package tracing

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

// otlp sends ended spans to a collector in batches. Its goroutine starts with the first span. The SDK's queue
// has room for 2,048 spans; when it is full, spans are dropped, so that work never waits.
type otlp struct {
	sdktrace.SpanProcessor // valid after once
	t                      *Tracer
	post                   *poster
	once                   sync.Once
	again                  *sdktrace.TracerProvider // creates recorded spans again, for replay
}

func newOTLP(t *Tracer) *otlp { return &otlp{t: t, post: newPoster(t.opts)} }

func (o *otlp) start() {
	o.once.Do(func() {
		o.SpanProcessor = sdktrace.NewBatchSpanProcessor(o.post)
		o.again = sdktrace.NewTracerProvider(append(o.t.providerOptions(), sdktrace.WithSpanProcessor(o.SpanProcessor))...)
	})
}

func (o *otlp) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

func (o *otlp) OnEnd(s sdktrace.ReadOnlySpan) {
	o.start()
	o.SpanProcessor.OnEnd(s)
}

func (o *otlp) ForceFlush(ctx context.Context) error {
	o.start()
	return o.SpanProcessor.ForceFlush(ctx)
}

func (o *otlp) Shutdown(context.Context) error { return nil } // done by close, after the last replay

func (o *otlp) close(ctx context.Context) error {
	o.start()
	defer o.post.close()
	o.post.hurry()
	return o.SpanProcessor.Shutdown(ctx)
}

// replay exports a recorded span by creating it again with its own ids and times.
func (o *otlp) replay(s akitad.Span) {
	o.start()
	ctx, ok := givenContext(s)
	if !ok {
		o.t.opts.Log.Warn("recorded span has no valid ids", zap.String("trace", s.TraceID), zap.String("span", s.SpanID))
		return
	}
	_, span := o.again.Tracer("github.com/akitad/akitad/tracing").Start(ctx, s.Name, trace.WithTimestamp(s.Start),
		trace.WithAttributes(recordedAttributes(s)...), trace.WithSpanKind(otelKind(s.Kind)))
	switch s.Status {
	case StatusError:
		span.SetStatus(codes.Error, s.Error)
	case StatusOK:
		span.SetStatus(codes.Ok, "")
	}
	span.End(trace.WithTimestamp(*s.End))
}

func givenContext(s akitad.Span) (context.Context, bool) {
	var given givenIDs
	if !decodeID(given.trace[:], s.TraceID) || !decodeID(given.span[:], s.SpanID) {
		return nil, false
	}
	ctx := context.WithValue(context.Background(), givenKey{}, given)
	var parent trace.SpanID
	if decodeID(parent[:], s.ParentID) {
		ctx = under(ctx, given.trace, parent)
	}
	return ctx, true
}

// decodeID decodes hex digits into dst; false if they do not fill dst exactly.
func decodeID(dst []byte, text string) bool {
	if len(text) != 2*len(dst) {
		return false
	}
	_, err := hex.Decode(dst, []byte(text))
	return err == nil
}

func recordedAttributes(s akitad.Span) []attribute.KeyValue {
	out := []attribute.KeyValue{attribute.String(keyKind, string(s.Kind)), attribute.String(keyStatus, s.Status)}
	if s.Error != "" {
		out = append(out, attribute.String(keyMessage, s.Error))
	}
	for _, k := range slices.Sorted(maps.Keys(s.Attributes)) {
		out = append(out, anyAttribute(k, s.Attributes[k]))
	}
	return out
}

func anyAttribute(k string, v any) attribute.KeyValue {
	switch v := v.(type) {
	case string:
		return attribute.String(k, v)
	case bool:
		return attribute.Bool(k, v)
	case int64:
		return attribute.Int64(k, v)
	case float64:
		return attribute.Float64(k, v)
	case []string:
		return attribute.StringSlice(k, v)
	}
	return attribute.String(k, fmt.Sprint(v))
}
