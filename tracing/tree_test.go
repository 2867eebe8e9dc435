package tracing_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
)

// story is a small whole trace: a root task that plans, delegates to two children in parallel on
// other nodes (one fails over to the next endpoint, one is still open), with a lost parent.
func story() []akitad.Span {
	trace := tracing.TraceID("t_root")
	n := 0
	var out []akitad.Span
	add := func(kind akitad.SpanKind, id, parent, name string, from, to int, err error, attrs map[string]any) {
		n++
		s := akitad.Span{TraceID: trace, SpanID: id, ParentID: parent, Name: name, Kind: kind, Start: at(from), Attributes: attrs}
		if to >= 0 {
			s.End, s.DurationMS, s.Status = end(to), float64(to-from), tracing.StatusOf(err)
			if err != nil {
				s.Error = err.Error()
			}
		}
		out = append(out, s)
	}
	id := func(i int) string { return fmt.Sprintf("%016x", i) }
	root, one, two := tracing.TaskSpanID("t_root"), tracing.TaskSpanID("t_one"), tracing.TaskSpanID("t_two")
	add(akitad.SpanTask, root, "", "which services failed 哪些服务失败了", 0, 65_400, nil, map[string]any{"task": "t_root", "depth": 0, "profile": "assistant", "state": "completed", "rounds": 2, "akita.instance": "i-7", "akita.node": "n1"})
	add(akitad.SpanPrompt, id(1), root, "compile", 0, 12, nil, map[string]any{"source": "twin", "warnings": 0})
	add(akitad.SpanDecision, id(2), root, "split", 12, 13, nil, map[string]any{"type": "split", "options": []any{"split", "one agent"}, "choice": "split", "reason": "two files"})
	add(akitad.SpanDelegation, tracing.DelegationSpanID("t_one"), root, "analyst", 20, 1_200, nil, map[string]any{"from": "assistant", "to": "analyst", "depth": 1, "task": "t_one"})
	add(akitad.SpanTask, one, tracing.DelegationSpanID("t_one"), "read a.log", 25, 1_190, nil, map[string]any{"task": "t_one", "depth": 1, "profile": "analyst", "state": "completed", "rounds": 1, "akita.instance": "i-8", "akita.node": "n2"})
	add(akitad.SpanReasoning, id(5), one, "round 1", 30, 1_100, nil, map[string]any{"round": 1, "cap": 30})
	add(akitad.SpanContext, id(6), id(5), "window", 30, 31, nil, map[string]any{"tokens_before": 900, "tokens_after": 900, "budget": 100000, "stage": 0, "masked": 0})
	add(akitad.SpanLLM, id(7), id(5), "main", 31, 400, akitad.Errorf(akitad.Overloaded, "503 from a"), map[string]any{"gen_ai.request.model": "m", "role": "main", "endpoint": "a", "attempt": 1})
	add(akitad.SpanLLM, id(8), id(5), "main", 410, 900, nil, map[string]any{"gen_ai.request.model": "m", "role": "main", "endpoint": "b", "attempt": 1, "gen_ai.usage.input_tokens": 900.0, "gen_ai.usage.cache_read.input_tokens": 800.0, "gen_ai.usage.output_tokens": 20.0, "first_byte_ms": 35.5})
	add(akitad.SpanToolBatch, id(9), id(5), "2 calls", 900, 1_000, nil, map[string]any{"calls": 2, "parallel": true})
	add(akitad.SpanTool, id(10), id(9), "read_file", 900, 950, nil, map[string]any{"tool": "read_file", "args_digest": "ab12", "outcome": "ok", "bytes": 2048})
	add(akitad.SpanTool, id(11), id(9), "grep\x1b[31m", 901, 1_000, akitad.Errorf(akitad.Timeout, "no answer\nin 10 s"), map[string]any{"tool": "grep", "args_digest": "cd34", "outcome": "error"})
	add(akitad.SpanDelegation, tracing.DelegationSpanID("t_two"), root, "analyst", 21, -1, nil, map[string]any{"from": "assistant", "to": "analyst", "depth": 1, "task": "t_two"})
	add(akitad.SpanTask, two, tracing.DelegationSpanID("t_two"), "read b.log", 26, -1, nil, map[string]any{"task": "t_two", "depth": 1})
	add(akitad.SpanMemory, id(12), two, "recall", 40, 40, akitad.Errorf(akitad.Cancelled, "stopped"), map[string]any{"operation": "recall"})
	add(akitad.SpanSupervision, id(13), id(99), "rounds", 50, 51, nil, map[string]any{"pattern": "rounds", "level": "nudge", "action": "warned"})
	return out
}

