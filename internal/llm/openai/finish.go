package openai

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// complete adds the reason for the end, the model and the usage. Reasons that stand for a failure
// become one.
func complete(out llm.Reply, finish, model string, u *usage) (llm.Reply, error) {
	out.Model, out.Usage = model, u.usage()
	switch strings.ToLower(finish) {
	case "length", "max_tokens", "model_length", "max_output_tokens", "max_length", "token_limit", "truncated",
		"model_context_window_exceeded", "repetition_truncation":
		out.Finish = llm.FinishLength
		return out, nil
	case "content_filter", "safety", "sensitive", "recitation", "blocklist", "prohibited_content":
		return llm.Reply{}, akitad.Errorf(akitad.ContentFiltered, "the server filtered the answer out")
	case "insufficient_system_resource", "engine_overloaded", "overloaded":
		return llm.Reply{}, akitad.Errorf(akitad.Overloaded, "the server ran out of resources")
	case "error", "network_error", "abort", "aborted", "cancelled", "timeout":
		return llm.Reply{}, akitad.Errorf(akitad.Transport, "the server failed while it answered")
	}
	// Whether there are calls counts more than what the server calls the end.
	out.Finish = llm.FinishStop
	if len(out.Calls) > 0 {
		out.Finish = llm.FinishCalls
	}
	return out, nil
}

// usage is what servers report of tokens. Numbers may come as floats.
type usage struct {
	Prompt     float64 `json:"prompt_tokens"`
	Completion float64 `json:"completion_tokens"`
	Input      float64 `json:"input_tokens"` // of proxies that know other protocols
	Output     float64 `json:"output_tokens"`
	Details    *struct {
		Cached float64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	DeepSeek float64 `json:"prompt_cache_hit_tokens"`
	Moonshot float64 `json:"cached_tokens"`
}

func (u *usage) usage() akitad.Usage {
	if u == nil {
		return akitad.Usage{Calls: 1}
	}
	cached := max(u.DeepSeek, u.Moonshot)
	if u.Details != nil {
		cached = max(cached, u.Details.Cached)
	}
	input, output := max(u.Prompt, u.Input, 0), max(u.Completion, u.Output, 0)
	return akitad.Usage{Input: int(input), Cached: int(max(min(cached, input), 0)), Output: int(output), Calls: 1}
}

func firstUsage(all ...*usage) *usage {
	for _, u := range all {
		if u != nil {
			return u
		}
	}
	return nil
}
