package gemini_test

import (
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func TestConformance(t *testing.T) {
	llmtest.Conformance(t, func(t testing.TB, s *llmtest.Server, how llmtest.Asked) llm.Provider {
		return provider(t, s, gemini.Options{NoStream: how.NoStream, Timeouts: how.Timeouts})
	})
}
