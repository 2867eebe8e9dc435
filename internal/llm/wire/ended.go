package wire

import (
	"strings"

	"github.com/akitad/akitad"
)

// Ended reads why a server says that an answer ends, under the names that vendors, and gateways between their protocols,
// have for it. cut says that the answer is not complete; the error is that of an end which is a failure. All else is a usual
// end.
func Ended(reason string) (cut bool, err error) {
	// Google puts its own name for it behind a colon.
	name, detail, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(reason), "finish_reason_"), ":")
	switch name {
	case "length", "max_tokens", "model_length", "max_output_tokens", "max_length", "token_limit", "truncated",
		"model_context_window_exceeded", "repetition_truncation":
		return true, nil
	case "content_filter", "content_filtered", "guardrail_intervened", "safety", "sensitive", "recitation", "blocklist", "prohibited_content":
		return false, akitad.Errorf(akitad.ContentFiltered, "the server filtered the answer out")
	case "insufficient_system_resource", "engine_overloaded", "overloaded":
		return false, akitad.Errorf(akitad.Overloaded, "the server ran out of resources")
	case "error", "network_error", "abort", "aborted", "cancelled", "timeout", "time_limit":
		return false, akitad.Errorf(akitad.Transport, "the server failed while it answered: %s", reason)
	}
	if name == "function_call_filter" || strings.Contains(name+detail, "malformed") {
		return false, akitad.Errorf(akitad.Transport, "the model made a call that the server could not read: %s", reason)
	}
	return false, nil
}
