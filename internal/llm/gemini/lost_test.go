package gemini_test

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// What a server tells of a call's usage is known though the call failed.
func TestUsageOfFailedCalls(t *testing.T) {
	const used = `"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":7}`
	for _, tt := range []struct {
		name, sent string
		kind       akitad.Kind
	}{
		{"broken off", events(`{"candidates":[{"content":{"parts":[{"text":"hm"}]}}],` + used + `}`), akitad.Transport},
		{"filtered", events(`{"candidates":[{"finishReason":"SAFETY"}],` + used + `}`), akitad.ContentFiltered},
		{"the request filtered", `{"promptFeedback":{"blockReason":"SAFETY"},` + used + `}`, akitad.ContentFiltered},
	} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Raw(tt.sent))
		reply, err := provider(t, s, gemini.Options{}).Generate(t.Context(), llm.Request{Messages: []llm.Message{{Speaker: llm.User, Text: "x"}}})
		if akitad.KindOf(err) != tt.kind || reply.Usage != (akitad.Usage{Input: 100, Output: 7, Calls: 1}) {
			t.Errorf("%s: %+v, %v", tt.name, reply.Usage, err)
		}
	}
}
