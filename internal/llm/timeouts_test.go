package llm_test

import (
	"context"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// slowly gives a byte each time it is read, after a pause.
type slowly struct{ pause time.Duration }

func (s slowly) Read(p []byte) (int, error) {
	time.Sleep(s.pause)
	p[0] = 'x'
	return 1, nil
}

func TestWatch(t *testing.T) {
	connect := func(ctx context.Context) { httptrace.ContextClientTrace(ctx).GotConn(httptrace.GotConnInfo{}) }
	for _, tt := range []struct {
		name      string
		streaming bool
		act       func(context.Context, *llm.Watch)
		after     time.Duration
		says      string
		raise     string
	}{
		{"no connection", true, func(context.Context, *llm.Watch) {}, 10 * time.Second, "no connection within 10s", "connect"},
		{"no first byte", true, func(ctx context.Context, _ *llm.Watch) { connect(ctx) }, 30 * time.Second, "no answer within 30s", "first_byte"},
		{"silence in the stream", true, func(ctx context.Context, w *llm.Watch) {
			connect(ctx)
			body := w.Body(slowly{20 * time.Second})
			for range 10 {
				_, _ = body.Read(make([]byte, 1))
			}
		}, 260 * time.Second, "silent: nothing within 1m0s", "idle"},
		{"no end after the finish", true, func(ctx context.Context, w *llm.Watch) { connect(ctx); w.Finish() }, 5 * time.Second, "no end of the stream within 5s", ""},
		{"not streaming", false, func(ctx context.Context, w *llm.Watch) {
			connect(ctx)
			_, _ = w.Body(slowly{100 * time.Second}).Read(make([]byte, 1))
		}, 120 * time.Second, "no complete answer within 2m0s", "whole"},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			ctx, w := llm.Timeouts{}.Watch(t.Context(), tt.streaming)
			defer w.Stop()
			tt.act(ctx, w)
			<-ctx.Done()
			cause := context.Cause(ctx)
			if took := time.Since(start); took != tt.after || akitad.KindOf(cause) != akitad.Timeout || !strings.Contains(cause.Error(), tt.says) {
				t.Errorf("%s: after %v: %v; want %q after %v", tt.name, took, cause, tt.says, tt.after)
			}
			if hint := akitad.FailureOf(cause).Hint; tt.raise == "" && hint != "" || tt.raise != "" && !strings.HasSuffix(hint, "raise "+tt.raise+" of this endpoint") {
				t.Errorf("%s: hint %q", tt.name, hint)
			}
		})
	}
}

func TestWatchMeasuresTheFirstByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := llm.Timeouts{}.Watch(t.Context(), true)
		defer w.Stop()
		if w.FirstByte() != 0 {
			t.Error("a first byte before any")
		}
		body := w.Body(slowly{time.Second})
		for range 3 {
			_, _ = body.Read(make([]byte, 1))
		}
		if got := w.FirstByte(); got != time.Second {
			t.Errorf("first byte after %v", got)
		}
	})
}
