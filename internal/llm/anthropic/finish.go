package anthropic

import (
	"encoding/json"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// complete adds the reason for the end, the model and the usage. A refusal is a failure: another
// endpoint may answer.
func (a *answer) complete(out llm.Reply) (llm.Reply, error) {
	out.Model, out.Usage = a.model, a.usage.usage()
	if a.stop == "refusal" {
		return llm.Reply{Usage: out.Usage}, akitad.Errorf(akitad.ContentFiltered, "the model refuses to answer")
	}
	// Usual ends are end_turn, tool_use, stop_sequence, and pause_turn, which leaves it to the next request to go on.
	return wire.Finish(out, a.stop)
}

// usage is what servers report of tokens. What is read from a cache or written to one is not part of
// the input as they count it.
type usage struct {
	Input   wire.Count `json:"input_tokens"`
	Read    wire.Count `json:"cache_read_input_tokens"`
	Written wire.Count `json:"cache_creation_input_tokens"`
	Output  wire.Count `json:"output_tokens"`
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
