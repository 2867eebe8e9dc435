package openai

import (
	"math"
	"strconv"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// complete adds the reason for the end, the model and the usage. Reasons that stand for a failure
// become one.
func complete(out llm.Reply, finish, model string, u *usage) (llm.Reply, error) {
	out.Model, out.Usage = model, u.usage()
	reason := strings.ToLower(finish)
	if strings.Contains(reason, "malformed") { // Google's, in its own words behind a colon
		return llm.Reply{Usage: out.Usage}, akitad.Errorf(akitad.Transport, "the model made a call that the server could not read: %s", finish)
	}
	switch reason {
	case "length", "max_tokens", "model_length", "max_output_tokens", "max_length", "token_limit", "truncated",
		"model_context_window_exceeded", "repetition_truncation":
		out.Finish = llm.FinishLength
		return out, nil
	case "content_filter", "safety", "sensitive", "recitation", "blocklist", "prohibited_content":
		return llm.Reply{Usage: out.Usage}, akitad.Errorf(akitad.ContentFiltered, "the server filtered the answer out")
	case "insufficient_system_resource", "engine_overloaded", "overloaded":
		return llm.Reply{Usage: out.Usage}, akitad.Errorf(akitad.Overloaded, "the server ran out of resources")
	case "error", "network_error", "abort", "aborted", "cancelled", "timeout":
		return llm.Reply{Usage: out.Usage}, akitad.Errorf(akitad.Transport, "the server failed while it answered")
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
	Prompt     count           `json:"prompt_tokens"`
	Completion count           `json:"completion_tokens"`
	Input      count           `json:"input_tokens"` // of proxies that know other protocols
	Output     count           `json:"output_tokens"`
	Details    object[details] `json:"prompt_tokens_details"`
	DeepSeek   count           `json:"prompt_cache_hit_tokens"`
	Moonshot   count           `json:"cached_tokens"`
}

type details struct {
	Cached count `json:"cached_tokens"`
}

// count is a number, or the text of one; what is neither counts nothing, for an answer is not to fail
// by what it is said to have cost.
type count float64

// UnmarshalJSON implements json.Unmarshaler. It refuses nothing.
func (c *count) UnmarshalJSON(data []byte) error {
	if n, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64); err == nil && n == n && n < math.MaxInt32 {
		*c = count(n)
	}
	return nil
}

func (u *usage) usage() akitad.Usage {
	if u == nil {
		return akitad.Usage{Calls: 1}
	}
	cached := max(u.DeepSeek, u.Moonshot)
	if u.Details.it != nil {
		cached = max(cached, u.Details.it.Cached)
	}
	input, output := max(u.Prompt, u.Input, 0), max(u.Completion, u.Output, 0)
	return akitad.Usage{Input: int(input), Cached: int(max(min(cached, input), 0)), Output: int(output), Calls: 1}
}

// lastUsage gives what was said last: some servers send a usage of nothing behind the one that counts.
func lastUsage(before, now *usage) *usage {
	if now == nil || before != nil && now.Prompt+now.Completion+now.Input+now.Output == 0 {
		return before
	}
	return now
}
