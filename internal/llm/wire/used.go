package wire

import (
	"encoding/json"

	"github.com/akitad/akitad"
)

// usedBy reads what a refused request used all the same, if its answer tells: as the protocols do beside an
// answer.
func usedBy(body []byte) akitad.Usage {
	var told struct {
		Usage struct {
			Prompt     int `json:"prompt_tokens"` // openai: the cached ones are among them
			Completion int `json:"completion_tokens"`
			Details    struct {
				Cached int `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`

			Input  int `json:"input_tokens"` // anthropic: the cached ones stand beside them
			Read   int `json:"cache_read_input_tokens"`
			Stored int `json:"cache_creation_input_tokens"`
			Output int `json:"output_tokens"`
		} `json:"usage"`
		Gemini struct {
			Prompt     int `json:"promptTokenCount"`
			Cached     int `json:"cachedContentTokenCount"`
			Candidates int `json:"candidatesTokenCount"`
			Thoughts   int `json:"thoughtsTokenCount"`
		} `json:"usageMetadata"`
	}
	if json.Unmarshal(body, &told) != nil {
		return akitad.Usage{}
	}
	u, g := told.Usage, told.Gemini
	in := max(0, u.Prompt) + max(0, u.Input) + max(0, u.Read) + max(0, u.Stored) + max(0, g.Prompt)
	return akitad.Usage{
		Input: in, Cached: min(in, max(0, u.Details.Cached)+max(0, u.Read)+max(0, g.Cached)),
		Output: max(0, u.Completion) + max(0, u.Output) + max(0, g.Candidates) + max(0, g.Thoughts),
	}
}