func TestStoryIsByContract(t *testing.T) {
	for _, s := range story() {
		if err := tracing.Check(s); err != nil {
			t.Error(err)
		}
	}
}

func TestRender(t *testing.T) {
	for name, opts := range map[string]tracing.RenderOptions{"tree.txt": {}, "tree-all.txt": {All: true}, "tree-color.txt": {Color: true}} {
		var out bytes.Buffer
		if err := tracing.Render(&out, tracing.Tree(story()), opts); err != nil {
			t.Fatal(err)
		}
		golden(t, name, out.Bytes())
	}
}

func TestExports(t *testing.T) {
	for name, export := range map[string]func([]akitad.Span) ([]byte, error){
		"tree.json":   tracing.JSONTree,
		"spans.jsonl": tracing.JSONL,
		"chrome.json": tracing.ChromeTrace,
		"otlp.json":   func(s []akitad.Span) ([]byte, error) { return tracing.OTLP(s, "") },
	} {
		got, err := export(story())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		golden(t, name, got)
		if none, err := export(nil); err != nil || name != "spans.jsonl" && !json.Valid(none) || strings.Contains(string(none), "null") {
			t.Errorf("%s of nothing: %q, %v", name, none, err)
		}
	}
}

// The protocol's own Go types read what we write.
func TestOTLPJSONIsTheProtocolsForm(t *testing.T) {
	text, err := tracing.OTLP(story(), "svc")
	if err != nil {
		t.Fatal(err)
	}
	var req coltrace.ExportTraceServiceRequest
	if err := protojson.Unmarshal(text, &req); err != nil {
		t.Fatal(err)
	}
	spans := req.ResourceSpans[0].ScopeSpans[0].Spans
	if len(spans) != len(story()) || req.ResourceSpans[0].Resource.Attributes[0].Value.GetStringValue() != "svc" {
		t.Fatalf("%d spans of %v", len(spans), req.ResourceSpans[0].Resource)
	}
	isRoot := func(s *tracepb.Span) bool { return len(s.ParentSpanId) == 0 }
	if s := spans[slices.IndexFunc(spans, isRoot)]; s.StartTimeUnixNano != uint64(at(0).UnixNano()) || s.EndTimeUnixNano != uint64(at(65_400).UnixNano()) || s.Status.Code != 1 {
		t.Errorf("root = %v", s)
	}
}

// In a viewer, two events of one lane either stand apart or one inside the other.
func TestChromeLanesNest(t *testing.T) {
	text, err := tracing.ChromeTrace(story())
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []struct {
			Name    string
			Ph      string
			TS, Dur int64
			TID     int
		}
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.TraceEvents) != len(story()) {
		t.Fatalf("%v, %d events", err, len(file.TraceEvents))
	}
	for i, a := range file.TraceEvents {
		for _, b := range file.TraceEvents[i+1:] {
			if a.TID != b.TID || a.Ph != "X" || b.Ph != "X" {
				continue
			}
			apart := b.TS >= a.TS+a.Dur || a.TS >= b.TS+b.Dur
			if !apart && b.TS+b.Dur > a.TS+a.Dur {
				t.Errorf("%q and %q cross in lane %d", a.Name, b.Name, a.TID)
			}
		}
	}
}
