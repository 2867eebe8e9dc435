// Package tracing records spans of the twelve kinds with the OpenTelemetry SDK, and turns recorded spans into
// trees and export formats. It stores nothing itself (a Sink does), and starts no goroutine besides the
// optional OTLP exporter.
package tracing

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdkresource "go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

// sinkTimeout limits one call of a Sink, so that a broken store slows work down but never stops it.
const sinkTimeout = 2 * time.Second

// Sink keeps spans. It gets each span when it ends, and one that lasts also once it has been open for
// 200 ms (then End is nil). The call at the end comes from the goroutine that does the traced work, so
// a Sink must be quick; its context outlives a cancelled task and ends after 2 s. An error is
// logged, never passed on to the work.
type Sink interface {
	Span(ctx context.Context, s akitad.Span) error
}

// Options are what a Tracer may be told; the zero value works.
type Options struct {
	Service string              // service.name of exported spans; default "akitad"
	Node    string              // attribute akita.node of every span
	OTLP    string              // URL of an OTLP/HTTP endpoint to which ended spans are sent as well; empty means none
	HTTP    *http.Client        // client for OTLP; default a client on the standard transport
	Redact  func(string) string // removes secrets from names, text attributes and errors
	Log     *zap.Logger         // default silent
}

// Tracer opens spans and passes them to its sink. A nil Tracer does nothing.
type Tracer struct {
	sink     Sink
	opts     Options
	provider *sdktrace.TracerProvider
	otel     trace.Tracer
	otlp     *otlp // nil without an endpoint
}

// New returns a tracer that publishes to sink; with a nil sink, spans are dropped. Nothing runs until the
// first span ends. The caller must close the tracer.
func New(sink Sink, opts Options) *Tracer {
	opts.Service = cmp.Or(opts.Service, "akitad")
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	if opts.Redact == nil {
		opts.Redact = func(s string) string { return s }
	}
	t := &Tracer{sink: sink, opts: opts}
	options := t.providerOptions()
	if opts.OTLP != "" {
		t.otlp = newOTLP(t)
		options = append(options, sdktrace.WithSpanProcessor(t.otlp))
	}
	t.provider = sdktrace.NewTracerProvider(append(options, sdktrace.WithSpanProcessor(&publisher{t: t}))...)
	t.otel = t.provider.Tracer("github.com/akitad/akitad/tracing")
	return t
}

func (t *Tracer) providerOptions() []sdktrace.TracerProviderOption {
	res := sdkresource.NewSchemaless(toOtel([]Attr{String("service.name", t.opts.Service), String("service.instance.id", t.opts.Node)})...)
	limits := sdktrace.NewSpanLimits()
	limits.AttributeValueLengthLimit = maxText
	return []sdktrace.TracerProviderOption{
		sdktrace.WithSampler(sdktrace.AlwaysSample()),
		sdktrace.WithIDGenerator(ids{}),
		sdktrace.WithResource(res),
		sdktrace.WithRawSpanLimits(limits),
	}
}

// Close flushes the OTLP exporter until ctx ends. Spans that end later are lost.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	err := t.provider.Shutdown(ctx)
	if t.otlp != nil {
		err = errors.Join(err, t.otlp.close(ctx))
	}
	return err
}

// Start opens a span under the span of ctx, or as the root of a new trace. Work that belongs to the span must
// use the returned context. The caller must End the span.
func (t *Tracer) Start(ctx context.Context, kind akitad.SpanKind, name string, attrs ...Attr) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	all := append(t.own(kind), t.redacted(attrs)...) // the caller's value of a key wins
	ctx, s := t.otel.Start(ctx, t.opts.Redact(name), trace.WithAttributes(all...), trace.WithSpanKind(otelKind(kind)))
	return ctx, &Span{otel: s, tracer: t}
}

// own returns the attributes that the tracer itself adds to a span.
func (t *Tracer) own(kind akitad.SpanKind) []attribute.KeyValue {
	out := []attribute.KeyValue{attribute.String(keyKind, string(kind))}
	if t.opts.Node != "" {
		out = append(out, attribute.String(KeyNode, t.opts.Node))
	}
	return out
}

// Record publishes s, without secrets, and exports it if it has ended. It is for a span that one process opens
// and another one ends (a task, a delegation). The caller sets all ids.
func (t *Tracer) Record(ctx context.Context, s akitad.Span) {
	if t == nil {
		return
	}
	s = t.clean(s)
	t.publish(context.WithoutCancel(ctx), s)
	if t.otlp != nil && s.End != nil {
		t.otlp.replay(s)
	}
}

// publish passes one record to the sink.
func (t *Tracer) publish(ctx context.Context, s akitad.Span) {
	if t.sink == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sinkTimeout)
	defer cancel()
	if err := t.sink.Span(ctx, s); err != nil {
		t.opts.Log.Warn("span was not kept", zap.String("span", s.SpanID), zap.String("kind", string(s.Kind)), zap.Error(err))
	}
}
