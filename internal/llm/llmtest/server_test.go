package llmtest_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// post makes a request as any HTTP client would.
func post(t *testing.T, s *llmtest.Server, body string) (int, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, string(got) + " " + err.Error()
	}
	return resp.StatusCode, string(got)
}

const hello = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`

func TestServerRefusesWhatTheServiceRefuses(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	call := `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{}"}}]}`
	for _, tt := range []struct{ messages, says string }{
		{call, "not answered"},
		{call + `,{"role":"user","content":"x"}`, "not answered"},
		{`{"role":"tool","tool_call_id":"c1","content":"x"}`, "no tool call has the id"},
		{call + `,{"role":"tool","tool_call_id":"c2","content":"x"}`, "no tool call has the id"},
		{`{"role":"robot","content":"x"}`, "unknown role"},
		{`{"role":"assistant","tool_calls":[{"id":"","function":{"name":"f"}}]}`, "empty or not unique"},
		{`{"role":"user","content":{}`, "cannot parse"},
	} {
		status, body := post(t, s, `{"messages":[`+tt.messages+`]}`)
		if status != 400 || !strings.Contains(body, tt.says) {
			t.Errorf("%s: %d %s, want %q", tt.messages, status, body, tt.says)
		}
	}
}

func TestServerFaults(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(nil).Always(llmtest.Any, llmtest.Text("ok")), llmtest.Options{})
	s.Next(llmtest.Status(503, ""), llmtest.RetryAfter(429, "7"), llmtest.Raw("<html>"))
	for i, want := range []struct {
		status int
		says   string
	}{{503, "Service Unavailable"}, {429, "Too Many"}, {200, "<html>"}, {200, `"content":"ok"`}} {
		if status, body := post(t, s, hello); status != want.status || !strings.Contains(body, want.says) {
			t.Errorf("request %d: %d %s", i, status, body)
		}
	}
	s.Always(llmtest.Status(401, "{}"))
	for range 2 {
		if status, _ := post(t, s, hello); status != 401 {
			t.Errorf("status %d, want 401 for ever", status)
		}
	}
	s.Always()
	streamed := strings.Replace(hello, `"model"`, `"stream":true,"model"`, 1)
	for _, tt := range []struct {
		fault llmtest.Fault
		says  string
		not   string
	}{
		{llmtest.EndAfter(2), `"content":"o"`, "[DONE]"},
		{llmtest.CutAfter(2), "EOF", "[DONE]"},
		{llmtest.NoDone(), `"finish_reason":"stop"`, "[DONE]"},
		{llmtest.NoUsage(), "[DONE]", "usage"},
		{llmtest.NotStreamed(), `"message"`, "data:"},
		{llmtest.KeepAlive(": hi"), ": hi\n\n", "\r"},
		{llmtest.CRLF(), "data:[DONE]\r\n", "data: "},
	} {
		s.Next(tt.fault)
		if _, body := post(t, s, streamed); !strings.Contains(body, tt.says) || strings.Contains(body, tt.not) {
			t.Errorf("want %q and no %q in %s", tt.says, tt.not, body)
		}
	}
}

func TestServerFailsByKind(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.FailKind(akitad.Overloaded), llmtest.FailKind(akitad.Auth)), llmtest.Options{})
	for _, want := range []int{503, 401} {
		if status, body := post(t, s, hello); status != want {
			t.Errorf("%d %s, want %d", status, body, want)
		}
	}
}

func TestServerKeepsBytesAndTakesItsTime(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{Latency: 30 * time.Millisecond})
	start := time.Now()
	post(t, s, hello)
	if took := time.Since(start); took < 30*time.Millisecond {
		t.Errorf("answered after %v", took)
	}
	if seen := s.Seen(); len(seen) != 1 || !bytes.Equal(seen[0].Body, []byte(hello)) || seen[0].Header.Get("Content-Type") != "application/json" {
		t.Errorf("seen %+v", seen)
	}
}
