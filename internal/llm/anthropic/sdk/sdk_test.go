// Package sdk_test asks the fake server with the vendor's own SDK, and reads our requests with its types:
// what both understand is what the service speaks.
package sdk_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	ours "github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func client(s *llmtest.Server) anthropic.Client {
	return anthropic.NewClient(option.WithAPIKey("sk-ant-test"), option.WithBaseURL(s.Root()), option.WithMaxRetries(0))
}

func question() anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "m", MaxTokens: 100, System: []anthropic.TextBlockParam{{Text: "You are."}},
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("go"))},
		Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
			Name: "read", InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{"p": map[string]string{"type": "string"}}},
		}}},
	}
}

// answer asks once, whole or streamed.
func answer(t *testing.T, c anthropic.Client, ask anthropic.MessageNewParams, streamed bool) (*anthropic.Message, error) {
	t.Helper()
	if !streamed {
		return c.Messages.New(t.Context(), ask)
	}
	var m anthropic.Message
	stream := c.Messages.NewStreaming(t.Context(), ask)
	defer stream.Close()
	for stream.Next() {
		if err := m.Accumulate(stream.Current()); err != nil {
			return nil, err
		}
	}
	return &m, stream.Err()
}

// The SDK reads what the server sends, and the server takes back what the SDK makes of it.
func TestTheServerSpeaksToTheSDK(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		read := llmtest.Call("read", map[string]any{"p": "a<b>&完"})
		s := llmtest.NewServer(t, llmtest.New(t,
			llmtest.Calls(read, llmtest.Call("read", map[string]any{})).Saying("I look. 好").Using(100, 60, 7),
			llmtest.Text("done")), llmtest.Options{})
		s.Next(llmtest.Reasoning("hm <&>"))
		s.Always(llmtest.KeepAlive("event: ping\ndata: {\"type\": \"ping\"}"))
		ask := question()
		m, err := answer(t, client(s), ask, streamed)
		if err != nil {
			t.Fatalf("streamed %v: %v", streamed, err)
		}
		var kinds []string
		for _, b := range m.Content {
			kinds = append(kinds, b.Type)
		}
		if got := strings.Join(kinds, " "); got != "thinking redacted_thinking text tool_use tool_use" || m.StopReason != anthropic.StopReasonToolUse {
			t.Fatalf("streamed %v: %s, ended by %s", streamed, got, m.StopReason)
		}
		if c := m.Content; c[0].Thinking != "hm <&>" || c[2].Text != "I look. 好" || string(c[3].Input) != string(read.Args) || string(c[4].Input) != `{}` || c[3].ID == c[4].ID {
			t.Errorf("streamed %v: %s", streamed, m.RawJSON())
		}
		if u := m.Usage; u.InputTokens+u.CacheReadInputTokens+u.CacheCreationInputTokens != 100 || u.CacheReadInputTokens != 60 || u.OutputTokens != 7 {
			t.Errorf("streamed %v: usage %+v", streamed, u)
		}
		ask.Messages = append(ask.Messages, m.ToParam(), anthropic.NewUserMessage(
			anthropic.NewToolResultBlock(m.Content[3].ID, "hello", false), anthropic.NewToolResultBlock(m.Content[4].ID, "no p", true)))
		m, err = answer(t, client(s), ask, streamed)
		if err != nil || len(m.Content) != 1 || m.Content[0].Text != "done" || m.StopReason != anthropic.StopReasonEndTurn {
			t.Errorf("streamed %v: %+v, %v", streamed, m, err)
		}
	}
}

func TestTheSDKReadsFailures(t *testing.T) {
	for _, tt := range []struct {
		fault  llmtest.Fault
		status int
		says   string
	}{
		{llmtest.Refuse(400, "prompt is too long: 209353 tokens > 199999 maximum"), 400, "prompt is too long"},
		{llmtest.Status(401, ""), 401, "authentication_error"},
		{llmtest.RetryAfter(429, "7"), 429, "rate_limit_error"},
		{llmtest.Status(529, ""), 529, "overloaded_error"},
		{llmtest.ErrorAfter(3, 529, "Overloaded"), 0, "overloaded_error"},
	} {
		s := llmtest.NewServer(t, llmtest.New(nil).Always(llmtest.Any, llmtest.Text("ok")), llmtest.Options{})
		s.Next(tt.fault)
		_, err := answer(t, client(s), question(), true)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%d %s: %v", tt.status, tt.says, err)
		}
		var known *anthropic.Error
		if errors.As(err, &known) && tt.status != 0 && known.StatusCode != tt.status {
			t.Errorf("%d %s: status %d", tt.status, tt.says, known.StatusCode)
		}
	}
	s := llmtest.NewServer(t, llmtest.New(nil).Always(llmtest.Any, llmtest.Text("ok")), llmtest.Options{})
	strange := question()
	strange.Messages = append(strange.Messages, anthropic.NewUserMessage(anthropic.NewToolResultBlock("nobody", "x", false)))
	if _, err := answer(t, client(s), strange, false); err == nil || !strings.Contains(err.Error(), "invalid_request_error") {
		t.Errorf("a result without a call: %v", err)
	}
}

// Whatever we send has a place in the SDK's own parameters: nothing is lost when they read and write it.
func TestTheSDKReadsOurRequests(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t,
		llmtest.Calls(llmtest.Call("read", map[string]any{"p": "a"})).Saying("I look.").With(llmtest.Reasoning("hm")), llmtest.Text("done")), llmtest.Options{})
	p := ours.New("m", ours.Options{BaseURL: s.Root(), Key: "sk-ant-test", HTTP: &http.Client{}, Thinking: 2048})
	req := llm.Request{
		System: "You are.", Choice: llm.ChoiceNone,
		Tools: []llm.Tool{{Name: "read", Description: "Reads.", Schema: json.RawMessage(`{"type":"object","properties":{"p":{"type":"string"}},"required":["p"]}`)}, {Name: "now"}},
		Messages: []llm.Message{{Speaker: llm.User, Text: "go", Parts: []llm.Part{
			{Name: "a.png", MIME: "image/png", Data: []byte("png")},
			{Name: "a.pdf", MIME: "application/pdf", Data: []byte("pdf")},
			{Name: "a.txt", MIME: "text/plain", Data: []byte("text")},
			{Name: "a.mp3", MIME: "audio/mpeg", Data: []byte("mp3")},
		}}},
	}
	reply, err := p.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	failed := akitad.Observation{Call: reply.Calls[0].ID, Tool: "read", Error: &akitad.Failure{Kind: akitad.NotFound, Message: "no such file"}}
	req.Messages = append(req.Messages, reply.Message(), llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{failed}})
	if _, err := p.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	for i, seen := range s.Seen() {
		var params anthropic.MessageNewParams
		if err := json.Unmarshal(seen.Body, &params); err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		again, err := json.Marshal(params)
		if err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		want, got := fields(t, seen.Body), fields(t, again)
		delete(want, "stream") // is the method's, not a parameter
		if !reflect.DeepEqual(got, want) {
			t.Errorf("request %d: the SDK reads\n%s\nof\n%s", i, again, seen.Body)
		}
	}
}

func fields(t *testing.T, body []byte) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatal(err)
	}
	long(out["messages"])
	return out
}

// long writes the content of results as the SDK does: text is short for a list of one block.
func long(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			long(e)
		}
	case map[string]any:
		if text, ok := v["content"].(string); ok {
			v["content"] = []any{map[string]any{"type": "text", "text": text}}
		}
		long(v["content"])
	}
}
