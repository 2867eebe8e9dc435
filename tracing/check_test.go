package tracing_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
)

func TestCheckNamesWhatIsWrong(t *testing.T) {
	good := akitad.Span{
		TraceID: strings.Repeat("a", 32), SpanID: strings.Repeat("b", 16), ParentID: strings.Repeat("c", 16), Name: "grep", Kind: akitad.SpanTool,
		Start: at(0), End: end(5), Status: "OK", Attributes: map[string]any{"tool": "grep", "args_digest": "x", "outcome": "ok", "bytes": 1},
	}
	for _, tt := range []struct {
		name   string
		change func(*akitad.Span)
		want   string
	}{
		{"good", func(*akitad.Span) {}, ""},
		{"open needs no outcome", func(s *akitad.Span) { s.End, s.Status = nil, ""; delete(s.Attributes, "outcome") }, ""},
		{"failed needs no size", func(s *akitad.Span) { s.Status = "ERROR"; delete(s.Attributes, "bytes") }, ""},
		{"failed needs an outcome", func(s *akitad.Span) { s.Status = "ERROR"; delete(s.Attributes, "outcome") }, "no attribute outcome"},
		{"missing", func(s *akitad.Span) { clear(s.Attributes) }, "no attribute tool, no attribute args_digest, no attribute outcome, no attribute bytes"},
		{"kind", func(s *akitad.Span) { s.Kind = "STEP" }, `unknown kind "STEP"`},
		{"no parent", func(s *akitad.Span) { s.ParentID = "" }, "no parent"},
		{"ids", func(s *akitad.Span) { s.SpanID = "1" }, "bad ids"},
		{"name", func(s *akitad.Span) { s.Name = "" }, "no name or start"},
		{"start", func(s *akitad.Span) { s.Start = time.Time{} }, "no name or start"},
		{"open with status", func(s *akitad.Span) { s.End = nil }, `status "OK"`},
		{"ended without status", func(s *akitad.Span) { s.Status = "" }, `status ""`},
		{"backwards", func(s *akitad.Span) { s.End = end(-1) }, "ends before it starts"},
	} {
		s := good
		s.Attributes = maps.Clone(good.Attributes)
		tt.change(&s)
		err := tracing.Check(s)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestEveryKindHasAContract(t *testing.T) {
	for _, kind := range akitad.SpanKinds {
		err := tracing.Check(akitad.Span{Kind: kind, Name: "x", Start: at(0), End: end(1), Status: "OK", TraceID: strings.Repeat("a", 32), SpanID: strings.Repeat("b", 16), ParentID: strings.Repeat("c", 16)})
		if err == nil || !strings.Contains(err.Error(), "no attribute ") {
			t.Errorf("%s asks for no attribute: %v", kind, err)
		}
	}
}
