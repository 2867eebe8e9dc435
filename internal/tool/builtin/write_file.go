package builtin

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"path"

	"github.com/akitad/akitad/internal/tool"
)

//go:embed write_file.md
var writeFileText string

type writeFileArgs struct {
	Path    string `json:"path" jsonschema:"the file, relative to the task's folder"`
	Content string `json:"content" jsonschema:"the text"`
	Append  bool   `json:"append,omitempty" jsonschema:"add to the end in place of replacing"`
}

type writeFile struct{ described[writeFileArgs] }

func newWriteFile() tool.Tool {
	return writeFile{describe[writeFileArgs](tool.Info{
		Name: "write_file", Category: files, Description: writeFileText, Risk: tool.RiskWrite,
	})}
}

// Call writes the file, after a snapshot if it is the task's first write.
func (t writeFile) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	a, err := t.args(in)
	if err != nil {
		return tool.Result{}, err
	}
	if err := in.Scope.Dir.Own(in.Scope.Task, a.Path); err != nil {
		return tool.Result{}, err
	}
	if err := snapshot(in.Scope); err != nil {
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

// snapshot keeps the folder as it is before the first write of the root task or of anything below it:
// to that it can be rolled back.
func snapshot(s tool.Scope) error {
	id := cmp.Or(s.Root, s.Task)
	if !id.Valid() {
		return nil // a call outside of any task has nothing to roll back
	}
	if err := s.Dir.Snapshot(id); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	return nil
}
