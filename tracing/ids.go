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

// Tasks move between processes and survive crashes, so the ids of their traces and of the TASK and
// DELEGATION spans are derived from the task's id and not random.

// TraceID returns the id of the trace of a root task and all tasks below it: 32 hex digits.
func TraceID(root akitad.TaskID) string { return hex.EncodeToString(derive(16, "trace", string(root))) }

// TaskSpanID returns the id of a task's TASK span: 16 hex digits.
func TaskSpanID(task akitad.TaskID) string {
	return hex.EncodeToString(derive(8, "task", string(task)))
}

// DelegationSpanID returns the id of the DELEGATION span of a child, which is the parent of the child's TASK
// span: 16 hex digits.
func DelegationSpanID(child akitad.TaskID) string {
	return hex.EncodeToString(derive(8, "delegation", string(child)))
}

// derive returns n bytes of a hash of the parts. They are never all zero, which would mean "no id".
func derive(n int, parts ...string) []byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	sum[0] |= 1
	return sum[:n]
}

// InTask returns a context whose spans are children of the task's TASK span, in whichever process that span
// was opened. It also works on a nil Tracer, so that a process without tracing passes the trace on.
func (t *Tracer) InTask(ctx context.Context, root, task akitad.TaskID) context.Context {
	return under(ctx, trace.TraceID(derive(16, "trace", string(root))), trace.SpanID(derive(8, "task", string(task))))
}

func under(ctx context.Context, traceID trace.TraceID, span trace.SpanID) context.Context {
	return trace.ContextWithRemoteSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: traceID, SpanID: span, TraceFlags: trace.FlagsSampled, Remote: true,
	}))
}

// Traceparent returns the W3C header value for the span of ctx, "" if ctx has none.
func Traceparent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier.Get("traceparent")
}

// ids generates random span ids, unless the context has given ones.
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
