package builtin

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed list_flows.md
var listFlowsText string

type listFlowsArgs struct{}

type listFlows struct {
	described
	shelf flow.Shelf
}

func newListFlows(shelf flow.Shelf) tool.Tool {
	return listFlows{describe[listFlowsArgs](tool.Info{
		Name: "list_flows", Category: plans, Description: listFlowsText, Readonly: true, Idempotent: true, ParallelSafe: true, Risk: tool.RiskRead,
	}), shelf}
}

// Call reads the folder anew each time.
func (t listFlows) Call(context.Context, tool.Input) (tool.Result, error) {
	flows, err := t.shelf.List()
	if err != nil {
		return tool.Result{}, err
	}
	var lines []string
	for _, f := range flows {
		if f.Err == nil {
			lines = append(lines, flowLine(f))
		}
	}
	if len(lines) == 0 {
		return tool.Result{Text: "there are no flows"}, nil
	}
	return tool.Result{Text: strings.Join(lines, "\n")}, nil
}

// flowLine is "name - goal; params: a (string, required), b (number, default 5)".
func flowLine(f flow.Flow) string {
	line := f.Name
	if f.Plan.Goal != "" {
		line += " - " + strings.Join(strings.Fields(f.Plan.Goal), " ")
	}
	var params []string
	for _, p := range plan.Declared(f.Plan) {
		params = append(params, paramWords(p))
	}
	if len(params) > 0 {
		line += "; params: " + strings.Join(params, ", ")
	}
	return line
}

func paramWords(p plan.Param) string {
	about := []string{"required"}
	if !p.Required {
		about[0] = "default " + asJSON(p.Default)
	}
	if p.Type != "" {
		about = append([]string{p.Type}, about...)
	}
	if len(p.Enum) > 0 {
		about = append(about, "one of "+asJSON(p.Enum))
	}
	if p.Description != "" {
		about = append(about, p.Description)
	}
	return fmt.Sprintf("%s (%s)", p.Name, strings.Join(about, ", "))
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
