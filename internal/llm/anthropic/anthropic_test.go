package anthropic_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

const key = "sk-ant-test-0123456789abcdefghij"

func provider(t testing.TB, s *llmtest.Server, opts anthropic.Options) *anthropic.Provider {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	if opts.BaseURL == "" {
		opts.BaseURL = s.URL()
	}
	opts.Key, opts.HTTP = key, &http.Client{Transport: transport}
	return anthropic.New("test-model", opts)
}

var tools = []llm.Tool{
	{Name: "read", Description: "Reads <a> file & more.", Schema: json.RawMessage(`{"type": "object", "properties": {"p": {"type": "string"}}, "required": ["p"]}`)},
	{Name: "write_file", Description: "Writes.", Schema: json.RawMessage(`{"type":"object"}`)},
	{Name: "now", Description: "Gives the time."},
	{Name: "search"},
	{Name: "srv__calendar.list", Description: "Lists."},
}

func ask(text string) llm.Request {
	return llm.Request{
		Task: "t_abcdefghijklmnopqrstuvwx", Role: llm.RoleMain, System: "You are <one> & only.",
		Messages: []llm.Message{{Speaker: llm.User, Text: text}}, Tools: tools,
	}
}

func TestConformance(t *testing.T) {
	llmtest.Conformance(t, func(t testing.TB, s *llmtest.Server, how llmtest.Asked) llm.Provider {
		return provider(t, s, anthropic.Options{NoStream: how.NoStream, Timeouts: how.Timeouts})
	})
}
