package bus_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
)

func spans(t testing.TB, b *bus.Bus, trace string) (got []string) {
	t.Helper()
	must(t, b.ReadSpans(within(t), trace, func(body []byte) error { got = append(got, string(body)); return nil }))
	return got
}

// TestSpansSurviveClose publishes more than may be unanswered at once, and closes at once.
func TestSpansSurviveClose(t *testing.T) {
	dir := t.TempDir()
	b := bustest.Open(t, bus.Options{Dir: dir})
	const n = 5000
	for i := range n {
		must(t, b.PublishSpan(t.Context(), "trace-1", fmt.Append(nil, i)))
	}
	must(t, b.PublishSpan(t.Context(), "trace-2", []byte("other")))
	bustest.Close(t, b)
	b = bustest.Open(t, bus.Options{Dir: dir})
	got := spans(t, b, "trace-1")
	if len(got) != n {
		t.Fatalf("%d spans, want %d", len(got), n)
	}
	for i, body := range got {
		if body != fmt.Sprint(i) {
			t.Fatalf("span %d is %q", i, body)
		}
	}
	if got := spans(t, b, "trace-2"); len(got) != 1 {
		t.Errorf("the other trace has %q", got)
	}
	if got := spans(t, b, "trace-3"); got != nil {
		t.Errorf("an unknown trace has %q", got)
	}
}

func TestSpanFlushAndErrors(t *testing.T) {
	b := bustest.New(t)
	must(t, b.FlushSpans(within(t)))
	must(t, b.PublishSpan(t.Context(), "trace", []byte("1")))
	must(t, b.FlushSpans(within(t)))
	if got := spans(t, b, "trace"); len(got) != 1 {
		t.Errorf("after a flush there is %q", got)
	}
	enough := errors.New("enough")
	if err := b.ReadSpans(within(t), "trace", func([]byte) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("read ends with %v", err)
	}
	wantKind(t, b.PublishSpan(t.Context(), "a.b", nil), akitad.InvalidRequest)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantKind(t, b.PublishSpan(ctx, "trace", nil), akitad.Cancelled)
	wantKind(t, b.PublishSpan(t.Context(), "trace", make([]byte, 2<<20)), akitad.InvalidRequest)
}
