package builtin

import (
	"context"
	_ "embed"
	"encoding/json"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed call_tool.md
var callToolText string

type callToolArgs struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args,omitempty"`
}

type callTool struct{ described }

func newCallTool() tool.Tool {
	return callTool{describe[callToolArgs](tool.Info{
		Name: llm.CallTool, Category: system, Description: callToolText, Idempotent: true, Risk: tool.RiskRead, Meta: true,
	})}
}

// Call refuses the call. The agent replaces a call of call_tool by the call that it names, so that only one which
// names no tool, or call_tool itself, comes here.
func (t callTool) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a struct{ Tool json.RawMessage }
	_ = json.Unmarshal(in.Args, &a) // for the message only
	return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "call_tool: %s cannot be called through it", a.Tool).
		WithHint("name one of the listed tools in tool")
}
