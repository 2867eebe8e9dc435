package agent

import (
	"cmp"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// Choice returns the model (a role or an endpoint) and the tags of endpoints that serve a task. The plan's
// step decides, else the request, else the profile; the two are decided separately, and both may be empty.
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
