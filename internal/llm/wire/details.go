package wire

import (
	"encoding/json"
	"strings"
	"time"
)

// detail is what Google's services say beside the message of an error: the reason by its name, when to
// come again, and which limits were met.
type detail struct {
	Reason string `json:"reason"`
	Delay  string `json:"retryDelay"` // "20.5s"
	Limits []struct {
		ID    string `json:"quotaId"`
		Value string `json:"quotaValue"`
	} `json:"violations"`
}

// addDetails takes over what details say. Details of another form say nothing.
func (t *told) addDetails(raw json.RawMessage) {
	var all []json.RawMessage
	_ = json.Unmarshal(raw, &all)
	for _, one := range all {
		var d detail
		if json.Unmarshal(one, &d) != nil {
			continue
		}
		if d.Reason != "" {
			t.addCode(d.Reason)
		}
		if wait, err := time.ParseDuration(d.Delay); err == nil {
			t.wait, t.soon = min(max(wait, t.wait), 24*time.Hour), true
		}
		for _, limit := range d.Limits {
			// A day's limit does not pass while a task waits, nor does one of nothing.
			t.spent = t.spent || strings.Contains(strings.ToLower(limit.ID), "perday") || limit.Value == "0"
		}
	}
}
