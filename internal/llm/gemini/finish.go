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

// complete adds the reason for the end. A reason that is neither STOP nor known to wire.Ended is a failure too: Google adds
// names for answers that it stopped, and none for those that ended well.
func (a *answer) complete(out llm.Reply) (llm.Reply, error) {
	var err error
	switch reason := strings.ToUpper(a.finish); {
	case reason == "" && a.blocked != "":
		err = akitad.Errorf(akitad.ContentFiltered, "the server filtered the request out: %s", a.blocked)
	case reason == "" || reason == "STOP":
		return wire.Finish(out, reason)
	case reason == "MISSING_THOUGHT_SIGNATURE":
		err = &akitad.Error{Kind: akitad.InvalidRequest, Err: &llm.ServerError{Code: reason, Message: "a call has no thought_signature"}}
	default:
		ended, failed := wire.Finish(out, reason)
		if failed != nil || ended.Finish == llm.FinishLength {
			return ended, failed
		}
		err = akitad.Errorf(akitad.Unknown, "the server stopped the answer: %s", reason)
	}
	return llm.Reply{Usage: out.Usage}, err
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
