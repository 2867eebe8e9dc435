// Package sdk_test asks the fake server with the vendor's own SDK, and reads our requests with its types:
// what both understand is what the service speaks.
package sdk_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func client(t *testing.T, s *llmtest.Server) *genai.Client {
	t.Helper()
	c, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		APIKey: "AIza-test", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: s.Root()},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var tools = []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{
	{Name: "read", Description: "Reads.", Parameters: &genai.Schema{
		Type: genai.TypeObject, Required: []string{"p"}, Properties: map[string]*genai.Schema{
			"p": {Type: genai.TypeString, Description: "the path"}, "how": {Type: genai.TypeString, Enum: []string{"all", "head"}},
			"lines": {Type: genai.TypeArray, Items: &genai.Schema{Type: genai.TypeInteger, Format: "int32"}},
			"x":     {AnyOf: []*genai.Schema{{Type: genai.TypeString}, {Type: genai.TypeNumber}}},
		},
	}},
	{Name: "now", Description: "Gives the time."},
}}}

// heard is what the SDK has understood of an answer.
type heard struct {
	text, thoughts string
	calls          []*genai.FunctionCall
	last           *genai.GenerateContentResponse
	err            error
}

func hear(answer iter.Seq2[*genai.GenerateContentResponse, error]) (h heard) {
	for r, err := range answer {
		if err != nil {
			h.err = err
			return h
		}
		h.last = r
		for _, c := range r.Candidates {
			for _, p := range c.Content.Parts {
				switch {
				case p.FunctionCall != nil:
					h.calls = append(h.calls, p.FunctionCall)
				case p.Thought:
					h.thoughts += p.Text
				default:
					h.text += p.Text
				}
			}
		}
	}
	return h
}

// whole gives a whole answer as a stream of one.
func whole(r *genai.GenerateContentResponse, err error) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) { yield(r, err) }
}

func TestTheSDKReadsWhatTheServerSays(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("Hello, wörld 你好").Using(100, 60, 7).With(llmtest.Reasoning("hm"))), llmtest.Options{})
		cfg := &genai.GenerateContentConfig{SystemInstruction: genai.NewContentFromText("You are one.", genai.RoleUser), MaxOutputTokens: 77}
		ask := []*genai.Content{genai.NewContentFromParts([]*genai.Part{genai.NewPartFromBytes([]byte{1, 2, 3}, "image/png"), genai.NewPartFromText("what is this?")}, genai.RoleUser)}
		var h heard
		if c := client(t, s); streamed {
			h = hear(c.Models.GenerateContentStream(t.Context(), "m", ask, cfg))
		} else {
			h = hear(whole(c.Models.GenerateContent(t.Context(), "m", ask, cfg)))
		}
		if h.err != nil {
			t.Fatal(h.err)
		}
		u := h.last.UsageMetadata
		if h.text != "Hello, wörld 你好" || h.thoughts != "hm" || h.last.Candidates[0].FinishReason != genai.FinishReasonStop || h.last.ModelVersion != "scripted" {
			t.Errorf("streamed %v: %+v", streamed, h)
		}
		if u.PromptTokenCount != 100 || u.CachedContentTokenCount != 60 || u.CandidatesTokenCount+u.ThoughtsTokenCount != 7 {
			t.Errorf("streamed %v: %+v", streamed, u)
		}
	}
}

