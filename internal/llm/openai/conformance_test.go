package openai_test

import (
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

func TestConformance(t *testing.T) {
	llmtest.Conformance(t, func(t testing.TB, s *llmtest.Server, how llmtest.Asked) llm.Provider {
		return provider(t, s, openai.Options{NoStream: how.NoStream, Timeouts: how.Timeouts})
	})
}
