package tool_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// failing gives a tool that fails with the errors in turn (the last for ever) and counts its calls.
func failing(info tool.Info, calls *int, errs ...error) tool.Tool {
	return fake{info, func(context.Context, tool.Input) (tool.Result, error) {
		err := errs[min(*calls, len(errs)-1)]
		*calls++
		return tool.Result{Text: "ok"}, err
	}}
}

func fails(kind akitad.Kind) error { return akitad.Errorf(kind, "it failed") }

func TestTimeout(t *testing.T) {
	heedful := func(ctx context.Context, _ tool.Input) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	}
	heedless := func(context.Context, tool.Input) (tool.Result, error) {
		time.Sleep(time.Hour)
		return tool.Result{Text: "late"}, nil
	}
	telling := func(ctx context.Context, _ tool.Input) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, akitad.Errorf(akitad.Timeout, "output so far: 3 lines")
	}
	finishing := func(ctx context.Context, _ tool.Input) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{Text: "just in time"}, nil
	}
	for _, tt := range []struct {
		name  string
		limit time.Duration
		call  func(context.Context, tool.Input) (tool.Result, error)
		took  time.Duration
		want  string
	}{
		{"heedful", 30 * time.Second, heedful, 30 * time.Second, "t took longer than 30s and was stopped"},
		{"heedful by default", 0, heedful, 10 * time.Second, "t took longer than 10s and was stopped"},
		{"heedless", 5 * time.Second, heedless, 6 * time.Second, "t took longer than 5s and was stopped"},
		{"telling", time.Second, telling, time.Second, "output so far: 3 lines"},
		{"finishing", time.Second, finishing, time.Second, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				r, err := tool.WithTimeout(fake{tool.Info{Name: "t", Timeout: tt.limit}, tt.call}).Call(t.Context(), tool.Input{})
				if took := time.Since(begun); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				time.Sleep(2 * time.Hour) // the one left behind comes to its end
				if tt.want == "" {
					if err != nil || r.Text != "just in time" {
						t.Errorf("%v, %v", r, err)
					}
					return
				}
				if akitad.KindOf(err) != akitad.Timeout || err.Error() != tt.want {
					t.Errorf("%v (%s), want %s", err, akitad.KindOf(err), tt.want)
				}
			})
		})
	}
}

func TestCancelEndsACallThatPaysNoHeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errors.New("the person said stop")) })
		sleeper := fake{tool.Info{Name: "t"}, func(context.Context, tool.Input) (tool.Result, error) {
			time.Sleep(time.Hour)
			return tool.Result{}, nil
		}}
		begun := time.Now()
		_, err := tool.Wrap(sleeper, tool.Options{}).Call(ctx, tool.Input{})
		if akitad.KindOf(err) != akitad.Cancelled || !strings.Contains(err.Error(), "the person said stop") {
			t.Errorf("%v (%s)", err, akitad.KindOf(err))
		}
		if took := time.Since(begun); took != 2*time.Second {
			t.Errorf("took %v", took)
		}
		time.Sleep(2 * time.Hour)
	})
}

func TestRetry(t *testing.T) {
	for _, tt := range []struct {
		name  string
		info  tool.Info
		errs  []error
		calls int
		want  akitad.Kind
	}{
		{"readonly, once", tool.Info{Readonly: true}, []error{fails(akitad.Transport), nil}, 2, ""},
		{"idempotent, twice", tool.Info{Idempotent: true}, []error{fails(akitad.Timeout), fails(akitad.RateLimited), nil}, 3, ""},
		{"for ever", tool.Info{Readonly: true}, []error{fails(akitad.Overloaded)}, 3, akitad.Overloaded},
		{"permanent", tool.Info{Readonly: true}, []error{fails(akitad.NotFound)}, 1, akitad.NotFound},
		{"with effects", tool.Info{}, []error{fails(akitad.Timeout)}, 1, akitad.Timeout},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				_, err := tool.WithRetry(failing(tt.info, &calls, tt.errs...)).Call(t.Context(), tool.Input{})
				if calls != tt.calls || akitad.KindOf(err) != tt.want {
					t.Errorf("%d calls, %v; want %d, %s", calls, err, tt.calls, tt.want)
				}
			})
		})
	}
}

func TestRetryStopsAtCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		calls := 0
		_, err := tool.WithRetry(failing(tool.Info{Readonly: true}, &calls, fails(akitad.Transport))).Call(ctx, tool.Input{})
		if calls != 1 || akitad.KindOf(err) != akitad.Transport {
			t.Errorf("%d calls, %v", calls, err)
		}
	})
}

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, errs := 0, []error{fails(akitad.ToolFailed)}
		b := tool.WithBreaker(fake{tool.Info{Name: "t"}, func(context.Context, tool.Input) (tool.Result, error) {
			calls++
			return tool.Result{}, errs[0]
		}})
		expect := func(what string, wantCalls int, want akitad.Kind) {
			t.Helper()
			_, err := b.Call(t.Context(), tool.Input{})
			if akitad.KindOf(err) != want || calls != wantCalls {
				t.Errorf("%s: %v after %d calls, want %q after %d", what, err, calls, want, wantCalls)
			}
		}
		for i := range 5 {
			expect("failing", i+1, akitad.ToolFailed)
		}
		expect("open", 5, akitad.Unavailable)
		time.Sleep(59 * time.Second)
		expect("still open", 5, akitad.Unavailable)
		time.Sleep(2 * time.Second)
		expect("half open and failing", 6, akitad.ToolFailed)
		expect("open again", 6, akitad.Unavailable)
		time.Sleep(61 * time.Second)
		errs[0] = fails(akitad.InvalidRequest)
		expect("half open, bad arguments", 7, akitad.InvalidRequest)
		errs[0] = nil
		expect("half open and well", 8, "")
		expect("closed", 9, "")
	})
}

