package llm

import (
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
)

// Arguments gives what a model sent as arguments of a call in the form that Call.Args holds, which
// is always valid JSON, without marks of ours that a model repeats: nothing or null is {}, JSON inside of a JSON string is unwrapped once, and
// text that is not JSON becomes a JSON string, for the tool layer to repair or refuse.
func Arguments(text string) akitad.RawJSON {
	text = unmarked(strings.TrimSpace(text))
	if text == "" || text == "null" {
		return akitad.RawJSON("{}")
	}
	var inner string
	if json.Unmarshal([]byte(text), &inner) == nil {
		if t := strings.TrimSpace(inner); t == "" || strings.HasPrefix(t, "{") && json.Valid([]byte(t)) {
			return Arguments(t)
		}
	}
	if data, err := json.Marshal(json.RawMessage(text)); err == nil {
		return data
	}
	data, err := json.Marshal(text)
	if err != nil {
		return akitad.RawJSON("{}")
	}
	return data
}
