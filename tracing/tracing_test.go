package tracing_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
)

var (
	root  = akitad.DeriveTaskID("test", "root")
	child = akitad.DeriveTaskID("test", "child")
)

// A span that lasts is published once while it is open, and every span when it ends.
func TestSpanIsPublishedWhileItLastsAndWhenItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m tracing.Memory
		tr := tracing.New(&m, tracing.Options{Node: "n1"})
		ctx := tr.InTask(t.Context(), root, root)
		ctx, outer := tr.Start(ctx, akitad.SpanReasoning, "round 1", tracing.Int("round", 1), tracing.Int("cap", 15))
		_, inner := tr.Start(ctx, akitad.SpanTool, "grep", tracing.String("tool", "grep"), tracing.Strings("files", []string{"a", "b"}))
		inner.Set(tracing.Float("score", 0.5), tracing.Bool("cached", true), tracing.Int("bytes", 1<<40), tracing.String("tool", "glob"))
		time.Sleep(199 * time.Millisecond)
		if rec := m.Records(); len(rec) != 0 {
			t.Errorf("published too early: %+v", rec)
		}
		time.Sleep(2 * time.Millisecond)
		_, short := tr.Start(ctx, akitad.SpanTool, "short")
		short.End(nil)
		inner.End(nil)
		outer.End(nil)

		rec := m.Records()
		if len(rec) != 5 {
			t.Fatalf("%d records, want 5: %+v", len(rec), rec)
		}
		open, end, round := rec[0], rec[3], rec[4]
		if open.Kind != akitad.SpanTool {
			open = rec[1] // both timers are due at once
		}
		if rec[2].Name != "short" || rec[2].End == nil {
			t.Errorf("a short span is published as %+v", rec[2])
		}
		if open.End != nil || open.Status != "" || open.DurationMS != 0 || open.Attributes["tool"] != "glob" {
			t.Errorf("open record = %+v", open)
		}
		if end.End == nil || end.Status != tracing.StatusOK || end.SpanID != open.SpanID || end.DurationMS < 0 {
			t.Errorf("end record = %+v", end)
		}
		want := map[string]any{"tool": "glob", "score": 0.5, "cached": true, "bytes": int64(1 << 40), "akita.node": "n1"}
		for k, v := range want {
			if end.Attributes[k] != v {
				t.Errorf("attribute %s = %v, want %v", k, end.Attributes[k], v)
			}
		}
		if fmt.Sprint(end.Attributes["files"]) != "[a b]" || len(end.Attributes) != len(want)+1 {
			t.Errorf("attributes = %v", end.Attributes)
		}
		if round.ParentID != tracing.TaskSpanID(root) || round.TraceID != tracing.TraceID(root) {
			t.Errorf("round stands under %s of %s, want %s of %s", round.ParentID, round.TraceID, tracing.TaskSpanID(root), tracing.TraceID(root))
		}
		if end.ParentID != round.SpanID || end.TraceID != round.TraceID || end.Kind != akitad.SpanTool || end.Name != "grep" {
			t.Errorf("inner = %+v, want it under %s", end, round.SpanID)
		}
	})
}

// A tracer that is closed publishes no open span any more.
func TestClosedTracerForgetsOpenSpans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m tracing.Memory
		tr := tracing.New(&m, tracing.Options{})
		_, s := tr.Start(t.Context(), akitad.SpanTool, "x")
		if err := tr.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if rec := m.Records(); len(rec) != 0 {
			t.Errorf("published %+v", rec)
		}
		s.End(nil)
	})
}

func TestEndTellsOutcomesApart(t *testing.T) {
	for _, tt := range []struct {
		err                error
		status, kind, text string
	}{
		{nil, "OK", "", ""},
		{errors.New("boom"), "ERROR", "unknown", "boom"},
		{akitad.Errorf(akitad.RateLimited, "slow down"), "ERROR", "rate_limited", "slow down"},
		{context.DeadlineExceeded, "ERROR", "timeout", "context deadline exceeded"},
		{context.Canceled, "CANCELLED", "cancelled", "context canceled"},
		{fmt.Errorf("call tool: %w", akitad.Errorf(akitad.Cancelled, "by person")), "CANCELLED", "cancelled", "call tool: by person"},
	} {
		var m tracing.Memory
		_, s := tracing.New(&m, tracing.Options{}).Start(t.Context(), akitad.SpanTool, "x")
		s.End(tt.err)
		s.End(errors.New("a second end")) // the first end counts
		s.Set(tracing.Int("late", 1))
		rec := m.Records()
		if len(rec) != 1 {
			t.Fatalf("%v: %d records, want 1", tt.err, len(rec))
		}
		got := rec[0]
		kind, _ := got.Attributes["error.type"].(string)
		if got.Status != tt.status || kind != tt.kind || got.Error != tt.text || got.Attributes["late"] != nil {
			t.Errorf("End(%v) = %s %q %q, want %s %q %q", tt.err, got.Status, kind, got.Error, tt.status, tt.kind, tt.text)
		}
	}
}

