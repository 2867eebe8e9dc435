package anthropic_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// What a server tells of a call's usage is known though the call failed.
func TestUsageOfFailedCalls(t *testing.T) {
	const begin = `{"type":"message_start","message":{"model":"m","content":[],"usage":{"input_tokens":100,"output_tokens":1}}}`
	for _, tt := range []struct {
		name, sent string
		kind       akitad.Kind
	}{
		{"broken off", events(begin), akitad.Transport},
		{"an error in it", events(begin, `{"type":"error","error":{"type":"overloaded_error","message":"overloaded"}}`), akitad.Overloaded},
		{"refused", `{"type":"message","content":[],"stop_reason":"refusal","usage":{"input_tokens":100,"output_tokens":1}}`, akitad.ContentFiltered},
	} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Raw(tt.sent))
		reply, err := provider(t, s, anthropic.Options{}).Generate(t.Context(), llm.Request{Messages: []llm.Message{{Speaker: llm.User, Text: "x"}}})
		if akitad.KindOf(err) != tt.kind || reply.Usage != (akitad.Usage{Input: 100, Output: 1, Calls: 1}) {
			t.Errorf("%s: %+v, %v", tt.name, reply.Usage, err)
		}
	}
}

// A model that decides itself how long it thinks is told so, and has room for it.
func TestAdaptiveThinking(t *testing.T) {
	body := sent(t, llm.Request{MaxOutput: 100, Messages: []llm.Message{{Speaker: llm.User, Text: "x"}}}, anthropic.Options{Adaptive: true})
	if !strings.Contains(body, `"max_tokens":8292,"thinking":{"type":"adaptive"}`) {
		t.Errorf("sent %s", body)
	}
}
