package openai

import (
	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// complete adds the reason for the end, the model and the usage. Reasons that stand for a failure
// become one.
func complete(out llm.Reply, finish, model string, u *usage) (llm.Reply, error) {
	out.Model, out.Usage = model, u.usage()
	return wire.Finish(out, finish)
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

// count is a number of tokens, of servers that do not always send one.
type count = wire.Count

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