func TestNilTracerDoesNothing(t *testing.T) {
	var tr *tracing.Tracer
	ctx, s := tr.Start(t.Context(), akitad.SpanLLM, "x", tracing.Int("n", 1))
	s.Set(tracing.Int("n", 2))
	s.End(nil)
	tr.Record(ctx, akitad.Span{})
	if err := tr.Close(ctx); err != nil || ctx != t.Context() {
		t.Errorf("nil tracer: ctx changed %v, close %v", ctx != t.Context(), err)
	}
	if got := tracing.Traceparent(tr.InTask(ctx, root, child)); !strings.Contains(got, tracing.TraceID(root)) {
		t.Errorf("traceparent below a nil tracer = %q", got)
	}
}

// The parent of what happens in another process is named by the task alone.
func TestTraceGoesOnInAnotherProcess(t *testing.T) {
	var sink tracing.Memory
	far := tracing.New(&sink, tracing.Options{Node: "b"})
	_, span := far.Start(far.InTask(t.Context(), root, child), akitad.SpanReasoning, "round 1")
	span.End(nil)
	got := sink.Find(akitad.SpanReasoning)[0]
	if got.TraceID != tracing.TraceID(root) || got.ParentID != tracing.TaskSpanID(child) {
		t.Errorf("span in task = %s/%s", got.TraceID, got.ParentID)
	}
}

func TestTraceparentForm(t *testing.T) {
	if got := tracing.Traceparent(t.Context()); got != "" {
		t.Errorf("no span: %q", got)
	}
	var tr *tracing.Tracer
	want := "00-" + tracing.TraceID(root) + "-" + tracing.TaskSpanID(child) + "-01"
	if got := tracing.Traceparent(tr.InTask(t.Context(), root, child)); got != want {
		t.Errorf("traceparent = %q, want %q", got, want)
	}
}

func TestDerivedIDsAreStableAndDiffer(t *testing.T) {
	ids := []string{tracing.TraceID(root), tracing.TraceID(child), tracing.TaskSpanID(root), tracing.TaskSpanID(child), tracing.DelegationSpanID(root), tracing.DelegationSpanID(child)}
	seen := map[string]bool{}
	for i, id := range ids {
		if want := map[bool]int{true: 32, false: 16}[i < 2]; len(id) != want || seen[id] {
			t.Errorf("id %d = %q: length %d, want %d, or seen before", i, id, len(id), want)
		}
		seen[id] = true
	}
	// Traces of older nodes are read by newer ones: these values are part of what is stored.
	if got := tracing.TraceID("t_aaaaaaaaaaaaaaaaaaaaaaaa") + " " + tracing.TaskSpanID("t_aaaaaaaaaaaaaaaaaaaaaaaa") + " " + tracing.DelegationSpanID("t_aaaaaaaaaaaaaaaaaaaaaaaa"); got != "05ca81498da72e8bf194623040dd6241 f708bd03204d6a9d 8f8776181b15608f" {
		t.Errorf("derived ids changed: %s", got)
	}
}

// A task's span is opened by one process and ended by another, with ids that both derive.
func TestRecordPublishesAsGiven(t *testing.T) {
	var m tracing.Memory
	start := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	end := start.Add(1500 * time.Millisecond)
	attrs := map[string]any{"task": string(root), "depth": 0}
	s := akitad.Span{TraceID: tracing.TraceID(root), SpanID: tracing.TaskSpanID(root), Name: "assistant", Kind: akitad.SpanTask, Start: start, Attributes: attrs}
	tracing.New(&m, tracing.Options{Node: "a"}).Record(t.Context(), s)
	s.End, s.Status = &end, tracing.StatusOK
	s.Attributes = map[string]any{"state": "completed", "akita.node": "worker", "bad": math.Inf(1)}
	tracing.New(&m, tracing.Options{Node: "b"}).Record(t.Context(), s)

	if len(attrs) != 2 {
		t.Errorf("the caller's attributes changed: %v", attrs)
	}
	got := m.Spans()
	if len(got) != 1 {
		t.Fatalf("spans = %+v", got)
	}
	g := got[0]
	if g.DurationMS != 1500 || g.Status != "OK" || !g.Start.Equal(start) || g.SpanID != tracing.TaskSpanID(root) {
		t.Errorf("merged = %+v", g)
	}
	want := "map[akita.node:worker bad:+Inf depth:0 state:completed task:" + string(root) + "]"
	if fmt.Sprint(g.Attributes) != want {
		t.Errorf("attributes = %v, want %s", g.Attributes, want)
	}
}

