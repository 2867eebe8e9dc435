package llmtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// What the server reads of a generateContent request. As with the real service, a name that it does
// not know is an error.
type geminiRequest struct {
	Contents   []geminiContent `json:"contents"`
	System     *geminiContent  `json:"systemInstruction"`
	Tools      []geminiTools   `json:"tools"`
	ToolConfig struct {
		Calling struct {
			Mode string `json:"mode"`
		} `json:"functionCallingConfig"`
	} `json:"toolConfig"`
	Generation struct {
		MaxOutput   int             `json:"maxOutputTokens"`
		Temperature *float64        `json:"temperature"`
		Thinking    json.RawMessage `json:"thinkingConfig"`
	} `json:"generationConfig"`
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts,omitempty"`
}

type geminiPart struct {
	Text      *string         `json:"text,omitempty"`
	Thought   bool            `json:"thought,omitempty"`
	Signature string          `json:"thoughtSignature,omitempty"`
	Call      *geminiCall     `json:"functionCall,omitempty"`
	Result    *geminiResult   `json:"functionResponse,omitempty"`
	Inline    *geminiBlob     `json:"inlineData,omitempty"`
	Code      json.RawMessage `json:"executableCode,omitempty"`
	Output    json.RawMessage `json:"codeExecutionResult,omitempty"`
}

type geminiCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

type geminiResult struct {
	ID       string         `json:"id,omitempty"`
	Name     string         `json:"name"`
	Response map[string]any `json:"response"`
}

type geminiBlob struct {
	MIME string `json:"mimeType"`
	Data []byte `json:"data"`
}

// gemini is generateContent.
func gemini() protocol {
	return protocol{
		serves: func(path string) bool {
			return strings.HasSuffix(path, ":generateContent") || strings.HasSuffix(path, ":streamGenerateContent")
		},
		parse:   parseGemini,
		whole:   geminiWhole,
		chunks:  geminiChunks,
		problem: geminiProblem,
		bare:    true,
	}
}

// parseGemini holds that a person begins, that each call is answered in the
// message behind it, by name and, if it has one, by id, and that the key is in no address. A server that
// signs the calls of all its answers takes none back without.
func parseGemini(s *Server, r *http.Request, body []byte) (llm.Request, bool, error) {
	stream := strings.HasSuffix(r.URL.Path, ":streamGenerateContent")
	out := requestOf(r.Header)
	switch {
	case r.URL.Query().Has("key"):
		return out, false, errors.New("the key is in the address")
	case stream && r.URL.Query().Get("alt") != "sse":
		return out, false, errors.New("a stream of events is asked for by alt=sse")
	}
	var in geminiRequest
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return out, false, fmt.Errorf("cannot parse the request: %w", err)
	}
	if in.ToolConfig.Calling.Mode == "NONE" {
		out.Choice = llm.ChoiceNone
	}
	if in.System != nil {
		out.System = in.System.text()
	}
	var err error
	if out.Tools, err = geminiToolsOf(in.Tools); err != nil {
		return out, false, err
	}
	c := geminiTalk{req: &out, signs: s.standingShape().signature != ""}
	for i, m := range turns(in.Contents) {
		if err := c.add(m); err != nil {
			return out, false, fmt.Errorf("contents[%d]: %w", i, err)
		}
	}
	return out, stream, c.end()
}

// standingShape is how all replies are put on the wire.
func (s *Server) standingShape() shape {
	s.mu.Lock()
	defer s.mu.Unlock()
	return shapeOf(s.standing)
}

func (c geminiContent) text() (out string) {
	for _, p := range c.Parts {
		if p.Text != nil && !p.Thought {
			out += *p.Text
		}
	}
	return out
}

// turns joins contents of one role that follow each other, as the service does.
func turns(in []geminiContent) (out []geminiContent) {
	for _, m := range in {
		m.Role = cmp.Or(m.Role, "user")
		if n := len(out); n > 0 && out[n-1].Role == m.Role && len(m.Parts) > 0 {
			out[n-1].Parts = slices.Concat(out[n-1].Parts, m.Parts)
		} else {
			out = append(out, m)
		}
	}
	return out
}