// The server takes back what the SDK's own chat makes of its calls.
func TestTheSDKCallsTools(t *testing.T) {
	for name, faults := range map[string][]llmtest.Fault{"plain": nil, "signed": {llmtest.Signature("c2ln")}, "no ids": {llmtest.NoIDs()}} {
		calls := []akitad.Call{llmtest.Call("read", map[string]any{"p": "a<b>&c"}), llmtest.Call("now", map[string]any{})}
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Calls(calls...).Saying("I look."), llmtest.Text("done")), llmtest.Options{}).Always(faults...)
		chat, err := client(t, s).Chats.Create(t.Context(), "m", &genai.GenerateContentConfig{Tools: tools}, nil)
		if err != nil {
			t.Fatal(err)
		}
		h := hear(chat.SendMessageStream(t.Context(), genai.Part{Text: "go"}))
		if h.err != nil || len(h.calls) != 2 || h.calls[0].Name != "read" || h.calls[0].Args["p"] != "a<b>&c" || h.calls[1].Name != "now" {
			t.Fatalf("%s: %+v", name, h)
		}
		h = hear(whole(chat.SendMessage(t.Context(),
			genai.Part{FunctionResponse: &genai.FunctionResponse{ID: h.calls[0].ID, Name: h.calls[0].Name, Response: map[string]any{"output": "hello"}}},
			genai.Part{FunctionResponse: &genai.FunctionResponse{ID: h.calls[1].ID, Name: h.calls[1].Name, Response: map[string]any{"error": "broken"}}})))
		if h.err != nil || h.text != "done" {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

func TestTheSDKReadsErrors(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.FailKind(akitad.RateLimited), llmtest.FailKind(akitad.Overloaded), llmtest.Text("hello there")), llmtest.Options{})
	c, ask := client(t, s), genai.Text("x")
	for i, want := range []genai.APIError{{Code: 429, Status: "RESOURCE_EXHAUSTED"}, {Code: 503, Status: "UNAVAILABLE"}, {Code: 503, Status: "UNAVAILABLE"}} {
		switch i {
		case 0:
			checkError(t, hear(whole(c.Models.GenerateContent(t.Context(), "m", ask, nil))), want)
		case 1:
			checkError(t, hear(c.Models.GenerateContentStream(t.Context(), "m", ask, nil)), want)
		case 2:
			s.Next(llmtest.ErrorAfter(1, 503, "overloaded"))
			checkError(t, hear(c.Models.GenerateContentStream(t.Context(), "m", ask, nil)), want)
		}
	}
}

func checkError(t *testing.T, h heard, want genai.APIError) {
	t.Helper()
	var got genai.APIError
	if !errors.As(h.err, &got) || got.Code != want.Code || got.Status != want.Status {
		t.Errorf("got %v, want %v", h.err, want)
	}
}

// The SDK's types hold all that our requests say.
func TestTheSDKReadsOurRequests(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Calls(llmtest.Call("read", map[string]any{"p": 1})).With(llmtest.Signature("c2ln")), llmtest.Text("ok")), llmtest.Options{})
	p := gemini.New("m", gemini.Options{BaseURL: s.Root()})
	req := llm.Request{
		System: "s", MaxOutput: 7, Choice: llm.ChoiceNone,
		Messages: []llm.Message{{Speaker: llm.User, Text: "hi", Parts: []llm.Part{{Name: "a.png", MIME: "image/png", Data: []byte{1}}}}},
		Tools: []llm.Tool{{Name: "read", Description: "Reads.", Schema: json.RawMessage(
			`{"properties":{"p":{"type":["integer","null"],"enum":[1,2]},"q":{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#"}}]}},"required":["p"]}`)}},
	}
	reply, err := p.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = append(req.Messages, reply.Message(), llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{{Call: reply.Calls[0].ID, Tool: "read", Text: "x"}}})
	if _, err := p.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	var in struct {
		SystemInstruction *genai.Content          `json:"systemInstruction"`
		Tools             []*genai.Tool           `json:"tools"`
		ToolConfig        *genai.ToolConfig       `json:"toolConfig"`
		GenerationConfig  *genai.GenerationConfig `json:"generationConfig"`
		Contents          []*genai.Content        `json:"contents"`
	}
	sent := s.Seen()[1].Body
	dec := json.NewDecoder(bytes.NewReader(sent))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sorted(t, again), sorted(t, sent); !strings.EqualFold(got, want) {
		t.Errorf("the SDK makes of our request\n%s\nwhich was\n%s", got, want)
	}
}

// sorted gives JSON with the names of its objects in order.
func sorted(t *testing.T, data []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
