package admin

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/akitad/akitad"
)

// Paths that speak as OpenAI's do, errors included.
const (
	completionsPath = "/v1/chat/completions"
	modelsPath      = "/v1/models"
)

// openAI reports whether a request is for one of the paths that speak as OpenAI's do.
func openAI(r *http.Request) bool { return openAIPath(r.URL.Path) }

func openAIPath(path string) bool {
	return path == completionsPath || path == modelsPath || strings.HasPrefix(path, modelsPath+"/")
}

// completionIn is what is read of a request; all else that clients send is for models, and passed over.
type completionIn struct {
	Model         string        `json:"model"`
	Messages      []chatMessage `json:"messages"`
	Stream        bool          `json:"stream"`
	StreamOptions struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
	User   string          `json:"user"`
	N      int             `json:"n"`
	Tools  json.RawMessage `json:"tools"`
	Funcs  json.RawMessage `json:"functions"` // what tools were called before
	Format *struct {
		Type   string `json:"type"`
		Schema struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
}

// completionOut is a whole answer, or one chunk of a stream.
type completionOut struct {
	ID      string             `json:"id"`
	Object  string             `json:"object"`
	Created int64              `json:"created"`
	Model   string             `json:"model"`
	Choices []completionChoice `json:"choices"`
	Usage   *completionUsage   `json:"usage,omitempty"`
	Akita   *completionTask    `json:"akita,omitempty"`
}

type completionChoice struct {
	Index   int              `json:"index"`
	Message *completionWords `json:"message,omitempty"`
	Delta   *completionWords `json:"delta,omitempty"`
	Finish  *string          `json:"finish_reason"`
}

type completionWords struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

type completionUsage struct {
	Input   int `json:"prompt_tokens"`
	Output  int `json:"completion_tokens"`
	Total   int `json:"total_tokens"`
	Details struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// completionTask is what stands beside an answer and OpenAI has no field for.
type completionTask struct {
	Task     akitad.TaskID        `json:"task"`
	State    akitad.State         `json:"state"`
	Partial  bool                 `json:"partial,omitempty"`
	Missing  []string             `json:"missing,omitempty"`
	Degraded []akitad.Degradation `json:"degraded,omitempty"`
	Files    []akitad.File        `json:"files,omitempty"`
	Cost     float64              `json:"cost,omitempty"`
}

func usageOf(u akitad.Usage) *completionUsage {
	out := &completionUsage{Input: u.Input, Output: u.Output, Total: u.Input + u.Output}
	out.Details.Cached = u.Cached
	return out
}

// openAIError is an error in OpenAI's shape.
type openAIError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    string  `json:"code"`
}

// errorTypes are those that do not follow from who is at fault, the client or the server.
var errorTypes = map[int]string{
	http.StatusUnauthorized: "authentication_error", http.StatusForbidden: "permission_error",
	http.StatusPaymentRequired: "insufficient_quota", http.StatusTooManyRequests: "rate_limit_error",
}

// asOpenAI gives a problem in OpenAI's shape, and its status.
func asOpenAI(p *Problem) (openAIError, int) {
	status := p.Status
	if status == http.StatusUnprocessableEntity {
		status = http.StatusBadRequest
	}
	message := p.Detail
	if p.Hint != "" {
		message += " (" + p.Hint + ")"
	}
	fault := "invalid_request_error"
	if status >= http.StatusInternalServerError {
		fault = "server_error"
	}
	return openAIError{Message: message, Type: cmp.Or(errorTypes[status], fault), Code: p.Code}, status
}

// writeOpenAIError answers with a problem. Clients are told not to try again by themselves: what could be
// tried again was, and a task that is made anew does all its work anew.
func writeOpenAIError(w http.ResponseWriter, p *Problem) {
	e, status := asOpenAI(p)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Should-Retry", "false")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]openAIError{"error": e}) // a client that is gone cannot be told
}
