package llm_test

import (
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// The same is seen of every protocol.
func TestTryEveryProtocol(t *testing.T) {
	for name, provider := range map[string]func(url string) llm.Provider{
		"anthropic": func(url string) llm.Provider {
			return anthropic.New("claude-sonnet-4-5", anthropic.Options{BaseURL: url, Key: "k"})
		},
		"gemini": func(url string) llm.Provider {
			return gemini.New("gemini-2.5-flash", gemini.Options{BaseURL: url, Key: "k"})
		},
	} {
		s := llmtest.NewServer(t, llmtest.New(t, noted(map[string]any{"word": "akita", "number": 7}), llmtest.Text("one two three").Using(30, 0, 5)), llmtest.Options{})
		p := llm.Try(t.Context(), llm.Endpoint{Name: name, Provider: provider(s.Root())})
		if !p.OK(true) || p.Streaming != llm.Works || p.Usage != llm.Works || p.Problem != "" || p.FirstByteMS <= 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
