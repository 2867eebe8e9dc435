package openai_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/fallback"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

// always answers without any network.
type always string

func (a always) Generate(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: string(a)}, nil
}

// TestFailoverOverTheWire routes over two real connections and the offline engine.
func TestFailoverOverTheWire(t *testing.T) {
	for _, tt := range []struct {
		name     string
		next     []llmtest.Fault // of the first server, once each
		always   []llmtest.Fault // of both servers
		endpoint string
		degraded string
		first    int // requests that the first server has seen
		timeouts llm.Timeouts
	}{
		{name: "clean", endpoint: "one", first: 1},
		{name: "503 twice", next: []llmtest.Fault{llmtest.Status(503, ""), llmtest.Status(503, "")}, endpoint: "one", first: 3},
		{
			name: "503 for ever", next: []llmtest.Fault{llmtest.Status(503, ""), llmtest.Status(503, ""), llmtest.Status(503, "")},
			endpoint: "two", degraded: "endpoint one>two overloaded", first: 3,
		},
		{name: "401", next: []llmtest.Fault{llmtest.Status(401, "")}, endpoint: "two", degraded: "endpoint one>two auth", first: 1},
		{name: "hangs", timeouts: short, next: []llmtest.Fault{llmtest.Hang()}, endpoint: "two", degraded: "endpoint one>two timeout", first: 1},
		{name: "hangs in mid-stream", timeouts: short, next: []llmtest.Fault{llmtest.HangAfter(1)}, endpoint: "two", degraded: "endpoint one>two timeout", first: 1},
		{name: "cut, then it works", next: []llmtest.Fault{llmtest.CutAfter(2)}, endpoint: "one", first: 2},
		{
			name: "nothing works", always: []llmtest.Fault{llmtest.Status(502, "")}, endpoint: "offline",
			degraded: "endpoint one>two transport; strategy two>offline transport", first: 3,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			script := llmtest.New(nil).Always(llmtest.Any, llmtest.Text("from a server"))
			one, two := llmtest.NewServer(t, script, llmtest.Options{}), llmtest.NewServer(t, script, llmtest.Options{})
			one.Next(tt.next...).Always(tt.always...)
			two.Always(tt.always...)
			r, err := llm.NewRouter([]llm.Endpoint{
				{Name: "one", Protocol: openai.Protocol, Provider: provider(t, one, openai.Options{Timeouts: tt.timeouts})},
				{Name: "two", Protocol: openai.Protocol, Provider: provider(t, two, openai.Options{})},
				{Name: "offline", Provider: always("from here"), Offline: true},
			}, nil, llm.RouterOptions{Policy: fallback.Policy{Base: time.Millisecond}})
			if err != nil {
				t.Fatal(err)
			}
			reply, err := r.Generate(t.Context(), ask("x"))
			var degraded []string
			for _, d := range reply.Degraded {
				degraded = append(degraded, fmt.Sprintf("%s %s>%s %s", d.Layer, d.From, d.To, d.Kind))
			}
			if err != nil || reply.Endpoint != tt.endpoint || strings.Join(degraded, "; ") != tt.degraded || len(one.Seen()) != tt.first {
				t.Errorf("endpoint %q, degraded %q, %d requests, %v", reply.Endpoint, degraded, len(one.Seen()), err)
			}
		})
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, rounds := range []int{0, 30} {
		b.Run(fmt.Sprintf("%drounds", rounds), func(b *testing.B) {
			s := llmtest.NewServer(b, llmtest.New(nil).Always(llmtest.Any, llmtest.Calls(llmtest.Call("read", map[string]any{"p": "a"}))), llmtest.Options{})
			p := openai.New("m", openai.Options{BaseURL: s.URL(), Key: key})
			req := ask("go")
			for i := range rounds {
				c := akitad.Call{ID: fmt.Sprint("call", i), Tool: "read", Args: []byte(`{"p":"a"}`)}
				req.Messages = append(req.Messages, llm.Message{Speaker: llm.Assistant, Calls: []akitad.Call{c}},
					llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{{Call: c.ID, Text: strings.Repeat("line of a log\n", 100)}}})
			}
			for b.Loop() {
				if _, err := p.Generate(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