// The rest of a tool and its end are on record in the task whose call brought them about, once each.
func TestTheBreakerIsOnRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := &tracing.Memory{}
		tracer := tracing.New(mem, tracing.Options{})
		ctx := tracer.InTask(t.Context(), "t_aaaaaaaaaaaaaaaaaaaaaaaa", "t_aaaaaaaaaaaaaaaaaaaaaaaa")
		errs := []error{fails(akitad.ToolFailed), fails(akitad.ToolFailed), fails(akitad.ToolFailed), fails(akitad.ToolFailed), fails(akitad.ToolFailed), nil}
		calls := 0
		w := tool.Wrap(failing(tool.Info{Name: "t"}, &calls, errs...), tool.Options{Tracer: tracer})
		for range 8 {
			_, _ = w.Call(ctx, tool.Input{})
		}
		time.Sleep(61 * time.Second)
		for range 2 {
			if _, err := w.Call(ctx, tool.Input{}); err != nil {
				t.Error(err)
			}
		}
		if err := tracer.Close(ctx); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range mem.Find(akitad.SpanSupervision) {
			if err := tracing.Check(s); err != nil {
				t.Error(err)
			}
			got = append(got, fmt.Sprint(s.Attributes["tool"], " ", s.Attributes["action"]))
		}
		if slices.Sort(got); !slices.Equal(got, []string{"t rest", "t resume"}) {
			t.Errorf("on record: %q", got)
		}
	})
}

func TestBreakerCountsOnlyTheToolsOwnFailures(t *testing.T) {
	full := &akitad.Error{Kind: akitad.ToolFailed, Op: "write", Err: syscall.ENOSPC} // is the disk's
	for _, fault := range []error{fails(akitad.InvalidRequest), fails(akitad.NotFound), fails(akitad.PermissionDenied), fails(akitad.Cancelled), full} {
		calls := 0
		b := tool.WithBreaker(failing(tool.Info{Name: "t"}, &calls, fault))
		for range 20 {
			if _, err := b.Call(t.Context(), tool.Input{}); !errors.Is(err, fault) {
				t.Errorf("%v became %v", fault, err)
			}
		}
	}
}

func TestBreakerIsResetBySuccess(t *testing.T) {
	calls := 0
	four := []error{fails(akitad.Timeout), fails(akitad.Timeout), fails(akitad.Timeout), fails(akitad.Timeout), nil}
	b := tool.WithBreaker(failing(tool.Info{Name: "t"}, &calls, append(append([]error{}, four...), four...)...))
	for range 10 {
		if _, err := b.Call(t.Context(), tool.Input{}); akitad.KindOf(err) == akitad.Unavailable {
			t.Fatal("four failures in a row opened it")
		}
	}
}

func TestPanicBecomesAnError(t *testing.T) {
	core, logs := observer.New(zap.ErrorLevel)
	panics := fake{tool.Info{Name: "t"}, func(context.Context, tool.Input) (tool.Result, error) { panic("index out of range") }}
	_, err := tool.Wrap(panics, tool.Options{Log: zap.New(core)}).Call(t.Context(), tool.Input{})
	f := akitad.FailureOf(err)
	if f == nil || f.Kind != akitad.ToolFailed || strings.Contains(f.Message, "goroutine") || strings.Contains(f.Message, "index") {
		t.Errorf("%+v", f)
	}
	entries := logs.All()
	if len(entries) != 1 || !strings.Contains(string(entries[0].ContextMap()["stack"].(string)), "wrap_test.go") {
		t.Errorf("the log has %+v", entries)
	}
}

// Wrap tries again within the breaker and outside of the time limit.
func TestWrapOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		slow := fake{tool.Info{Name: "t", Readonly: true, Timeout: time.Second}, func(ctx context.Context, _ tool.Input) (tool.Result, error) {
			calls++
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}}
		w := tool.Wrap(slow, tool.Options{})
		for range 5 {
			if _, err := w.Call(t.Context(), tool.Input{}); akitad.KindOf(err) != akitad.Timeout {
				t.Error(err)
			}
		}
		if _, err := w.Call(t.Context(), tool.Input{}); akitad.KindOf(err) != akitad.Unavailable || calls != 15 {
			t.Errorf("%v after %d calls, want 15", err, calls)
		}
	})
}

// A tool that names no time has the owner's; one that does keeps its own.
func TestTheUsualTime(t *testing.T) {
	for _, tt := range []struct{ own, usual, want time.Duration }{
		{0, 0, tool.DefaultTimeout}, {0, 3 * time.Second, 3 * time.Second}, {0, time.Minute, time.Minute}, {time.Second, time.Minute, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			_, err := tool.Wrap(fake{tool.Info{Name: "t", Timeout: tt.own}, func(ctx context.Context, _ tool.Input) (tool.Result, error) {
				<-ctx.Done()
				return tool.Result{}, ctx.Err()
			}}, tool.Options{Timeout: tt.usual}).Call(t.Context(), tool.Input{})
			if took := time.Since(began); took != tt.want || akitad.KindOf(err) != akitad.Timeout {
				t.Errorf("own %v, usual %v: %v after %v", tt.own, tt.usual, err, took)
			}
		})
	}
}
