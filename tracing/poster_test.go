package tracing_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
)

// answering is a collector without a socket: what it does with the n-th request, from 0.
type answering func(n int, r *http.Request) (*http.Response, error)

type post struct {
	at   time.Time
	url  string
	head http.Header
	body []byte
}

type link struct {
	answer answering
	mu     sync.Mutex
	all    []post
}

// seen gives the requests so far.
func (l *link) seen() []post {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

func (l *link) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.all = append(l.all, post{time.Now(), r.URL.String(), r.Header, body})
	n := len(l.all) - 1
	l.mu.Unlock()
	return l.answer(n, r)
}

func respond(status int, body string, headers ...string) (*http.Response, error) {
	r := &http.Response{StatusCode: status, Status: fmt.Sprint(status), Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r, nil
}

// exporting gives a tracer to a collector that answers so, and what it logs.
func exporting(url string, answer answering) (*tracing.Tracer, *link, *observer.ObservedLogs) {
	core, logs := observer.New(zapcore.WarnLevel)
	l := &link{answer: answer}
	return tracing.New(nil, tracing.Options{OTLP: url, HTTP: &http.Client{Transport: l}, Node: "n1", Log: zap.New(core)}), l, logs
}

func endSpans(t *testing.T, tr *tracing.Tracer, n int) {
	t.Helper()
	for i := range n {
		_, s := tr.Start(t.Context(), akitad.SpanTool, "x", tracing.Int("n", i))
		s.End(nil)
	}
}

func TestOTLPRequest(t *testing.T) {
	tr, l, logs := exporting("http://collector.test:4318", func(int, *http.Request) (*http.Response, error) { return respond(200, "{}") })
	for _, s := range story() {
		if s.End != nil {
			tr.Record(t.Context(), s)
		}
	}
	end := time.Date(2026, 11, 30, 9, 0, 1, 5, time.UTC)
	tr.Record(t.Context(), akitad.Span{
		TraceID: strings.Repeat("ab", 16), SpanID: strings.Repeat("cd", 8), Name: "values", Kind: akitad.SpanLLM, Start: end.Add(-time.Second), End: &end,
		Status: "ERROR", Error: "boom", Attributes: map[string]any{
			"text": "a <b> \u2028 你好", "yes": true, "whole": int64(1) << 60, "float": 2.0, "half": 0.5, "list": []string{"a", "b"}, "none": nil,
		},
	})
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(l.seen()) != 1 || l.seen()[0].url != "http://collector.test:4318/v1/traces" || l.seen()[0].head.Get("Content-Type") != "application/json" || logs.Len() > 0 {
		t.Fatalf("posted %+v, logged %v", l.seen(), logs.All())
	}
	if _, err := published(l.seen()[0].body); err != nil {
		t.Errorf("not of the published schema: %v", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, l.seen()[0].body, "", " "); err != nil {
		t.Fatal(err)
	}
	golden(t, "posted.json", out.Bytes())
}

func TestOTLPBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, l, _ := exporting("http://c.test/v1/traces", func(int, *http.Request) (*http.Response, error) { return respond(200, "") })
		endSpans(t, tr, 3)
		time.Sleep(6 * time.Second) // the SDK sends what it has every 5 s
		endSpans(t, tr, 1000)
		if err := tr.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		var sizes []int
		for _, p := range l.seen() {
			sizes = append(sizes, bytes.Count(p.body, []byte(`"spanId"`)))
		}
		if got := fmt.Sprint(sizes); got != "[3 512 488]" {
			t.Errorf("batches of %s", got)
		}
	})
}

func TestOTLPTriesAgain(t *testing.T) {
	for _, tt := range []struct {
		name     string
		answer   answering
		requests int
		least    time.Duration // between the first two
		logged   int
	}{
		{"busy once", func(n int, _ *http.Request) (*http.Response, error) { return respond([]int{503, 200}[min(n, 1)], "") }, 2, 0, 0},
		{"says when", func(n int, _ *http.Request) (*http.Response, error) {
			return respond([]int{429, 200}[min(n, 1)], "", "Retry-After", "7")
		}, 2, 7 * time.Second, 0},
		{"not there at first", func(n int, _ *http.Request) (*http.Response, error) {
			if n == 0 {
				return nil, errors.New("connection refused")
			}
			return respond(200, "")
		}, 2, 0, 0},
		{"says much too late", func(int, *http.Request) (*http.Response, error) { return respond(429, "", "Retry-After", "3600") }, 1, 0, 1},
		{"always busy", func(int, *http.Request) (*http.Response, error) { return respond(502, "no") }, 5, 0, 1},
		{"wrong address", func(int, *http.Request) (*http.Response, error) { return respond(404, "") }, 1, 0, 1},
		{"moved", func(int, *http.Request) (*http.Response, error) {
			return respond(301, "", "Location", "http://elsewhere.test/")
		}, 1, 0, 1},
		{"took a part", func(int, *http.Request) (*http.Response, error) {
			return respond(200, `{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}`)
		}, 1, 0, 1},
		{"took all and says so", func(int, *http.Request) (*http.Response, error) {
			return respond(200, `{"partialSuccess":{"rejectedSpans":0}}`)
		}, 1, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr, l, logs := exporting("http://c.test/v1/traces", tt.answer)
				endSpans(t, tr, 1)
				time.Sleep(time.Minute)
				if len(l.seen()) != tt.requests || logs.Len() != tt.logged {
					t.Fatalf("%d requests, want %d; logged %v", len(l.seen()), tt.requests, logs.All())
				}
				if tt.requests > 1 && l.seen()[1].at.Sub(l.seen()[0].at) < tt.least {
					t.Errorf("came again after %v", l.seen()[1].at.Sub(l.seen()[0].at))
				}
				if err := tr.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// hang is a collector that takes a request and says nothing.
func hang(_ int, r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// A collector that hangs holds neither the work, however much of it, nor the stop beyond its bound.
func TestOTLPNeverHoldsWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, l, _ := exporting("http://c.test/v1/traces", hang)
		start := time.Now()
		endSpans(t, tr, 1)
		time.Sleep(6 * time.Second)
		endSpans(t, tr, 10000)
		if took := time.Since(start); took != 6*time.Second || len(l.seen()) != 1 {
			t.Errorf("the work took %v, %d requests", took, len(l.seen()))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if err := tr.Close(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 8*time.Second {
			t.Errorf("close: %v after %v", err, time.Since(start))
		}
		synctest.Wait() // what still hung was let go: else the bubble does not end
	})
}

// Nobody who stops the program waits for a collector that is down.
func TestOTLPCloseDoesNotWaitToTryAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, l, logs := exporting("http://c.test/v1/traces", func(int, *http.Request) (*http.Response, error) { return nil, errors.New("connection refused") })
		endSpans(t, tr, 1500)
		start := time.Now()
		if err := tr.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > time.Second || logs.FilterMessage("spans were not exported").Len() != 3 {
			t.Errorf("%v, %d requests, logged %v", took, len(l.seen()), logs.All())
		}
	})
}

func TestOTLPHeadersFromTheEnvironment(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b%2Cc, x-team = red ,nonsense")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "x-team=blue")
	tr, l, _ := exporting("http://c.test/custom", func(int, *http.Request) (*http.Response, error) { return respond(200, "") })
	endSpans(t, tr, 1)
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h := l.seen()[0].head; h.Get("api-key") != "a b,c" || h.Get("x-team") != "blue" || l.seen()[0].url != "http://c.test/custom" {
		t.Errorf("%s got %v", l.seen()[0].url, h)
	}
}
