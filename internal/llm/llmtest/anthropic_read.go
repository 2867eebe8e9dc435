package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// anthropic is Messages.
func anthropic() protocol {
	return protocol{
		serves: func(path string) bool { return strings.HasSuffix(path, "/v1/messages") },
		parse:  parseAnthropic,
		whole:  func(how shape, r llm.Reply) []byte { return how.message(r) },
		chunks: func(how shape, r llm.Reply) []chunk { return how.messageEvents(r) },
		problem: func(status int, message string) string {
			return `{"type":"error","error":{"type":` + quote(anthropicType(status)) + `,"message":` + quote(message) + `},"request_id":"req_1"}`
		},
	}
}

func anthropicType(status int) string {
	types := map[int]string{
		400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
		413: "request_too_large", 429: "rate_limit_error", 503: "overloaded_error", 504: "timeout_error", 529: "overloaded_error",
	}
	if t, ok := types[status]; ok {
		return t
	}
	return "api_error"
}

// messagesRequest is what the service takes; a field that is not here is refused.
type messagesRequest struct {
	Model      string          `json:"model"`
	MaxTokens  int             `json:"max_tokens"`
	Stream     bool            `json:"stream"`
	Thinking   *thinkingField  `json:"thinking"`
	Tools      []messagesTool  `json:"tools"`
	ToolChoice json.RawMessage `json:"tool_choice"`
	System     []messageBlock  `json:"system"`
	Messages   []messagesTurn  `json:"messages"`
}

type thinkingField struct {
	Type   string `json:"type"`
	Budget int    `json:"budget_tokens"`
}

type messagesTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"`
	Cache       json.RawMessage `json:"cache_control"`
}

type messagesTurn struct {
	Role    string         `json:"role"`
	Content []messageBlock `json:"content"`
}

// messageBlock is a block of any type.
type messageBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	Call      string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	Failed    bool            `json:"is_error"`
	Title     string          `json:"title"`
	Source    blockSource     `json:"source"`
	Cache     json.RawMessage `json:"cache_control"`
	Citations json.RawMessage `json:"citations"`
}

type blockSource struct {
	Type string `json:"type"`
	MIME string `json:"media_type"`
	Data string `json:"data"`
}

func parseAnthropic(_ *Server, r *http.Request, body []byte) (llm.Request, bool, error) {
	out := requestOf(r.Header)
	if r.Header.Get("X-Api-Key") == "" && r.Header.Get("Authorization") == "" {
		return out, false, akitad.Errorf(akitad.Auth, "x-api-key header is required")
	}
	if r.Header.Get("Anthropic-Version") == "" {
		return out, false, fmt.Errorf("anthropic-version: header is required")
	}
	var in messagesRequest
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return out, false, fmt.Errorf("cannot parse the request: %w", err)
	}
	if string(in.ToolChoice) == `{"type":"none"}` {
		out.Choice = llm.ChoiceNone
	}
	for _, b := range in.System {
		out.System += b.Text
	}
	for _, t := range in.Tools {
		out.Tools = append(out.Tools, llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	for i, m := range in.Messages {
		out.Messages = append(out.Messages, m.read(in.before(i))...)
	}
	return out, in.Stream, in.check()
}

// before returns the calls of the message before the i-th, by id.
func (in messagesRequest) before(i int) map[string]string {
	calls := map[string]string{}
	if i > 0 {
		for _, b := range in.Messages[i-1].Content {
			if b.Type == "tool_use" {
				calls[b.ID] = b.Name
			}
		}
	}
	return calls
}

// read returns a message in the form that scripts match: what tools answered is one of its own, and so is
// every text of a person.
func (m messagesTurn) read(calls map[string]string) (out []llm.Message) {
	var parts []llm.Part
	said := llm.Message{Speaker: llm.Assistant}
	for _, b := range m.Content {
		switch {
		case b.Type == "tool_result":
			out = addResult(out, akitad.Observation{Call: b.Call, Tool: calls[b.Call], Text: contentText(b.Content)})
		case b.Type == "image" || b.Type == "document":
			parts = append(parts, llm.Part{Name: b.Title, MIME: b.Source.MIME, Data: []byte(b.Source.Data)})
		case b.Type == "tool_use":
			said.Calls = append(said.Calls, akitad.Call{ID: b.ID, Tool: b.Name, Args: b.Input})
		case m.Role == "assistant":
			said.Text += b.Text
		default:
			out = append(out, llm.Message{Speaker: llm.User, Text: b.Text, Parts: parts})
			parts = nil
		}
	}
	if m.Role == "assistant" {
		return append(out, said)
	}
	if len(parts) > 0 {
		out = append(out, llm.Message{Speaker: llm.User, Parts: parts})
	}
	return out
}

var (
	anthropicID   = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	anthropicName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)
)
