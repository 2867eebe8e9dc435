package builtin

import (
	"context"
	_ "embed"
	"fmt"
	"path"

	"github.com/akitad/akitad/internal/tool"
)

//go:embed write_file.md
var writeFileText string

type writeFileArgs struct {
	Path    string `json:"path" jsonschema:"relative to the task's folder"`
	Content string `json:"content"`
	Append  bool   `json:"append,omitempty" jsonschema:"add to the end"`
}

type writeFile struct{ described }

func newWriteFile() tool.Tool {
	return writeFile{describe[writeFileArgs](tool.Info{
		Name: "write_file", Category: files, Description: writeFileText, Risk: tool.RiskWrite,
	})}
}

// Call writes the file, after a snapshot if it is the task's first write.
func (t writeFile) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a writeFileArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	if err := in.Scope.Dir.Own(in.Scope.Task, a.Path); err != nil {
		return tool.Result{}, err
	}
	if err := in.Scope.Keep(); err != nil {
		return tool.Result{}, err
	}
	write := in.Scope.Dir.WriteFile
	if a.Append {
		write = in.Scope.Dir.Append
	}
	if err := write(a.Path, []byte(a.Content)); err != nil {
		return tool.Result{}, err
	}
	name := path.Clean(a.Path)
	return tool.Result{Text: fmt.Sprintf("wrote %s (%d bytes)", name, len(a.Content)), Changed: []string{name}}, nil
}
