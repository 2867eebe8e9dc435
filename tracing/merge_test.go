package tracing_test

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
)

var zero = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func at(ms int) time.Time   { return zero.Add(time.Duration(ms) * time.Millisecond) }
func end(ms int) *time.Time { return new(at(ms)) }

func TestMerge(t *testing.T) {
	open := akitad.Span{TraceID: "t", SpanID: "a", ParentID: "p", Name: "n", Kind: akitad.SpanTask, Start: at(0), Attributes: map[string]any{"x": 1, "y": 1}}
	ended := open
	ended.End, ended.Status, ended.Attributes = end(50), "OK", map[string]any{"x": 2}
	again := ended
	again.End, again.Status, again.Error = end(90), "ERROR", "told twice"
	bare := akitad.Span{TraceID: "t", SpanID: "a", End: end(50), Status: "OK"}

	for _, tt := range []struct {
		name    string
		records []akitad.Span
		status  string
		ms      float64
		x       any
	}{
		{"open alone stays open", []akitad.Span{open}, "", 0, 1},
		{"an end wins over an open", []akitad.Span{open, ended}, "OK", 50, 2},
		{"also when it comes first", []akitad.Span{ended, open}, "OK", 50, 2},
		{"the earliest end wins", []akitad.Span{open, ended, again}, "OK", 50, 2},
		{"also when it comes last", []akitad.Span{again, open, ended}, "OK", 50, 2},
		{"a bare end is filled from the open", []akitad.Span{bare, open}, "OK", 50, 1},
	} {
		got := tracing.Merge(tt.records)
		if len(got) != 1 {
			t.Fatalf("%s: %d spans", tt.name, len(got))
		}
		s := got[0]
		if s.Status != tt.status || s.DurationMS != tt.ms || s.Attributes["x"] != tt.x || s.Attributes["y"] == nil && len(tt.records) > 1 ||
			s.Name != "n" || s.Kind != akitad.SpanTask || s.ParentID != "p" || !s.Start.Equal(at(0)) {
			t.Errorf("%s: %+v", tt.name, s)
		}
	}
	if len(open.Attributes) != 2 || len(ended.Attributes) != 1 {
		t.Error("Merge changed its input")
	}
}

func TestMergeKeepsTracesApart(t *testing.T) {
	got := tracing.Merge([]akitad.Span{{TraceID: "t2", SpanID: "a", Start: at(5)}, {TraceID: "t1", SpanID: "a", Start: at(5)}, {TraceID: "t1", SpanID: "b", Start: at(1)}})
	if len(got) != 3 || got[0].SpanID != "b" || got[1].TraceID != "t1" || got[2].TraceID != "t2" {
		t.Errorf("Merge = %+v", got)
	}
}

// records draws what a journal of spans may hold: few ids, so that records of one span meet.
func records() *rapid.Generator[[]akitad.Span] {
	id := rapid.SampledFrom([]string{"a", "b", "c"})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) akitad.Span {
		s := akitad.Span{TraceID: rapid.SampledFrom([]string{"t", "u"}).Draw(t, "trace"), SpanID: id.Draw(t, "id"), Start: at(rapid.IntRange(0, 1).Draw(t, "start"))}
		s.ParentID = rapid.SampledFrom([]string{"", "a", "b", "c", "lost"}).Draw(t, "parent")
		if rapid.Bool().Draw(t, "ended") {
			s.End, s.Status = end(rapid.IntRange(3, 4).Draw(t, "end")), rapid.SampledFrom([]string{"OK", "ERROR"}).Draw(t, "status")
		}
		s.Attributes = map[string]any{rapid.SampledFrom([]string{"k", "l"}).Draw(t, "key"): rapid.IntRange(0, 2).Draw(t, "value")}
		return s
	}), 0, 14)
}

func asJSON(t interface{ Fatal(...any) }, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// However records reach a reader, and however often, the reader sees the same spans.
func TestMergeIgnoresOrderAndRepetition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := records().Draw(t, "records")
		want := asJSON(t, tracing.Merge(list))
		mixed := rapid.Permutation(append(append([]akitad.Span{}, list...), list...)).Draw(t, "mixed")
		if got := asJSON(t, tracing.Merge(mixed)); got != want {
			t.Fatalf("mixed and doubled:\n%s\nonce, in order:\n%s", got, want)
		}
		if got := asJSON(t, tracing.Merge(tracing.Merge(list))); got != want {
			t.Fatalf("merged twice:\n%s\nonce:\n%s", got, want)
		}
	})
}

// Every span stands in the tree exactly once, whatever the parents say: missing, circular, itself.
func TestTreeLosesNoSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := records().Draw(t, "records")
		tops := tracing.Tree(list)
		seen := map[string]int{}
		walk(tops, func(n *tracing.Node) {
			seen[n.TraceID+n.SpanID]++
			for i := 1; i < len(n.Children); i++ {
				if n.Children[i].Start.Before(n.Children[i-1].Start) {
					t.Fatalf("children out of order: %s", asJSON(t, tops))
				}
			}
			for _, c := range n.Children {
				if c.ParentID != n.SpanID && !c.Orphan || c.TraceID != n.TraceID {
					t.Fatalf("%s under %s without being its child: %s", c.SpanID, n.SpanID, asJSON(t, tops))
				}
			}
		})
		for _, s := range tracing.Merge(list) {
			if seen[s.TraceID+s.SpanID] != 1 {
				t.Fatalf("span %s%s stands %d times in %s", s.TraceID, s.SpanID, seen[s.TraceID+s.SpanID], asJSON(t, tops))
			}
		}
	})
}

// walk calls fn for every node, parents first.
func walk(nodes []*tracing.Node, fn func(*tracing.Node)) {
	for _, n := range nodes {
		fn(n)
		walk(n.Children, fn)
	}
}
