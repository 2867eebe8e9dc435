package builtin

import (
	"context"
	_ "embed"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed replan.md
var replanText string

type replanArgs struct {
	Reason string `json:"reason" jsonschema:"what is wrong with the plan, and what would be better"`
	Found  string `json:"found,omitempty" jsonschema:"what you have found so far, in Markdown"`
}

type replan struct{ described }

func newReplan() tool.Tool {
	return replan{describe[replanArgs](tool.Info{
		Name: "replan", Category: agents, Description: replanText, Idempotent: true, Risk: tool.RiskRead,
	})}
}

// Call ends the step with what it has and the wish for another plan. Whether the plan is rewritten is
// not decided here; if not, the step has given all that it has, and its result says what is missing.
func (t replan) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a replanArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	reason := strings.TrimSpace(a.Reason)
	if reason == "" {
		return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "replan: the reason is empty").WithHint("say what is wrong with the plan")
	}
	if size := len(a.Reason) + len(a.Found); size > MaxResult {
		return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "replan: %d bytes, at most %d are allowed", size, MaxResult).
			WithHint("write the long part to a file with write_file and name the file in found")
	}
	return tool.Result{Text: "the step ends here, and the plan is looked at again", Final: &akitad.Result{
		Text: a.Found, Replan: reason, Partial: true, Missing: []string{reason}, Degraded: []akitad.Degradation{},
	}}, nil
}
