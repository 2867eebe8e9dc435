package openai_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

// elsewhere sends every request to one server, whatever host it is for.
type elsewhere struct{ to *llmtest.Server }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	host, _, _ := strings.Cut(strings.TrimPrefix(e.to.URL(), "http://"), "/")
	r.URL.Scheme, r.URL.Host = "http", host
	return http.DefaultTransport.RoundTrip(r)
}

// vendors are base URLs and names with what the second request of a conversation is to hold, and what
// not: the model has thought, and called a tool.
var vendors = []struct {
	name, base, vendor string
	want, not          []string
}{
	{"openai", "https://api.openai.com/v1", "", []string{`"max_completion_tokens":9`, `"strict":true`, `"stream_options"`}, []string{`"max_tokens"`}},
	{"azure", "https://mine.openai.azure.com/openai/v1", "", []string{`"max_completion_tokens":9`, `"strict":true`}, []string{`"max_tokens"`}},
	{"deepseek", "https://api.deepseek.com/v1", "", []string{`"max_tokens":9`, `"reasoning_content":"hm"`}, []string{`"strict"`}},
	{"kimi", "https://api.moonshot.cn/v1", "", []string{`"max_completion_tokens":9`, `"reasoning_content":"hm"`}, []string{`"strict"`}},
	{"kimi abroad", "https://api.moonshot.ai/v1", "", []string{`"reasoning_content":"hm"`}, nil},
	{"glm", "https://open.bigmodel.cn/api/paas/v4", "", []string{`"max_tokens":9`, `"reasoning_content":"hm"`}, nil},
	{"glm abroad", "https://api.z.ai/api/paas/v4", "", []string{`"reasoning_content":"hm"`}, nil},
	{"qwen", "https://dashscope.aliyuncs.com/compatible-mode/v1", "", []string{`"max_tokens":9`, `"stream_options"`, `"reasoning_content":"hm"`}, nil},
	{"mistral", "https://api.mistral.ai/v1", "", []string{`"max_tokens":9`}, []string{`reasoning`, `"stream_options"`, `"strict"`}},
	{"groq", "https://api.groq.com/openai/v1", "", []string{`"max_tokens":9`}, []string{`"strict"`}},
	{"openrouter", "https://openrouter.ai/api/v1", "", []string{`"max_tokens":9`}, nil},
	{"ollama", "http://localhost:11434/v1", "", []string{`"max_tokens":9`}, []string{"num_ctx"}},
	{"vllm by name", "http://10.0.0.1:8000/v1", "vllm", []string{`"max_tokens":9`, `"stream_options"`}, []string{`"strict"`}},
	{"deepseek by name", "http://10.0.0.1:8000/v1", "deepseek", []string{`"reasoning_content":"hm"`}, nil},
	{"mistral by name", "http://10.0.0.1:8000/v1", "mistral", nil, []string{`reasoning`, `"stream_options"`}},
	{"somebody", "http://10.0.0.1:8000/v1", "", []string{`"max_tokens":9`, `"reasoning_content":"hm"`, `"stream_options"`}, []string{`"strict"`}},
	{"not quite openai", "https://api.openai.com.evil.example/v1", "", []string{`"max_tokens":9`}, []string{`"strict"`}},
}

func TestVendors(t *testing.T) {
	for _, tt := range vendors {
		t.Run(tt.name, func(t *testing.T) {
			s := llmtest.NewServer(t, llmtest.New(t,
				llmtest.Calls(llmtest.Call("read", map[string]any{"p": "a"})).With(llmtest.Reasoning("hm")), llmtest.Text("ok")), llmtest.Options{})
			p := openai.New("m", openai.Options{BaseURL: tt.base, Vendor: tt.vendor, HTTP: &http.Client{Transport: elsewhere{s}}})
			t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
			req := ask("go")
			req.MaxOutput = 9
			reply, err := p.Generate(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls))
			if _, err := p.Generate(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			body := string(s.Seen()[1].Body)
			for _, want := range tt.want {
				if !strings.Contains(body, want) {
					t.Errorf("no %s in %s", want, body)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(body, not) {
					t.Errorf("%s in %s", not, body)
				}
			}
			checkPrefix(t, s.Seen())
		})
	}
}

// Vendors that demand reasoning of messages with calls get the field for messages that have none: those
// of another vendor, and of a model that did not think.
func TestReasoningThatIsMissing(t *testing.T) {
	for vendor, need := range map[string]bool{"deepseek": true, "moonshot": true, "vllm": false} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Calls(llmtest.Call("now", nil)), llmtest.Text("ok"), llmtest.Text("ok")), llmtest.Options{})
		p := provider(t, s, openai.Options{Vendor: vendor})
		call := akitad.Call{ID: "c1", Tool: "read", Args: json.RawMessage(`{"p":"a"}`)}
		req := ask("go")
		req.Messages = append(req.Messages, llm.Message{Speaker: llm.Assistant, Calls: []akitad.Call{call}}, answers([]akitad.Call{call}))
		reply, err := p.Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls), llm.Message{Speaker: llm.Assistant, Text: "so"}, llm.Message{Speaker: llm.User, Text: "go on"})
		s.Next(llmtest.Fault{}, llmtest.Status(400, `{"error":{"message":"thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"}}`))
		for range 2 { // a server that does not demand it just refuses
			if _, err := p.Generate(t.Context(), req); err != nil && need {
				t.Fatal(err)
			}
		}
		seen := s.Seen()
		empty, filled := strings.Count(string(seen[1].Body), `"reasoning_content":""`), strings.Count(string(seen[len(seen)-1].Body), `"reasoning_content":"."`)
		if need && (empty != 2 || filled != 2) || !need && (empty != 0 || filled != 0) {
			t.Errorf("%s: %d empty, %d filled, in %s", vendor, empty, filled, seen[1].Body)
		}
	}
}

func TestAdvice(t *testing.T) {
	for _, tt := range []struct {
		vendor, base string
		window       int
		want         bool
	}{
		{"", "http://127.0.0.1:11434/v1", 0, true},
		{"ollama", "https://gpu.example/v1", 0, true},
		{"", "http://127.0.0.1:11434/v1", 32768, false},
		{"", "https://api.openai.com/v1", 0, false},
		{"vllm", "http://127.0.0.1:11434/v1", 0, false},
		{"", "::", 0, false},
	} {
		if got := openai.Advice(tt.vendor, tt.base, tt.window); (got != "") != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
