package anthropic_test

import (
	"encoding/json"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"pgregory.net/rapid"
)

var (
	anyText = rapid.SampledFrom([]string{"", " ", "\n\t", "a", "<b> & c", "你好", "\u2028", "\xff"})
	anyID   = rapid.SampledFrom([]string{"", "a", "b", "c", "a:0", "a b", "完"})
	anyArgs = rapid.SampledFrom([]string{"", "null", "{}", `{"p": 1}`, `"text"`, `[1]`, `{broken`})
	anyMIME = rapid.SampledFrom([]string{"", "image/png", "text/plain", "application/pdf", "audio/mpeg", ";"})
	anyTool = rapid.SampledFrom([]string{"read", "srv__calendar.list", "查询", ""})
)

func anyMessage(t *rapid.T) llm.Message {
	switch rapid.IntRange(0, 2).Draw(t, "speaker") {
	case 0:
		m := llm.Message{Speaker: llm.User, Text: anyText.Draw(t, "text")}
		for range rapid.IntRange(0, 2).Draw(t, "parts") {
			m.Parts = append(m.Parts, llm.Part{Name: anyText.Draw(t, "name"), MIME: anyMIME.Draw(t, "mime"), Data: []byte(anyText.Draw(t, "data"))})
		}
		return m
	case 1:
		m := llm.Message{Speaker: llm.Assistant, Text: anyText.Draw(t, "text")}
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			m.Calls = append(m.Calls, akitad.Call{ID: anyID.Draw(t, "id"), Tool: anyTool.Draw(t, "tool"), Args: json.RawMessage(anyArgs.Draw(t, "args"))})
		}
		return m
	}
	m := llm.Message{Speaker: llm.ToolReply}
	for range rapid.IntRange(0, 3).Draw(t, "results") {
		m.Results = append(m.Results, akitad.Observation{Call: anyID.Draw(t, "id"), Tool: anyTool.Draw(t, "tool"), Text: anyText.Draw(t, "text")})
	}
	return m
}

// Whatever a conversation holds, and in whatever order, the strict server takes the request.
func TestAnyConversationIsTaken(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(nil).Always(llmtest.Any, llmtest.Text("ok")), llmtest.Options{})
	plain, thinks := provider(t, s, anthropic.Options{}), provider(t, s, anthropic.Options{Thinking: 1024})
	rapid.Check(t, func(r *rapid.T) {
		req := ask("")
		req.Messages = rapid.SliceOfN(rapid.Custom(anyMessage), 0, 8).Draw(r, "messages")
		for _, p := range []*anthropic.Provider{plain, thinks} {
			before := len(s.Seen())
			if _, err := p.Generate(t.Context(), req); err != nil || len(s.Seen()) != before+1 {
				r.Fatalf("%d requests, %v", len(s.Seen())-before, err)
			}
		}
	})
}
