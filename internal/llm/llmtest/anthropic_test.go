package llmtest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm/llmtest"
)

// message posts to the Messages protocol as any client would.
func message(t *testing.T, s *llmtest.Server, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Root()+"/v1/messages", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", "k")
	req.Header.Set("Anthropic-Version", "2023-06-01")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, string(got) + " " + err.Error()
	}
	return resp.StatusCode, string(got)
}

func TestMessagesThatTheServiceRefuses(t *testing.T) {
	const (
		hi     = `{"role":"user","content":[{"type":"text","text":"hi"}]}`
		called = hi + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`
	)
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	user := func(blocks string) string { return `{"role":"user","content":[` + blocks + `]}` }
	for _, tt := range []struct{ more, messages, says string }{
		{``, ``, "at least one message"},
		{``, `{"role":"assistant","content":[{"type":"text","text":"hi"}]}`, "first message must use"},
		{``, hi + `,` + hi, "roles must alternate"},
		{``, `{"role":"user","content":[]}`, "non-empty content"},
		{``, user(`{"type":"text","text":" "}`), "non-whitespace text"},
		{``, user(`{"type":"hologram"}`), "not expected"},
		{``, user(`{"type":"thinking","thinking":"x","signature":"y"}`), "signature"},
		{``, user(`{"type":"image","source":{"type":"base64"}}`), "source.data"},
		{``, user(`{"type":"text","text":"hi","surprise":1}`), "cannot parse"},
		{`,"surprise":1`, hi, "cannot parse"},
		{``, called, "without `tool_result` blocks"},
		{``, called + `,` + hi, "without `tool_result` blocks"},
		{``, called + `,` + user(`{"type":"text","text":"hi"},{"type":"tool_result","tool_use_id":"a","content":"x"}`), "unexpected `tool_use_id`"},
		{``, user(`{"type":"tool_result","tool_use_id":"a","content":"x"}`), "unexpected `tool_use_id`"},
		{``, hi + `,{"role":"assistant","content":[{"type":"tool_use","id":"a:b","name":"f","input":{}}]}`, "must be unique"},
		{``, hi + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":"x"}]}`, "valid dictionary"},
		{``, hi + `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f.g","input":{}}]}`, "not valid"},
		{`,"tools":[{"name":"f","input_schema":{}}]`, hi, "input_schema.type"},
		{`,"tools":[{"name":"f g","input_schema":{"type":"object"}}]`, hi, "not valid"},
		{`,"tool_choice":{"type":"none"}`, hi, "while providing tools"},
		{`,"thinking":{"type":"enabled","budget_tokens":100}`, hi, "budget_tokens"},
		{`,"thinking":{"type":"enabled","budget_tokens":1024}`, called + `,` + user(`{"type":"tool_result","tool_use_id":"a","content":"x"}`), "Expected `thinking`"},
		{``, user(strings.Repeat(`{"type":"text","text":"x","cache_control":{"type":"ephemeral"}},`, 4) + `{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`), "maximum of 4"},
	} {
		status, body := message(t, s, `{"model":"m","max_tokens":2048`+tt.more+`,"messages":[`+tt.messages+`]}`)
		if status != 400 || !strings.Contains(body, tt.says) || !strings.Contains(body, `"type":"invalid_request_error"`) {
			t.Errorf("%s %s: %d %s, want %q", tt.more, tt.messages, status, body, tt.says)
		}
	}
	for body, says := range map[string]string{`{"model":"m","messages":[` + hi + `]}`: "max_tokens", `{"max_tokens":1,"messages":[` + hi + `]}`: "model"} {
		if status, got := message(t, s, body); status != 400 || !strings.Contains(got, says) {
			t.Errorf("%s: %d %s", body, status, got)
		}
	}
}

func TestMessagesFaults(t *testing.T) {
	const ask = `{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`
	turn := llmtest.Calls(llmtest.Call("read", map[string]any{"p": "a"})).Saying("I look.")
	s := llmtest.NewServer(t, llmtest.New(nil).Always(llmtest.Any, turn), llmtest.Options{})
	for _, tt := range []struct {
		fault     llmtest.Fault
		says, not string
	}{
		{llmtest.Fault{}, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", "error"},
		{llmtest.NoDone(), `"stop_reason":"tool_use"`, "message_stop"},
		{llmtest.EndInCall(), `"partial_json":"{\"p\`, "content_block_stop\",\"index\":1"},
		{llmtest.CutInCall(), "EOF", `"stop_reason":"tool_use"`},
		{llmtest.ErrorAfter(2, 529, "busy"), "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}", "I l"},
		{llmtest.Refuse(429, "slow down"), `"type":"rate_limit_error","message":"slow down"`, "event:"},
		{llmtest.Status(500, ""), `"type":"api_error"`, "event:"},
		{llmtest.NotStreamed(), `"stop_reason":"tool_use"`, "data:"},
		{llmtest.Reasoning("hm"), `"type":"signature_delta"`, "nothing"},
		{llmtest.NoUsage(), "message_stop", "usage"},
		{llmtest.KeepAlive(": hi"), ": hi\n\nevent: message_start", "nothing"},
	} {
		s.Next(tt.fault)
		if _, body := message(t, s, ask); !strings.Contains(body, tt.says) || strings.Contains(body, tt.not) {
			t.Errorf("want %q and no %q in %s", tt.says, tt.not, body)
		}
	}
}

func TestWithoutAKeyOrAVersion(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	for _, tt := range []struct {
		header string
		status int
	}{{"Anthropic-Version", 401}, {"Authorization", 400}} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Root()+"/v1/messages", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(tt.header, "x")
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != tt.status {
			t.Errorf("with %s alone: %d, want %d", tt.header, resp.StatusCode, tt.status)
		}
	}
}
