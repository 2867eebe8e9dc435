package anthropic

import (
	"encoding/json"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// complete adds the reason for the end, the model and the usage. A refusal is a failure: another
// endpoint may answer.
func (a *answer) complete(out llm.Reply) (llm.Reply, error) {
	out.Model, out.Usage = a.model, a.usage.usage()
	switch a.stop {
	case "refusal":
		return llm.Reply{Usage: out.Usage}, akitad.Errorf(akitad.ContentFiltered, "the model refuses to answer")
	case "content_filter", "content_filtered", "guardrail_intervened", "safety":
		return llm.Reply{Usage: out.Usage}, akitad.Errorf(akitad.ContentFiltered, "the server filtered the answer out")
	case "error", "aborted", "malformed_model_output", "malformed_tool_use":
		return llm.Reply{Usage: out.Usage}, akitad.Errorf(akitad.Transport, "the server failed while it answered: %s", a.stop)
	case "max_tokens", "model_context_window_exceeded", "length":
		out.Finish = llm.FinishLength
		return out, nil
	}
	// Whether there are calls counts more than what the server calls the end: end_turn, tool_use,
	// stop_sequence, or pause_turn, which leaves it to the next request to go on.
	out.Finish = llm.FinishStop
	if len(out.Calls) > 0 {
		out.Finish = llm.FinishCalls
	}
	return out, nil
}

// usage is what servers report of tokens. What is read from a cache or written to one is not part of
// the input as they count it.
type usage struct {
	Input   float64 `json:"input_tokens"`
	Read    float64 `json:"cache_read_input_tokens"`
	Written float64 `json:"cache_creation_input_tokens"`
	Output  float64 `json:"output_tokens"`
}

// UnmarshalJSON implements json.Unmarshaler. It refuses nothing: an answer is not to fail by what it is
// said to have cost.
func (u *usage) UnmarshalJSON(data []byte) error {
	type plain usage
	var p plain
	if json.Unmarshal(data, &p) == nil {
		*u = usage(p)
	}
	return nil
}

// with gives the usage with what is said of it later: counts that grow, and, from some servers, those
// that were 0 at first.
func (u usage) with(later usage) usage {
	return usage{max(u.Input, later.Input), max(u.Read, later.Read), max(u.Written, later.Written), max(u.Output, later.Output)}
}

func (u usage) usage() akitad.Usage {
	u = usage{}.with(u)
	return akitad.Usage{Input: int(u.Input + u.Read + u.Written), Cached: int(u.Read), Output: int(u.Output), Calls: 1}
}
