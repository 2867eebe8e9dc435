package wire

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Finish completes a reply with the reason for its end: FinishLength if the answer was cut off, else FinishCalls if there
// are calls, whatever the server calls the end, else FinishStop. An end that is a failure (see Ended) is its error, and of
// the reply only the usage is left: what was said until then is not an answer, and of calls nobody knows whether they are
// whole.
func Finish(out llm.Reply, reason string) (llm.Reply, error) {
	cut, err := Ended(reason)
	switch {
	case err != nil:
		return llm.Reply{Usage: out.Usage}, err
	case cut:
		out.Finish = llm.FinishLength
	case len(out.Calls) > 0:
		out.Finish = llm.FinishCalls
	default:
		out.Finish = llm.FinishStop
	}
	return out, nil
}

// Ended reads why a server says that an answer ends, under the names that vendors, and gateways between their protocols,
// have for it, in any case. cut says that the answer is not complete; the error is that of an end which is a failure, with
// the kind content_filtered, overloaded or transport. Any other reason is a usual end.
func Ended(reason string) (cut bool, err error) {
	// Google puts its own name for it behind a colon.
	name, detail, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(reason), "finish_reason_"), ":")
	switch name {
	case "length", "max_tokens", "model_length", "max_output_tokens", "max_length", "token_limit", "truncated",
		"model_context_window_exceeded", "repetition_truncation":
		return true, nil
	case "content_filter", "content_filtered", "guardrail_intervened", "sensitive",
		// of the Gemini API and Vertex AI
		"safety", "recitation", "blocklist", "prohibited_content", "spii", "language", "model_armor", "jailbreak",
		"image_safety", "image_prohibited_content", "image_recitation", "escalation":
		return false, akitad.Errorf(akitad.ContentFiltered, "the server filtered the answer out: %s", reason)
	case "insufficient_system_resource", "engine_overloaded", "overloaded":
		return false, akitad.Errorf(akitad.Overloaded, "the server ran out of resources")
	case "error", "network_error", "abort", "aborted", "cancelled", "timeout", "time_limit":
		return false, akitad.Errorf(akitad.Transport, "the server failed while it answered: %s", reason)
	}
	// A call that came out wrong may come out right when it is asked for again.
	if name == "function_call_filter" || name == "unexpected_tool_call" || name == "too_many_tool_calls" || strings.Contains(name+detail, "malformed") {
		return false, akitad.Errorf(akitad.Transport, "the model made a call that the server could not read: %s", reason)
	}
	return false, nil
}
