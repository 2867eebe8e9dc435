package agent

import (
	"cmp"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// Choice gives which model, and endpoints with which tags, serve a task: what its plan's step says, else
// the request that its root came from, else its profile. Both may be empty.
func Choice(p akitad.Profile, t *journal.Task) (model string, tags []string) {
	step := akitad.Step{}
	if t.Sub.Step != nil {
		step = *t.Sub.Step
	}
	for _, from := range [][]string{step.Tags, t.Sub.Tags, p.Tags} {
		if len(tags) == 0 {
			tags = from
		}
	}
	return cmp.Or(step.Model, t.Sub.Model, p.Model), tags
}
