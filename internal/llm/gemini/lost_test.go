package gemini_test

import (
	"strings"
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

// How long the model may think is told as the endpoint has it, beside the limit of the answer.
func TestThinkingConfig(t *testing.T) {
	for _, tt := range []struct {
		thinking gemini.Thinking
		most     int
		want     string
	}{
		{gemini.Thinking{}, 100, `"generationConfig":{"maxOutputTokens":100},`},
		{gemini.Thinking{Budget: 2048}, 100, `"generationConfig":{"maxOutputTokens":2148,"thinkingConfig":{"thinkingBudget":2048}},`},
		{gemini.Thinking{Budget: -1}, 100, `"generationConfig":{"maxOutputTokens":100,"thinkingConfig":{"thinkingBudget":-1}},`},
		{gemini.Thinking{Level: "low"}, 0, `"generationConfig":{"thinkingConfig":{"thinkingLevel":"low"}},`},
	} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{})
		_, err := provider(t, s, gemini.Options{Thinking: tt.thinking}).Generate(t.Context(), llm.Request{MaxOutput: tt.most, Messages: []llm.Message{{Speaker: llm.User, Text: "x"}}})
		if err != nil || !strings.Contains(string(s.Seen()[0].Body), tt.want) {
			t.Errorf("%+v: %v, sent %s", tt.thinking, err, s.Seen()[0].Body)
		}
	}
}

// Files that are each small enough and together too large are refused with the reason, and nothing is sent;
// too much text is an overflow, which a smaller window mends.
func TestFilesThatAreTooLargeTogether(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	part := llm.Part{Name: "a.pdf", MIME: "application/pdf", Data: make([]byte, 6<<20)}
	for _, tt := range []struct {
		m    llm.Message
		kind akitad.Kind
		says string
	}{
		{llm.Message{Speaker: llm.User, Text: "x", Parts: []llm.Part{part, part, part}}, akitad.InvalidRequest, "the 3 files have 18 MB together, 25 MB as they are sent, and the model's server takes 20 MB"},
		{llm.Message{Speaker: llm.User, Text: strings.Repeat("word ", 5_000_000)}, akitad.ContextOverflow, "takes 20 MB"},
	} {
		_, err := provider(t, s, gemini.Options{}).Generate(t.Context(), llm.Request{Messages: []llm.Message{tt.m}})
		if akitad.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.says) || len(s.Seen()) != 0 {
			t.Errorf("%v after %d requests, want %s: %s", err, len(s.Seen()), tt.kind, tt.says)
		}
	}
}
