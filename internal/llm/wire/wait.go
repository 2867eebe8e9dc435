package wire

import (
	"cmp"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/pattern"
)

// waits is what stands before the time for which a server wants to be left alone, where no header says it:
// "try again in 1m30.5s", "retry after 20 seconds", "resets in 6hr 29min", "请 5 分钟后再试".
var waits = pattern.New(`(?i)(?:(?:re)?try(?: again)?|wait)(?: in| after| for)?(?: about| approximately)? |(?:resets?|available) (?:in|after) |请(?:在|于|等待)?`)

// waitFields are the same as fields, of Google and of some proxies, also within a text. Without a unit they are seconds.
var waitFields = pattern.New(`(?i)"(?:retry[-_]?(?:delay|after)|resets?_in|estimated_time)(?:_seconds)?([-_]ms)?\\*"\s*:\s*(?:\\*")?([\d.]+[\w. ]*)`)

// waitIn gives how long a server asks to be left alone in the text of its refusal; 0 if it does not.
func waitIn(body []byte) time.Duration {
	text := string(body)
	for _, at := range waits.FindAllStringIndex(text, -1) {
		if wait, ok := llm.ReadSpan(text[at[1]:]); ok {
			return wait
		}
	}
	for _, m := range waitFields.FindAllStringSubmatch(text, -1) {
		for _, span := range []string{m[2], m[2] + cmp.Or(strings.TrimLeft(m[1], "-_"), "s")} {
			if wait, ok := llm.ReadSpan(span); ok {
				return wait
			}
		}
	}
	return 0
}
