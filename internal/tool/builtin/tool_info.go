package builtin

import (
	"context"
	_ "embed"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/catalogue"
)

//go:embed tool_info.md
var toolInfoText string

type toolInfoArgs struct {
	Name string `json:"name"`
}

type toolInfo struct{ described }

func newToolInfo() tool.Tool {
	return toolInfo{describe[toolInfoArgs](leading("tool_info", toolInfoText))}
}

// leading fills in what is the same for tools that tell of others.
func leading(name, description string) tool.Info {
	return tool.Info{
		Name: name, Category: system, Description: description, Meta: true,
		Readonly: true, Idempotent: true, ParallelSafe: true, Risk: tool.RiskRead,
	}
}

// Call describes one of the tools that the task may call.
func (t toolInfo) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a toolInfoArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	var names []string
	for _, info := range in.Scope.Tools {
		if info.Name == a.Name {
			return tool.Result{Text: catalogue.Describe(info)}, nil
		}
		names = append(names, info.Name)
	}
	return tool.Result{}, akitad.Errorf(akitad.NotFound, "there is no tool %q", a.Name).WithHint(nearestTools(a.Name, names))
}

func nearestTools(name string, known []string) string {
	if near := tool.Nearest(name, known); len(near) > 0 {
		return "did you mean " + strings.Join(near, ", ") + "?"
	}
	return "find_tool finds tools by what they do"
}
