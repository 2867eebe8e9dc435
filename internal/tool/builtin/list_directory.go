package builtin

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/akitad/akitad/internal/tool"
)

//go:embed list_directory.md
var listDirectoryText string

// maxEntries is how many entries of one folder are listed.
const maxEntries = 1_000

type listDirectoryArgs struct {
	Path string `json:"path,omitempty" jsonschema:"relative to the task's folder" default:"\".\""`
}

type listDirectory struct{ described }

func newListDirectory() tool.Tool {
	return listDirectory{describe[listDirectoryArgs](reader("list_directory", listDirectoryText))}
}

// Call lists the folder.
func (t listDirectory) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a listDirectoryArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	entries, err := in.Scope.Dir.List(orHere(a.Path))
	if err != nil {
		return tool.Result{}, err
	}
	if len(entries) == 0 {
		return tool.Result{Text: "(the folder is empty)"}, nil
	}
	var b strings.Builder
	for i, e := range entries {
		if i == maxEntries {
			fmt.Fprintf(&b, "[%d more of %d]\n", len(entries)-i, len(entries))
			break
		}
		switch {
		case e.Folder:
			fmt.Fprintf(&b, "%s/\t0\n", named(e.Name))
		case e.Link:
			fmt.Fprintf(&b, "%s\tlink\n", named(e.Name))
		default:
			fmt.Fprintf(&b, "%s\t%d\n", named(e.Name), e.Size)
		}
	}
	return tool.Result{Text: b.String()}, nil
}

// orHere gives the task's folder where none is named.
func orHere(path string) string {
	if path == "" {
		return "."
	}
	return path
}
