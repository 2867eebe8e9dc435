package gemini

import (
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// unspecified is the reason for an end of an answer that goes on.
const unspecified = "FINISH_REASON_UNSPECIFIED"

// complete adds the reason for the end. Reasons that stand for a failure become one: what was said
// until then is not an answer, and of calls nobody knows whether they are whole.
func (a *answer) complete(out llm.Reply) (llm.Reply, error) {
	switch reason := strings.ToUpper(a.finish); reason {
	case "":
		if a.blocked != "" {
			return llm.Reply{Usage: out.Usage}, akitad.Errorf(akitad.ContentFiltered, "the server filtered the request out: %s", a.blocked)
		}
	case "STOP":
	case "MAX_TOKENS":
		out.Finish = llm.FinishLength
		return out, nil
	default:
		return llm.Reply{Usage: out.Usage}, stopped(reason)
	}
	out.Finish = llm.FinishStop
	if len(out.Calls) > 0 {
		out.Finish = llm.FinishCalls
	}
	return out, nil
}

// stopped is the error for a reason that is no end of an answer. A call that came out wrong may come
// out right when it is asked for again.
func stopped(reason string) error {
	switch reason {
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE",
		"MODEL_ARMOR", "JAILBREAK", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "ESCALATION":
		return akitad.Errorf(akitad.ContentFiltered, "the server filtered the answer out: %s", reason)
	case "MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS":
		return akitad.Errorf(akitad.Transport, "the model made a call that the server could not read: %s", reason)
	case "MISSING_THOUGHT_SIGNATURE":
		return &akitad.Error{Kind: akitad.InvalidRequest, Err: &llm.ServerError{Code: reason, Message: "a call has no thought_signature"}}
	}
	return akitad.Errorf(akitad.Unknown, "the server stopped the answer: %s", reason)
}

// usage is what servers report of tokens, so far: with each chunk of a stream.
type usage struct{ Prompt, Tools, Cached, Answer, Thoughts wire.Count }

// UnmarshalJSON implements json.Unmarshaler. It refuses nothing: an answer is not to fail by what it is
// said to have cost. Names are taken in any case, with and without underscores.
func (u *usage) UnmarshalJSON(data []byte) error {
	var all map[string]wire.Count
	_ = json.Unmarshal(data, &all)
	for name, n := range all {
		switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
		case "prompttokencount":
			u.Prompt = n
		case "tooluseprompttokencount": // of what Google's own tools have found
			u.Tools = n
		case "cachedcontenttokencount":
			u.Cached = n
		case "candidatestokencount":
			u.Answer = n
		case "thoughtstokencount":
			u.Thoughts = n
		}
	}
	return nil
}

// raise takes a later report.
func (u *usage) raise(by *usage) {
	if by == nil {
		return
	}
	u.Prompt, u.Tools, u.Cached = max(u.Prompt, by.Prompt), max(u.Tools, by.Tools), max(u.Cached, by.Cached)
	u.Answer, u.Thoughts = max(u.Answer, by.Answer), max(u.Thoughts, by.Thoughts)
}

// usage gives the tokens of one call. Thoughts are paid for as output.
func (u *usage) usage() akitad.Usage {
	return akitad.Usage{Input: int(u.Prompt + u.Tools), Cached: int(min(u.Cached, u.Prompt)), Output: int(u.Answer + u.Thoughts), Calls: 1}
}
