package builtin

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed read_file.md
var readFileText string

// maxRead is how many bytes one read shows at most.
const maxRead = 1 << 20

type readFileArgs struct {
	Path   string `json:"path" jsonschema:"relative to the task's folder"`
	Offset int    `json:"offset,omitempty" jsonschema:"first line" default:"1" minimum:"1"`
	Limit  int    `json:"limit,omitempty" jsonschema:"number of lines" default:"2000" minimum:"1"`
}

type readFile struct{ described }

func newReadFile() tool.Tool {
	return readFile{describe[readFileArgs](reader("read_file", readFileText))}
}

// Call reads the lines. The whole file is passed over, to tell how many lines it has.
func (t readFile) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	var a readFileArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	if a.Offset < 1 {
		a.Offset = 1
	}
	if a.Limit < 1 {
		a.Limit = 2_000
	}
	var b strings.Builder
	total, last := 0, 0
	err := eachLine(ctx, in.Scope, a.Path, func(n int, line []byte) bool {
		total = n
		if n >= a.Offset && n-a.Offset < a.Limit && b.Len() < maxRead {
			fmt.Fprintf(&b, "%5d\t%s\n", n, show(line))
			last = n
		}
		return true
	})
	if err != nil {
		return tool.Result{}, err
	}
	if a.Offset > max(total, 1) {
		return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "%q has only %s", a.Path, count(total, "line")).
			WithHint("choose an offset from 1 on")
	}
	fmt.Fprintf(&b, "[lines %d-%d of %d]", min(a.Offset, total), last, total)
	return tool.Result{Text: b.String(), Untrusted: fromChat(in.Scope, a.Path)}, nil
}
