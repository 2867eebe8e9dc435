package openai_test

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

// What a server tells of a call's usage is known though the call failed.
func TestUsageOfFailedCalls(t *testing.T) {
	const used = `"usage":{"prompt_tokens":100,"completion_tokens":7}`
	for _, tt := range []struct {
		name, sent string
		kind       akitad.Kind
	}{
		{"filtered", `{"choices":[{"finish_reason":"content_filter","message":{"role":"assistant","content":""}}],` + used + `}`, akitad.ContentFiltered},
		{"filtered in a stream", events(say("hm"), `{"choices":[{"delta":{},"finish_reason":"content_filter"}],`+used+`}`, closed), akitad.ContentFiltered},
		{"broken off", events(`{"choices":[{"delta":{"content":"hm"}}],` + used + `}`), akitad.Transport},
		{"an error at its end", events(`{"choices":[{"delta":{"content":"hm"}}],`+used+`}`, `{"error":{"message":"overloaded"}}`), akitad.Overloaded},
	} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Raw(tt.sent))
		reply, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x"))
		if akitad.KindOf(err) != tt.kind || reply.Usage != (akitad.Usage{Input: 100, Output: 7, Calls: 1}) {
			t.Errorf("%s: %+v, %v", tt.name, reply.Usage, err)
		}
	}
}
