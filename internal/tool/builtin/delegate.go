package builtin

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed delegate.md
var delegateText string

// MaxDepth is how many levels below its root a task may be.
const MaxDepth = 5

type delegateArgs struct {
	Profile string          `json:"profile" jsonschema:"such as analyst, researcher, writer, operator"`
	Goal    string          `json:"goal" jsonschema:"the work, complete in itself"`
	Inputs  json.RawMessage `json:"inputs,omitempty" jsonschema:"facts and file names"`
	Context string          `json:"context,omitempty" jsonschema:"shared shows it what you know" enum:"isolated,shared" default:"\"isolated\""`
	Schema  map[string]any  `json:"output_schema,omitempty" jsonschema:"JSON Schema of the data that is to come back"`
}

type delegate struct {
	described
	known func() []string
}

func newDelegate(known func() []string) tool.Tool {
	return delegate{describe[delegateArgs](tool.Info{
		Name: "delegate", Category: agents, Description: delegateText, Idempotent: true, ParallelSafe: true, Risk: tool.RiskRead, Waits: true,
	}), known}
}

// Call suspends the call until the child's end, or says why there will be none.
func (t delegate) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a delegateArgs
	err := t.args(in, &a)
	if err != nil {
		return tool.Result{}, err
	}
	if err := t.check(a, in.Scope); err != nil {
		return tool.Result{}, err
	}
	child := tool.ChildRequest{Profile: a.Profile, Goal: a.Goal, Context: a.Context, Inputs: asText(a.Inputs)}
	if a.Schema != nil {
		if child.Schema, err = json.Marshal(a.Schema); err != nil {
			return tool.Result{}, fmt.Errorf("delegate: output_schema: %w", err)
		}
		if _, err := tool.NewArguments(tool.Info{Name: "output_schema", Schema: child.Schema}); err != nil {
			return tool.Result{}, err
		}
	}
	payload, err := json.Marshal([]tool.ChildRequest{child})
	if err != nil {
		return tool.Result{}, fmt.Errorf("delegate: %w", err)
	}
	return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendChildren, Payload: payload}}, nil
}

func (t delegate) check(a delegateArgs, s tool.Scope) error {
	switch {
	case strings.TrimSpace(a.Goal) == "":
		return akitad.Errorf(akitad.InvalidRequest, "delegate: the goal is empty")
	case s.Depth >= MaxDepth:
		return akitad.Errorf(akitad.InvalidRequest, "delegate: this task is %d levels deep, and no task may be deeper", s.Depth).
			WithHint("do the work yourself")
	case slices.Contains(s.Path, journal.PathEntry(a.Profile, a.Goal)):
		return akitad.Errorf(akitad.InvalidRequest, "delegate: %s already has this very goal, further up; that would go in a circle", a.Profile).
			WithHint("do the work yourself, or hand on a smaller part of it")
	}
	return knownProfile("delegate", a.Profile, t.known())
}

// knownProfile returns an error for a profile that does not exist, with a hint that names those that do.
func knownProfile(op, profile string, known []string) error {
	if slices.Contains(known, profile) {
		return nil
	}
	slices.Sort(known)
	return akitad.Errorf(akitad.NotFound, "%s: there is no profile %q", op, profile).WithHint("known: " + strings.Join(known, ", "))
}

// asText gives a JSON string as its text and any other value as JSON.
func asText(v json.RawMessage) string {
	var text string
	if len(v) == 0 || string(v) == "null" {
		return ""
	}
	if err := json.Unmarshal(v, &text); err == nil {
		return text
	}
	return string(v)
}
