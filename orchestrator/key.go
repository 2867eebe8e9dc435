package orchestrator

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// checkKey refuses an idempotency key that was used for a different request.
func (o *Orchestrator) checkKey(ctx context.Context, m akitad.Message, req akitad.TaskRequest, ask bool) error {
	if req.IdempotencyKey == "" {
		return nil
	}
	t, err := o.Journal.Load(ctx, m.Task)
	if err != nil || !t.Exists() {
		return err
	}
	return o.sameRequest(t, m, req, ask)
}

// sameRequest returns a Conflict if the task of a request's key was made of a different text, profile, session,
// files, schema, plan, flow or parameters.
func (o *Orchestrator) sameRequest(t *journal.Task, m akitad.Message, req akitad.TaskRequest, ask bool) error {
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
	case m.Session != t.Sub.Session:
		other = "session"
	case !slices.EqualFunc(m.Files, t.Sub.Files, func(a, b akitad.File) bool { return a.Name == b.Name && a.Artifact == b.Artifact }):
		other = "files"
	case !sameJSON(req.OutputSchema, t.Sub.Schema):
		other = "output_schema"
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

// sameJSON reports whether two texts are the same JSON, or there is none in either.
func sameJSON(a, b []byte) bool {
	var left, right any
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return json.Unmarshal(a, &left) == nil && json.Unmarshal(b, &right) == nil && reflect.DeepEqual(left, right)
}
