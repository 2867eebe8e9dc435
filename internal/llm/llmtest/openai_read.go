package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// request is what the server reads of a chat completion request.
type request struct {
	Stream     bool            `json:"stream"`
	Model      string          `json:"model"`
	Messages   []wireInput     `json:"messages"`
	Tools      json.RawMessage `json:"tools"`
	ToolChoice json.RawMessage `json:"tool_choice"`
}

// toolBlock is the tools of the last request: a client sends the same block again and again, and to
// read it each time would cost more than the rest.
type toolBlock struct {
	mu   sync.Mutex
	raw  []byte
	read []llm.Tool
}

func (b *toolBlock) parse(raw []byte) ([]llm.Tool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.raw != nil && bytes.Equal(raw, b.raw) {
		return b.read[:len(b.read):len(b.read)], nil
	}
	var in []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	b.raw, b.read = raw, nil
	for _, t := range in {
		b.read = append(b.read, llm.Tool{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	return b.read[:len(b.read):len(b.read)], nil
}

type wireInput struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  []call          `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

type call struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// openAI is chat completions.
func openAI() protocol {
	return protocol{
		serves: func(path string) bool { return strings.HasSuffix(path, "/chat/completions") },
		parse:  parseOpenAI,
		whole:  func(how shape, r llm.Reply) []byte { return how.whole(r) },
		chunks: func(how shape, r llm.Reply) []chunk { return how.chunks(r) },
		problem: func(status int, message string) string {
			return `{"error":{"message":` + quote(message) + `,"type":` + quote(openAIType(status)) + `,"code":` + strconv.Itoa(status) + `}}`
		},
	}
}

func openAIType(status int) string {
	if status < http.StatusInternalServerError {
		return "invalid_request_error"
	}
	return "server_error"
}

// requestOf returns what the headers say of a request.
func requestOf(h http.Header) llm.Request {
	return llm.Request{Task: akitad.TaskID(h.Get("X-Akita-Task")), Role: llm.Role(h.Get("X-Akita-Role"))}
}

// parseOpenAI holds that a tool message must answer a call, and that every call must be answered.
func parseOpenAI(s *Server, r *http.Request, body []byte) (llm.Request, bool, error) {
	var in request
	if err := json.Unmarshal(body, &in); err != nil {
		return llm.Request{}, false, fmt.Errorf("cannot parse the request: %w", err)
	}
	out := requestOf(r.Header)
	if string(in.ToolChoice) == `"none"` {
		out.Choice = llm.ChoiceNone
	}
	if len(in.Tools) > 0 {
		var err error
		if out.Tools, err = s.tools.parse(in.Tools); err != nil {
			return out, false, err
		}
	}
	c := conversation{req: &out, open: map[string]string{}}
	for i, m := range in.Messages {
		if err := c.add(m); err != nil {
			return out, false, fmt.Errorf("messages[%d]: %w", i, err)
		}
	}
	return out, in.Stream, c.answered()
}

// conversation reads messages in order.
type conversation struct {
	req  *llm.Request
	open map[string]string // call id -> tool, for calls that no result has answered yet
}

func (c conversation) add(m wireInput) error {
	text := contentText(m.Content)
	if m.Role == "tool" {
		return c.result(m.ToolCallID, text)
	}
	if err := c.answered(); err != nil {
		return err
	}
	switch m.Role {
	case "system", "developer":
		c.req.System += text
	case "user":
		c.req.Messages = append(c.req.Messages, llm.Message{Speaker: llm.User, Text: text})
	case "assistant":
		return c.assistant(m, text)
	default:
		return fmt.Errorf("unknown role %q", m.Role)
	}
	return nil
}

func (c conversation) answered() error {
	if len(c.open) > 0 {
		return fmt.Errorf("%d tool calls are not answered", len(c.open))
	}
	return nil
}

func (c conversation) assistant(m wireInput, text string) error {
	msg := llm.Message{Speaker: llm.Assistant, Text: text}
	for _, wc := range m.ToolCalls {
		if wc.ID == "" || c.open[wc.ID] != "" {
			return fmt.Errorf("tool call id %q is empty or not unique", wc.ID)
		}
		c.open[wc.ID] = wc.Function.Name
		msg.Calls = append(msg.Calls, akitad.Call{ID: wc.ID, Tool: wc.Function.Name, Args: json.RawMessage(wc.Function.Arguments)})
	}
	c.req.Messages = append(c.req.Messages, msg)
	return nil
}

func (c conversation) result(id, text string) error {
	name := c.open[id]
	if name == "" {
		return fmt.Errorf("no tool call has the id %q", id)
	}
	delete(c.open, id)
	c.req.Messages = addResult(c.req.Messages, akitad.Observation{Call: id, Tool: name, Text: text})
	return nil
}

func addResult(ms []llm.Message, o akitad.Observation) []llm.Message {
	if n := len(ms); n > 0 && ms[n-1].Speaker == llm.ToolReply {
		ms[n-1].Results = append(ms[n-1].Results, o)
		return ms
	}
	return append(ms, llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{o}})
}

// contentText reads content that is a string, null, or a list of parts.
func contentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) == nil {
		for _, p := range parts {
			text += p.Text
		}
	}
	return text
}
