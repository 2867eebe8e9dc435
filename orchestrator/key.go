package orchestrator

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// checkKey refuses an idempotency key whose task, if there is one, was made of another request.
func (o *Orchestrator) checkKey(ctx context.Context, id akitad.TaskID, req akitad.TaskRequest, ask bool) error {
	if req.IdempotencyKey == "" {
		return nil
	}
	t, err := o.Journal.Load(ctx, id)
	if err != nil || !t.Exists() {
		return err
	}
	return o.sameRequest(t, req, ask)
}

// sameRequest is a Conflict if the key of a request belongs to a task that was made of other words, for
// another agent, or to run another plan or flow, or one with other parameters.
func (o *Orchestrator) sameRequest(t *journal.Task, req akitad.TaskRequest, ask bool) error {
	other := ""
	switch {
	case req.IdempotencyKey == "":
	case req.Text != t.Sub.Text && (req.Flow == "" || strings.TrimSpace(req.Text) != ""): // a flow has words of its own
		other = "text"
	case cmp.Or(req.Profile, o.opts.Default) != t.Sub.Profile:
		other = "profile"
	case req.Model != t.Sub.Model, !slices.Equal(req.Tags, t.Sub.Tags):
		other = "model"
	case req.Flow != t.Sub.Flow:
		other = "flow"
	case req.Flow == "" && req.Plan != t.Sub.Plan, ask && !t.Sub.PlanAsk: // a flow's plan is what it was then
		other = "plan"
	case !sameParams(req.Params, t.Sub.Params):
		other = "params"
	}
	if other == "" {
		return nil
	}
	return conflictf("use a new key for new work, or look at it: akitad task show "+string(t.ID),
		"the idempotency key belongs to task %s, which was asked for with another %s", t.ID, other)
}

// sameParams compares parameters as JSON: those of a journal have been read from it.
func sameParams(a, b map[string]any) bool {
	if len(a) == 0 && len(b) == 0 {
		return true
	}
	left, lerr := json.Marshal(a)
	right, rerr := json.Marshal(b)
	return lerr == nil && rerr == nil && bytes.Equal(left, right)
}
