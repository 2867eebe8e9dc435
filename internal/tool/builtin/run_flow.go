package builtin

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed run_flow.md
var runFlowText string

type runFlowArgs struct {
	Name   string         `json:"name" jsonschema:"the flow"`
	Params map[string]any `json:"params,omitempty" jsonschema:"its parameters by name"`
}

type runFlow struct {
	described
	shelf flow.Shelf
}

// The name and the parameters come as arguments, and the description names no flow: whatever becomes
// of the files, the tools of a session stay the same bytes.
func newRunFlow(shelf flow.Shelf) tool.Tool {
	return runFlow{describe[runFlowArgs](tool.Info{
		Name: "run_flow", Category: plans, Description: runFlowText, Idempotent: true, ParallelSafe: true, Risk: tool.RiskWrite, Waits: true,
	}), shelf}
}

// Call suspends the call until the flow's end, or says why it cannot run. The flow is read here, so
// that the child runs what stood in the file now.
func (t runFlow) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a runFlowArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	f, err := t.shelf.Find(a.Name)
	if err != nil {
		return tool.Result{}, fmt.Errorf("run_flow: %w", err)
	}
	if _, err := plan.Params(f.Plan, a.Params); err != nil {
		return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "run_flow: %w", err).WithHint("the flow is " + flowLine(f))
	}
	goal := flow.Goal(a.Name, a.Params)
	if err := mayRunFlow(goal, in.Scope); err != nil {
		return tool.Result{}, err
	}
	payload, err := json.Marshal([]tool.ChildRequest{{
		Profile: in.Scope.Profile, Goal: goal, Flow: f.Name, FlowHash: f.Hash, Plan: f.Source, Params: a.Params,
	}})
	if err != nil {
		return tool.Result{}, fmt.Errorf("run_flow: %w", err)
	}
	return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendChildren, Payload: payload}}, nil
}

// mayRunFlow refuses a flow that runs further up already, and one whose steps would be too deep.
func mayRunFlow(goal string, s tool.Scope) error {
	if s.Depth >= MaxDepth-1 {
		return akitad.Errorf(akitad.InvalidRequest, "run_flow: this task is %d levels deep, and the flow's steps would be deeper than %d", s.Depth, MaxDepth).
			WithHint("do the work yourself")
	}
	entry := ": " + journal.NormalGoal(goal)
	if slices.ContainsFunc(s.Path, func(p string) bool { return strings.HasSuffix(p, entry) }) {
		return akitad.Errorf(akitad.InvalidRequest, "run_flow: this very flow runs already, further up; that would go in a circle").
			WithHint("do the work yourself")
	}
	return nil
}
