// Package sdk_test lets the vendor's own SDK judge both sides: it must be content with the fake server
// that all tests trust, and know every field that the program sends.
package sdk_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

func client(s *llmtest.Server) sdk.Client {
	return sdk.NewClient(option.WithBaseURL(s.URL()), option.WithAPIKey("sk-test"), option.WithMaxRetries(0))
}

func params(messages ...sdk.ChatCompletionMessageParamUnion) sdk.ChatCompletionNewParams {
	return sdk.ChatCompletionNewParams{
		Model: "test-model", Messages: messages,
		Tools:         []sdk.ChatCompletionToolUnionParam{sdk.ChatCompletionFunctionTool(sdk.FunctionDefinitionParam{Name: "read", Parameters: sdk.FunctionParameters{"type": "object"}})},
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)},
	}
}

// completed gives the SDK's answer, streamed or not.
func completed(t *testing.T, c sdk.Client, p sdk.ChatCompletionNewParams, stream bool) (*sdk.ChatCompletion, error) {
	t.Helper()
	if !stream {
		p.StreamOptions = sdk.ChatCompletionStreamOptionsParam{}
		return c.Chat.Completions.New(t.Context(), p)
	}
	var acc sdk.ChatCompletionAccumulator
	events := c.Chat.Completions.NewStreaming(t.Context(), p)
	defer events.Close()
	for events.Next() {
		if !acc.AddChunk(events.Current()) {
			return nil, errors.New("the SDK refuses a chunk: " + events.Current().RawJSON())
		}
	}
	return &acc.ChatCompletion, events.Err()
}

func TestTheVendorsSDKTakesTheFakeServer(t *testing.T) {
	for _, stream := range []bool{false, true} {
		s := llmtest.NewServer(t, llmtest.New(t,
			llmtest.Calls(llmtest.Call("read", map[string]any{"p": "a<b>"}), llmtest.Call("read", map[string]any{"p": "二"})).Saying("I look.").Using(10, 6, 3),
			llmtest.Text("It says hello 你好.").Using(20, 12, 5)), llmtest.Options{})
		c := client(s)
		p := params(sdk.SystemMessage("be brief"), sdk.UserMessage("what is in a?"))
		got, err := completed(t, c, p, stream)
		if err != nil {
			t.Fatalf("stream %v: %v", stream, err)
		}
		m := got.Choices[0].Message
		if m.Content != "I look." || len(m.ToolCalls) != 2 || m.ToolCalls[1].Function.Arguments != `{"p":"二"}` || got.Choices[0].FinishReason != "tool_calls" {
			t.Errorf("stream %v: %+v", stream, got.Choices[0])
		}
		if u := got.Usage; u.PromptTokens != 10 || u.CompletionTokens != 3 || u.PromptTokensDetails.CachedTokens != 6 {
			t.Errorf("stream %v: usage %+v", stream, u)
		}
		p.Messages = append(p.Messages, m.ToParam(), sdk.ToolMessage("one", m.ToolCalls[0].ID), sdk.ToolMessage("two", m.ToolCalls[1].ID))
		got, err = completed(t, c, p, stream)
		if err != nil || got.Choices[0].Message.Content != "It says hello 你好." || got.Choices[0].FinishReason != "stop" {
			t.Errorf("stream %v: %+v, %v", stream, got, err)
		}
	}
}

func TestTheVendorsSDKTakesTheFakeServersErrors(t *testing.T) {
	for _, tt := range []struct {
		fault  llmtest.Fault
		status int
		typ    string
	}{
		{llmtest.Status(401, ""), 401, "invalid_request_error"},
		{llmtest.RetryAfter(429, "7"), 429, ""},
		{llmtest.Status(500, ""), 500, "server_error"},
	} {
		for _, stream := range []bool{false, true} {
			s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
			s.Next(tt.fault)
			_, err := completed(t, client(s), params(sdk.UserMessage("hi")), stream)
			refusal, ok := errors.AsType[*sdk.Error](err)
			if !ok || refusal.StatusCode != tt.status || refusal.Message == "" || tt.typ != "" && refusal.Type != tt.typ {
				t.Errorf("%d, stream %v: %#v", tt.status, stream, err)
			}
		}
	}
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	if _, err := completed(t, client(s), params(sdk.ToolMessage("x", "c1")), false); err == nil {
		t.Error("a tool message without a call was taken")
	}
}

// Whatever the program sends, the SDK's types hold it: decoded and encoded by them, nothing is lost and
// nothing is added.
func TestTheVendorsSDKKnowsWhatIsSent(t *testing.T) {
	call := akitad.Call{ID: "c1", Tool: "srv__calendar.list", Args: json.RawMessage(`{"a":1}`)}
	strict := json.RawMessage(`{"type":"object","properties":{"p":{"type":"string"},"n":{"type":"integer"}},"required":["p"]}`)
	s := llmtest.NewServer(t, llmtest.New(t,
		llmtest.Calls(llmtest.Call("read", map[string]any{"p": "a"})).Saying("I look."), llmtest.Text("ok"), llmtest.Text("ok")), llmtest.Options{})
	p := openai.New("test-model", openai.Options{BaseURL: s.URL(), Vendor: "openai"})
	req := llm.Request{
		System: "You are <one> & only.", MaxOutput: 77,
		Tools: []llm.Tool{{Name: "read", Description: "Reads <a> file.", Schema: strict}, {Name: "now"}, {Name: "srv__calendar.list", Schema: json.RawMessage(`{"oneOf":[{"type":"object"}]}`)}},
		Messages: []llm.Message{{Speaker: llm.User, Text: "go <on> & 现在", Parts: []llm.Part{
			{Name: "scan.png", MIME: "image/png", Data: []byte("\x89PNG")}, {Name: "a.pdf", MIME: "application/pdf", Data: []byte("%PDF")}, {Name: "t.csv", MIME: "text/csv", Data: []byte("a,b")},
		}}},
	}
	req.Messages = append(req.Messages, llm.Message{Speaker: llm.Assistant, Text: "look", Calls: []akitad.Call{call}}, answers([]akitad.Call{call}))
	reply, err := p.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages, req.Choice = append(req.Messages, reply.Message(), answers(reply.Calls)), llm.ChoiceNone
	if _, err := p.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	textual := openai.New("test-model", openai.Options{BaseURL: s.URL(), Vendor: "openai", TextTools: true, NoStream: true})
	if _, err := textual.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	for i, seen := range s.Seen() {
		var typed sdk.ChatCompletionNewParams
		if err := json.Unmarshal(seen.Body, &typed); err != nil {
			t.Fatalf("request %d: %v in %s", i, err, seen.Body)
		}
		again, err := json.Marshal(typed)
		if err != nil {
			t.Fatal(err)
		}
		want, got := tree(t, seen.Body), tree(t, again)
		delete(want, "stream") // is the choice of a method there
		if !reflect.DeepEqual(got, want) {
			t.Errorf("request %d: the SDK reads\n%s\nof\n%s", i, again, seen.Body)
		}
	}
}

func answers(calls []akitad.Call) llm.Message {
	m := llm.Message{Speaker: llm.ToolReply}
	for _, c := range calls {
		m.Results = append(m.Results, akitad.Observation{Call: c.ID, Tool: c.Tool, Text: "result of " + c.ID})
	}
	return m
}

func tree(t *testing.T, data []byte) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
