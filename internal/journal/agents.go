package journal

import (
	"cmp"

	"github.com/akitad/akitad"
)

// PassedOver gives the hand-overs of the task itself from one agent to the next, oldest first, not
// those that its children report.
func (t *Task) PassedOver() []akitad.Degradation {
	at := t.Sub.Profile
	if t.Planned != nil {
		at = cmp.Or(t.Planned.Profile, at)
	}
	var out []akitad.Degradation
	for _, d := range t.Degraded {
		if d.Layer == "agent" && d.From == at && len(out) < t.Failover {
			out, at = append(out, d), d.To
		}
	}
	return out
}

// NextAgent gives the first agent of the chain that usable accepts and that has not had the task yet;
// false if none is left. now is the agent that has it.
func (t *Task) NextAgent(now string, chain []string, usable func(string) bool) (string, bool) {
	tried := map[string]bool{now: true, t.Sub.Profile: true}
	for _, d := range t.PassedOver() {
		tried[d.From], tried[d.To] = true, true
	}
	for _, name := range chain {
		if !tried[name] && usable(name) {
			return name, true
		}
	}
	return "", false
}
