package llmtest

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

type geminiReply struct {
	Candidates []geminiCandidate `json:"candidates"`
	Usage      *geminiUsage      `json:"usageMetadata,omitempty"`
	Model      string            `json:"modelVersion"`
	ID         string            `json:"responseId"`
}

type geminiCandidate struct {
	Content *geminiContent `json:"content,omitempty"`
	Finish  string         `json:"finishReason,omitempty"`
	Index   int            `json:"index"`
}

type geminiUsage struct {
	Prompt   int `json:"promptTokenCount"`
	Cached   int `json:"cachedContentTokenCount,omitempty"`
	Answer   int `json:"candidatesTokenCount,omitempty"`
	Thoughts int `json:"thoughtsTokenCount,omitempty"`
	Total    int `json:"totalTokenCount"`
}

// geminiUsageOf returns the tokens; of an answer with thoughts one is theirs.
func (s shape) geminiUsageOf(u akitad.Usage) *geminiUsage {
	if s.noUsage {
		return nil
	}
	out := &geminiUsage{Prompt: u.Input, Cached: u.Cached, Answer: u.Output, Total: u.Input + u.Output}
	if s.reasoning != "" && u.Output > 0 {
		out.Thoughts, out.Answer = 1, u.Output-1
	}
	return out
}

func (s shape) geminiFinish(f llm.Finish) string {
	if s.finish != "" {
		return s.finish
	}
	switch f {
	case llm.FinishLength:
		return "MAX_TOKENS"
	case llm.FinishFiltered:
		return "SAFETY"
	}
	return "STOP" // also behind calls
}

// geminiParts are the parts of a reply, its text in the pieces given.
func (s shape) geminiParts(r llm.Reply, texts []string) (out []geminiPart) {
	if s.reasoning != "" {
		out = append(out, geminiPart{Text: &s.reasoning, Thought: true})
	}
	for _, t := range texts {
		out = append(out, geminiPart{Text: &t})
	}
	for i, c := range r.Calls {
		p := geminiPart{Call: &geminiCall{ID: c.ID, Name: llm.WireName(c.Tool), Args: c.Args}}
		if i == 0 {
			p.Signature = s.signature
		}
		switch {
		case s.noIDs:
			p.Call.ID = ""
		case s.sameIDs:
			p.Call.ID = "call_same"
		}
		if string(c.Args) == "{}" && s.nullContent {
			p.Call.Args = json.RawMessage("null")
		}
		out = append(out, p)
	}
	return out
}

func geminiWhole(s shape, r llm.Reply) []byte {
	texts := []string{r.Text}
	if r.Text == "" {
		texts = nil
	}
	c := geminiCandidate{Content: &geminiContent{Role: "model", Parts: s.geminiParts(r, texts)}, Finish: s.geminiFinish(r.Finish)}
	return []byte(encode(geminiReply{Candidates: []geminiCandidate{c}, Usage: s.geminiUsageOf(r.Usage), Model: r.Model, ID: "r1"}))
}

// geminiChunks returns one part a chunk, each call whole, as the service does; the last chunk says why
// it ends, beside an empty text.
func geminiChunks(s shape, r llm.Reply) (out []chunk) {
	for _, p := range s.geminiParts(r, halves(r.Text)) {
		next := chunk{data: encode(geminiReply{
			Candidates: []geminiCandidate{{Content: &geminiContent{Role: "model", Parts: []geminiPart{p}}}},
			Usage:      s.geminiUsageOf(akitad.Usage{Input: r.Usage.Input, Cached: r.Usage.Cached}), Model: r.Model, ID: "r1",
		})}
		if p.Call != nil {
			next.call = wholeCall
		}
		out = append(out, next)
	}
	last := geminiCandidate{Content: &geminiContent{Role: "model", Parts: []geminiPart{{Text: new(string)}}}, Finish: s.geminiFinish(r.Finish)}
	if s.nullContent {
		last.Content = nil
	}
	return append(out, chunk{data: encode(geminiReply{Candidates: []geminiCandidate{last}, Usage: s.geminiUsageOf(r.Usage), Model: r.Model, ID: "r1"})})
}

// geminiProblem is written over several lines, as the service does.
func geminiProblem(status int, message string) string {
	var out bytes.Buffer
	compact := encode(map[string]any{"error": map[string]any{"code": status, "message": message, "status": geminiStatus(status)}})
	if err := json.Indent(&out, []byte(compact), "", "  "); err != nil {
		return compact
	}
	return out.String()
}

// geminiStatus returns the name that goes with a status.
func geminiStatus(status int) string {
	name, ok := map[int]string{
		http.StatusBadRequest: "INVALID_ARGUMENT", http.StatusUnauthorized: "UNAUTHENTICATED", http.StatusForbidden: "PERMISSION_DENIED",
		http.StatusNotFound: "NOT_FOUND", http.StatusTooManyRequests: "RESOURCE_EXHAUSTED", http.StatusInternalServerError: "INTERNAL",
		http.StatusServiceUnavailable: "UNAVAILABLE", http.StatusGatewayTimeout: "DEADLINE_EXCEEDED",
	}[status]
	if !ok {
		return "UNKNOWN"
	}
	return name
}
