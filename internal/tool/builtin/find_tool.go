package builtin

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/catalogue"
)

//go:embed find_tool.md
var findToolText string

type findToolArgs struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty" default:"5" minimum:"1" maximum:"20"`
}

type findTool struct{ described }

func newFindTool() tool.Tool {
	return findTool{describe[findToolArgs](leading("find_tool", findToolText))}
}

// Call lists the tools that fit the words best, of those that the task may call.
func (t findTool) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a findToolArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	if strings.TrimSpace(a.Query) == "" {
		return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "find_tool: the query is empty").WithHint("say in a few words what the tool is to do")
	}
	tools := slices.DeleteFunc(slices.Clone(in.Scope.Tools), func(i tool.Info) bool { return i.Meta })
	found := catalogue.Find(tools, a.Query, max(a.Limit, 1))
	if len(found) == 0 {
		return tool.Result{Text: fmt.Sprintf("none of the %d tools fits these words; try others. There are:\n%s", len(tools), catalogue.Groups(tools))}, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d tools, the best first; ? marks what may be left out:\n", len(found), len(tools))
	for _, info := range found {
		b.WriteString(catalogue.Found(info) + "\n")
	}
	return tool.Result{Text: b.String()}, nil
}
