package anthropic_test

import (
	"net/http"
	"testing"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-ant-test-0123456789abcdefghij"

func provider(t testing.TB, s *llmtest.Server, opts anthropic.Options) *anthropic.Provider {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	opts.BaseURL, opts.Key, opts.HTTP = s.URL(), key, &http.Client{Transport: transport}
	return anthropic.New("test-model", opts)
}

func TestConformance(t *testing.T) {
	llmtest.Conformance(t, func(t testing.TB, s *llmtest.Server, how llmtest.Asked) llm.Provider {
		return provider(t, s, anthropic.Options{NoStream: how.NoStream, Timeouts: how.Timeouts})
	})
}
