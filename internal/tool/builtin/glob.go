package builtin

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/akitad/akitad/internal/tool"
)

//go:embed glob.md
var globText string

// maxNames is how many names one search gives.
const maxNames = 1_000

type globArgs struct {
	Pattern string `json:"pattern" jsonschema:"for example *.log or docs/**/*.md"`
	Path    string `json:"path,omitempty" jsonschema:"the folder to search below" default:"\".\""`
}

type glob struct{ described }

func newGlob() tool.Tool { return glob{describe[globArgs](reader("glob", globText))} }

// Call finds the files. Names come back relative to the task's folder.
func (t glob) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a globArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	m, err := newMatcher(a.Pattern)
	if err != nil {
		return tool.Result{}, err
	}
	names, err := filesBelow(in.Scope, orHere(a.Path))
	if err != nil {
		return tool.Result{}, err
	}
	var b strings.Builder
	found := 0
	for _, name := range names {
		if !m.match(within(orHere(a.Path), name)) {
			continue
		}
		if found++; found <= maxNames {
			b.WriteString(named(name) + "\n")
		}
	}
	switch {
	case found == 0:
		return tool.Result{Text: fmt.Sprintf("no file matches %s; there are %s in all", a.Pattern, count(len(names), "file"))}, nil
	case found > maxNames:
		fmt.Fprintf(&b, "[stopped at %d; %d files match in all]\n", maxNames, found)
	}
	return tool.Result{Text: b.String()}, nil
}
