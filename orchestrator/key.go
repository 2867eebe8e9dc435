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

// checkKey refuses an idempotency key that was used for a different request.
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

// sameRequest returns a Conflict if the task of a request's key was made of a different text, profile, plan,
// flow or parameters.
func (o *Orchestrator) sameRequest(t *journal.Task, req akitad.TaskRequest, ask bool) error {
	other := ""
	switch {
	case req.IdempotencyKey == "":
	case req.Text != t.Sub.Text && (req.Flow == "" || strings.TrimSpace(req.Text) != ""): // without a text, the text is the flow's goal
		other = "text"
	case cmp.Or(req.Profile, o.opts.Default) != t.Sub.Profile:
		other = "profile"
	case req.Model != t.Sub.Model, !slices.Equal(req.Tags, t.Sub.Tags):
		other = "model"
	case req.Flow != t.Sub.Flow:
		other = "flow"
	case req.Flow == "" && req.Plan != t.Sub.Plan, ask && !t.Sub.PlanAsk: // the plan of a flow may have changed since
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

// sameParams compares parameters as JSON, because those in a journal were read from JSON.
func sameParams(a, b map[string]any) bool {
	if len(a) == 0 && len(b) == 0 {
		return true
	}
	left, lerr := json.Marshal(a)
	right, rerr := json.Marshal(b)
	return lerr == nil && rerr == nil && bytes.Equal(left, right)
}
