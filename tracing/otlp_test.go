package tracing_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync"
	"testing"
	"time"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
)

// collector is an OTLP endpoint that remembers spans by name.
type collector struct {
	mu    sync.Mutex
	spans map[string]*tracepb.Span
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	req, err := published(body)
	if err != nil || r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, fmt.Sprint(err), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, rs := range req.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			for _, s := range ss.Spans {
				c.spans[s.Name] = s
			}
		}
	}
}

var hexID = regexp.MustCompile(`"(traceId|spanId|parentSpanId)":\s*"([0-9a-f]+)"`)

// published reads a request by OTLP's published schema, and refuses what is not in it. OTLP's JSON is
// protobuf's, but for ids, which it writes in hex where protobuf has base64.
func published(body []byte) (*coltrace.ExportTraceServiceRequest, error) {
	body = hexID.ReplaceAllFunc(body, func(field []byte) []byte {
		m := hexID.FindSubmatch(field)
		id, err := hex.DecodeString(string(m[2]))
		if err != nil {
			return field
		}
		return []byte(`"` + string(m[1]) + `":"` + base64.StdEncoding.EncodeToString(id) + `"`)
	})
	req := &coltrace.ExportTraceServiceRequest{}
	return req, protojson.Unmarshal(body, req)
}

func TestOTLPGetsEndedSpans(t *testing.T) {
	c := &collector{spans: map[string]*tracepb.Span{}}
	server := httptest.NewServer(c)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()

	tr := tracing.New(nil, tracing.Options{OTLP: server.URL + "/v1/traces", HTTP: client, Node: "n1"})
	_, s := tr.Start(tr.InTask(t.Context(), root, child), akitad.SpanTool, "grep")
	s.End(errors.New("boom"))
	_, open := tr.Start(t.Context(), akitad.SpanTool, "open")
	started := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	task := akitad.Span{TraceID: tracing.TraceID(root), SpanID: tracing.TaskSpanID(child), ParentID: tracing.DelegationSpanID(child), Name: "analyst", Kind: akitad.SpanTask, Start: started, Attributes: map[string]any{"depth": 1}}
	tr.Record(t.Context(), task)
	task.End, task.Status, task.Name = new(started.Add(time.Second)), "OK", "analyst done"
	tr.Record(t.Context(), task)
	top := task
	top.SpanID, top.ParentID, top.Name, top.Status, top.Error = tracing.TaskSpanID(root), "", "root", "CANCELLED", "stopped"
	tr.Record(t.Context(), top)
	tr.Record(t.Context(), akitad.Span{Name: "bad ids", Start: started, End: task.End})
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	open.End(nil)

	if len(c.spans) != 3 {
		t.Fatalf("exported %v, want grep, analyst done and root", c.spans)
	}
	if r := c.spans["root"]; hex.EncodeToString(r.SpanId) != tracing.TaskSpanID(root) || len(r.ParentSpanId) != 0 || r.Status.Code != tracepb.Status_STATUS_CODE_UNSET {
		t.Errorf("recorded root = %v", r)
	}
	tool, done := c.spans["grep"], c.spans["analyst done"]
	if hex.EncodeToString(tool.ParentSpanId) != tracing.TaskSpanID(child) || tool.Status.Code != tracepb.Status_STATUS_CODE_ERROR || tool.Status.Message != "boom" {
		t.Errorf("tool = %v", tool)
	}
	if hex.EncodeToString(done.TraceId) != tracing.TraceID(root) || hex.EncodeToString(done.SpanId) != tracing.TaskSpanID(child) ||
		hex.EncodeToString(done.ParentSpanId) != tracing.DelegationSpanID(child) || done.EndTimeUnixNano-done.StartTimeUnixNano != 1e9 || done.Status.Code != tracepb.Status_STATUS_CODE_OK {
		t.Errorf("recorded task = %v", done)
	}
}

// A collector that is not there costs a log line, not the work and not the close.
func TestOTLPFailureIsLogged(t *testing.T) {
	core, logs := observer.New(zapcore.WarnLevel)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	tr := tracing.New(nil, tracing.Options{OTLP: server.URL, HTTP: client, Log: zap.New(core)})
	_, s := tr.Start(t.Context(), akitad.SpanTool, "x")
	s.End(nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := tr.Close(ctx); err != nil {
		t.Error(err)
	}
	if logs.FilterMessage("spans were not exported").Len() != 1 {
		t.Errorf("logged %v", logs.All())
	}
}