// geminiTalk reads contents in order.
type geminiTalk struct {
	req   *llm.Request
	last  string // the role
	calls []akitad.Call
	ids   []string // of calls, as they came
	signs bool
}

func (c *geminiTalk) add(m geminiContent) error {
	switch {
	case len(m.Parts) == 0:
		return errors.New("parts must not be empty")
	case m.Role == "model" && c.last == "":
		return errors.New("the conversation begins with the model")
	}
	c.last = m.Role
	switch m.Role {
	case "user":
		return c.user(m)
	case "model":
		return c.model(m)
	}
	return fmt.Errorf("please use a valid role: user, model; not %q", m.Role)
}

func (c *geminiTalk) user(m geminiContent) error {
	answered := 0
	for _, p := range m.Parts {
		switch {
		case p.Result != nil:
			if err := c.result(*p.Result, answered); err != nil {
				return err
			}
			answered++
		case p.Inline != nil:
			c.said(llm.Message{Parts: []llm.Part{{MIME: p.Inline.MIME, Data: p.Inline.Data}}})
		case p.Text != nil && *p.Text != "":
			c.said(llm.Message{Text: *p.Text})
		default:
			return errors.New("a part must hold data")
		}
	}
	if answered != len(c.calls) {
		return fmt.Errorf("the number of function response parts is %d, that of function call parts of the turn before %d", answered, len(c.calls))
	}
	c.calls, c.ids = nil, nil
	return nil
}

// said adds to what the person says in one message.
func (c *geminiTalk) said(m llm.Message) {
	m.Speaker = llm.User
	if n := len(c.req.Messages); n > 0 && c.req.Messages[n-1].Speaker == llm.User {
		last := &c.req.Messages[n-1]
		last.Text, last.Parts = last.Text+m.Text, append(last.Parts, m.Parts...)
		return
	}
	c.req.Messages = append(c.req.Messages, m)
}

func (c *geminiTalk) result(r geminiResult, i int) error {
	switch {
	case i >= len(c.calls):
		return fmt.Errorf("no function call of the turn before is answered by %q", r.Name)
	case r.Name != c.calls[i].Tool || r.ID != c.ids[i]:
		return fmt.Errorf("function response %q %q answers function call %q %q", r.Name, r.ID, c.calls[i].Tool, c.ids[i])
	case len(r.Response) == 0:
		return errors.New("function_response.response: is empty")
	}
	text, ok := r.Response["output"].(string)
	if !ok {
		text, _ = r.Response["error"].(string)
	}
	c.req.Messages = addResult(c.req.Messages, akitad.Observation{Call: c.calls[i].ID, Tool: r.Name, Text: text})
	return nil
}

func (c *geminiTalk) model(m geminiContent) error {
	msg := llm.Message{Speaker: llm.Assistant, Text: m.text()}
	for _, p := range m.Parts {
		if p.Call == nil {
			continue
		}
		args := p.Call.Args
		switch {
		case c.signs && len(msg.Calls) == 0 && p.Signature == "":
			return fmt.Errorf("function call is missing a thought_signature in functionCall parts: `%s`", p.Call.Name)
		case p.Call.Name == "":
			return errors.New("function_call.name: is empty")
		case len(args) > 0 && args[0] != '{' && string(args) != "null":
			return errors.New("function_call.args: is not an object")
		}
		id := p.Call.ID
		if id == "" {
			id = fmt.Sprintf("place_%d_%d", len(c.req.Messages), len(msg.Calls))
		}
		msg.Calls = append(msg.Calls, akitad.Call{ID: id, Tool: p.Call.Name, Args: args})
		c.ids = append(c.ids, p.Call.ID)
	}
	c.calls = msg.Calls
	c.req.Messages = append(c.req.Messages, msg)
	return nil
}

func (c *geminiTalk) end() error {
	switch {
	case c.last == "":
		return errors.New("contents are empty")
	case len(c.calls) > 0:
		return fmt.Errorf("%d function calls are not answered", len(c.calls))
	}
	return nil
}