func TestSecretsDoNotLeave(t *testing.T) {
	var m tracing.Memory
	hide := func(s string) string { return strings.ReplaceAll(s, "s3cret", "[hidden]") }
	tr := tracing.New(&m, tracing.Options{Redact: hide})
	_, s := tr.Start(t.Context(), akitad.SpanTool, "get s3cret", tracing.String("url", "http://s3cret/"), tracing.Strings("l", []string{"s3cret"}))
	s.Set(tracing.String("more", "s3cret"))
	s.End(errors.New("no s3cret"))
	now := time.Now()
	tr.Record(t.Context(), akitad.Span{Name: "s3cret", Error: "s3cret", Start: now, End: &now, Attributes: map[string]any{"a": "s3cret", "b": []string{"s3cret"}}})
	if got := fmt.Sprintf("%+v", m.Records()); strings.Contains(got, "s3cret") || strings.Count(got, "[hidden]") != 9 {
		t.Errorf("%d hidden, want 9: %s", strings.Count(got, "[hidden]"), got)
	}
}

func TestTextsAreBoundedUTF8(t *testing.T) {
	var m tracing.Memory
	_, s := tracing.New(&m, tracing.Options{}).Start(t.Context(), akitad.SpanTool, "x",
		tracing.String("long", strings.Repeat("汉", 10_000)), tracing.String("broken", "a\xffb"))
	s.End(errors.New(strings.Repeat("e", 10_000)))
	for _, r := range m.Records() {
		long := r.Attributes["long"].(string)
		if utf8.RuneCountInString(long) != 4096 || !strings.HasSuffix(long, "汉…") || r.Attributes["broken"] != "a\uFFFDb" || len(r.Error) > 4100 {
			t.Errorf("long %d runes, broken %q, error %d", utf8.RuneCountInString(long), r.Attributes["broken"], len(r.Error))
		}
	}
}

type brokenSink struct {
	asked     int
	sawCancel bool
}

func (b *brokenSink) Span(ctx context.Context, _ akitad.Span) error {
	b.asked++
	b.sawCancel = b.sawCancel || ctx.Err() != nil
	if _, bounded := ctx.Deadline(); !bounded {
		return errors.New("unbounded")
	}
	return errors.New("no space")
}

func TestBrokenSinkIsHarmless(t *testing.T) {
	sink := &brokenSink{}
	tr := tracing.New(sink, tracing.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, s := tr.Start(ctx, akitad.SpanTool, "x")
	s.End(ctx.Err())
	tr.Record(ctx, akitad.Span{})
	if sink.asked != 2 || sink.sawCancel {
		t.Errorf("the sink was given %d records, want 2; it saw the task's cancel: %v", sink.asked, sink.sawCancel)
	}
	_, s = tracing.New(nil, tracing.Options{}).Start(t.Context(), akitad.SpanTool, "x")
	s.End(nil)
}

func TestSpansOfManyGoroutines(t *testing.T) {
	var m tracing.Memory
	tr := tracing.New(&m, tracing.Options{})
	ctx, batch := tr.Start(tr.InTask(t.Context(), root, root), akitad.SpanToolBatch, "batch")
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			_, s := tr.Start(ctx, akitad.SpanTool, "t", tracing.Int("i", i))
			s.Set(tracing.Int("bytes", i))
			s.End(nil)
			batch.Set(tracing.Int("seen", i))
		})
	}
	wg.Wait()
	batch.End(nil)
	parent := m.Find(akitad.SpanToolBatch)[0].SpanID
	seen := map[any]bool{}
	for _, s := range m.Find(akitad.SpanTool) {
		if s.ParentID != parent || s.End == nil {
			t.Errorf("span = %+v, want it ended under %s", s, parent)
		}
		seen[s.Attributes["i"]] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d spans, want 50", len(seen))
	}
}

func BenchmarkSpan(b *testing.B) {
	tr := tracing.New(discard{}, tracing.Options{Node: "n1"})
	ctx := tr.InTask(b.Context(), root, root)
	b.ReportAllocs()
	for b.Loop() {
		_, s := tr.Start(ctx, akitad.SpanTool, "read_file", tracing.String("tool", "read_file"), tracing.String("args_digest", "x"))
		s.Set(tracing.Int("bytes", 512), tracing.String("outcome", "ok"))
		s.End(nil)
	}
}

type discard struct{}

func (discard) Span(context.Context, akitad.Span) error { return nil }
