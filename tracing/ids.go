package tracing

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/akitad/akitad"
)

// Tasks cross processes and survive crashes, so the ids of what frames them are derived and not
// drawn: whoever knows the task knows its trace.

// TraceID gives the id of the trace that a root task and everything below it share: 32 hex digits.
func TraceID(root akitad.TaskID) string { return hex.EncodeToString(derive(16, "trace", string(root))) }

// TaskSpanID gives the id of a task's TASK span: 16 hex digits.
func TaskSpanID(task akitad.TaskID) string {
	return hex.EncodeToString(derive(8, "task", string(task)))
}

// DelegationSpanID gives the id of the DELEGATION span by which a parent sees this child: 16 hex
// digits. It is the parent of the child's TASK span.
func DelegationSpanID(child akitad.TaskID) string {
	return hex.EncodeToString(derive(8, "delegation", string(child)))
}

// derive gives n bytes of hash over the parts, never all zero (which would mean "no id").
func derive(n int, parts ...string) []byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	sum[0] |= 1
	return sum[:n]
}

// InTask gives a context whose spans stand under the task's TASK span, wherever that span was
// opened. It works on a nil Tracer too, so that the trace goes on past a process that keeps none.
func (t *Tracer) InTask(ctx context.Context, root, task akitad.TaskID) context.Context {
	return under(ctx, trace.TraceID(derive(16, "trace", string(root))), trace.SpanID(derive(8, "task", string(task))))
}

func under(ctx context.Context, traceID trace.TraceID, span trace.SpanID) context.Context {
	return trace.ContextWithRemoteSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: traceID, SpanID: span, TraceFlags: trace.FlagsSampled, Remote: true,
	}))
}

// Traceparent gives the W3C header value that names the span of ctx; "" if ctx has none.
func Traceparent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier.Get("traceparent")
}

// FromTraceparent gives a context under the span that a W3C header value names; a value that does
// not parse leaves ctx as it is.
func FromTraceparent(ctx context.Context, header string) context.Context {
	remote := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": header})
	sc := trace.SpanContextFromContext(remote)
	if !sc.IsValid() {
		return ctx
	}
	return under(ctx, sc.TraceID(), sc.SpanID())
}

// ids draws span ids at random, except where the context gives them.
type ids struct{}

type givenIDs struct {
	trace trace.TraceID
	span  trace.SpanID
}

type givenKey struct{}

func (ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	if g, ok := ctx.Value(givenKey{}).(givenIDs); ok {
		return g.trace, g.span
	}
	var id trace.TraceID
	binary.BigEndian.PutUint64(id[:8], rand.Uint64())
	binary.BigEndian.PutUint64(id[8:], rand.Uint64()|1)
	return id, randomSpanID()
}

func (ids) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	if g, ok := ctx.Value(givenKey{}).(givenIDs); ok {
		return g.span
	}
	return randomSpanID()
}

func randomSpanID() (id trace.SpanID) {
	binary.BigEndian.PutUint64(id[:], rand.Uint64()|1)
	return id
}
