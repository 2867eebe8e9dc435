package openai_test

import (
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

func errorBody(code, message string) string {
	return `{"error":{"message":"` + message + `","type":"x","code":"` + code + `"}}`
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		status     int
		body, name string
		want       akitad.Kind
	}{
		{401, errorBody("invalid_api_key", "Incorrect API key provided"), "key", akitad.Auth},
		{401, "<html>no</html>", "web page", akitad.Auth},
		{403, errorBody("", "Country not supported"), "forbidden", akitad.Auth},
		{403, errorBody("", "Your input was flagged by moderation"), "moderated", akitad.ContentFiltered},
		{402, errorBody("", "Insufficient Balance"), "paid", akitad.Quota},
		{404, errorBody("model_not_found", "The model `x` does not exist"), "model", akitad.NotFound},
		{404, "404 page not found", "path", akitad.NotFound},
		{400, errorBody("", "The model `x` does not exist"), "model by 400", akitad.NotFound},
		{408, "", "request time-out", akitad.Timeout},
		{504, "", "gateway time-out", akitad.Timeout},
		{429, errorBody("rate_limit_exceeded", "Rate limit reached"), "rate", akitad.RateLimited},
		{429, errorBody("insufficient_quota", "You exceeded your current quota"), "quota", akitad.Quota},
		{429, errorBody("rate_limit_exceeded", "Rate limit reached. Visit https://x.example/account/billing to add a payment method."), "rate, with advice", akitad.RateLimited},
		{429, `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan. Please retry in 20.5s.","status":"RESOURCE_EXHAUSTED"}}]`, "gemini, per minute", akitad.RateLimited},
		{400, errorBody("", "Field names are case-sensitive"), "no filter", akitad.InvalidRequest},
		{429, errorBody("", "Request too large: tokens per min (TPM): Limit 30000, Requested 31000"), "tpm", akitad.RateLimited},
		{413, errorBody("rate_limit_exceeded", "Request too large on tokens per minute (TPM): Limit 6000"), "tpm by 413", akitad.RateLimited},
		{413, "", "too large", akitad.ContextOverflow},
		{400, errorBody("", "Too many tokens per day, please wait before trying again."), "throttled by 400", akitad.RateLimited},
		{400, errorBody("context_length_exceeded", "nope"), "overflow by code", akitad.ContextOverflow},
		{400, errorBody("", "This model's maximum context length is 8192 tokens."), "vllm", akitad.ContextOverflow},
		{400, errorBody("", "Your input exceeds the context window of this model."), "openai", akitad.ContextOverflow},
		{400, errorBody("", "prompt is too long: 209353 tokens > 199999 maximum"), "anthropic", akitad.ContextOverflow},
		{400, errorBody("", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."), "gemini", akitad.ContextOverflow},
		{400, errorBody("", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."), "xai", akitad.ContextOverflow},
		{400, errorBody("", "Please reduce the length of the messages or completion."), "groq", akitad.ContextOverflow},
		{400, errorBody("", "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"), "mistral", akitad.ContextOverflow},
		{400, errorBody("", "Range of input length should be [1, 98304]"), "qwen", akitad.ContextOverflow},
		{400, errorBody("", "Invalid request: Your request exceeded model token limit: 131072"), "kimi", akitad.ContextOverflow},
		{400, errorBody("1261", "Prompt exceeds max length"), "zhipu", akitad.ContextOverflow},
		{400, errorBody("exceed_context_size_error", "the request exceeds the available context size"), "llama.cpp", akitad.ContextOverflow},
		{500, errorBody("", "input length exceeds the context length"), "ollama by 500", akitad.ContextOverflow},
		{400, errorBody("", "输入长度超过模型限制"), "chinese", akitad.ContextOverflow},
		{400, errorBody("", "max_tokens is too large: 200000. This model supports at most 16384 completion tokens"), "output limit", akitad.InvalidRequest},
		{400, errorBody("content_filter", "filtered"), "filter", akitad.ContentFiltered},
		{400, errorBody("data_inspection_failed", "Input data may contain inappropriate content."), "alibaba", akitad.ContentFiltered},
		{400, errorBody("", "API key not valid. Please pass a valid API key."), "gemini key", akitad.Auth},
		{400, errorBody("", "'temperature' does not support 0.5"), "parameter", akitad.InvalidRequest},
		{422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`, "fastapi", akitad.InvalidRequest},
		{500, "", "internal", akitad.Overloaded},
		{502, "<html>bad gateway</html>", "bad gateway", akitad.Transport},
		{503, "", "unavailable", akitad.Overloaded},
		{529, `{"type":"error","error":{"type":"overloaded_error"}}`, "overloaded", akitad.Overloaded},
		{418, "", "teapot", akitad.InvalidRequest},
	} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Status(tt.status, tt.body))
		_, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x"))
		if got := akitad.KindOf(err); got != tt.want {
			t.Errorf("%d %s: %s, want %s (%v)", tt.status, tt.name, got, tt.want, err)
		}
		if n := len(s.Seen()); n != 1 {
			t.Errorf("%d %s: %d requests, want 1", tt.status, tt.name, n)
		}
	}
}

func TestRetryAfterIsReported(t *testing.T) {
	for _, tt := range []struct {
		value    string
		min, max time.Duration
	}{
		{"7", 7 * time.Second, 7 * time.Second},
		{"1.5", 1500 * time.Millisecond, 1500 * time.Millisecond},
		{time.Now().Add(90 * time.Second).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"), 20 * time.Second, 91 * time.Second},
		{"", 0, 0},
	} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.RetryAfter(429, tt.value))
		_, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x"))
		if got := llm.RetryAfter(err); got < tt.min || got > tt.max {
			t.Errorf("Retry-After %q: %v", tt.value, got)
		}
	}
}

func TestErrorsHoldNoSecret(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	s.Next(llmtest.Status(401, errorBody("invalid_api_key "+key, "Incorrect API key provided: "+key+" "+strings.Repeat("and so on ", 200))))
	_, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x"))
	if text := err.Error(); strings.Contains(text, key) || !strings.Contains(text, "Incorrect API key provided") || len(text) > 800 {
		t.Errorf("got %q", text)
	}
	if e := akitad.FailureOf(err); e.Hint == "" {
		t.Error("the error says nothing about what to do")
	}
}

func TestAmbientConfigurationIsIgnored(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-ambient-0123456789abcdef")
	t.Setenv("OPENAI_ORG_ID", "org-ambient")
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{})
	p := openai.New("m", openai.Options{BaseURL: s.URL() + "/"})
	if _, err := p.Generate(t.Context(), ask("x")); err != nil {
		t.Fatal(err)
	}
	for name, values := range s.Seen()[0].Header {
		if strings.Contains(strings.Join(values, " "), "ambient") {
			t.Errorf("%s: %v", name, values)
		}
	}
}
