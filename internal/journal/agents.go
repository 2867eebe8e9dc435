package journal

import (
	"cmp"

	"github.com/akitad/akitad"
)

// PassedOver returns the task's own hand-overs from one agent to the next, oldest first, without those
// of its children.
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

// NextAgent returns the first agent of the chain that has not had the task yet and that usable accepts,
// or false if there is none. now is the agent that has the task.
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
