package agent

import (
	"context"
	"regexp"
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/tool"
)

// namedFile matches a file name in an output requirement: report.md, out/errors.csv.
var namedFile = regexp.MustCompile(`[\p{L}\p{N}_][\p{L}\p{N}_./-]*\.[A-Za-z0-9]{1,8}\b`)

// broken reports whether a file that the task was to write is missing, though the agent says that it is
// done. The agent is told once; its next answer is accepted, because it may say why there is no file.
func (r *run) broken(ctx context.Context, t *journal.Task) bool {
	name := r.missingFile(t)
	if name == "" || r.nudged {
		return false
	}
	r.nudged = true
	r.verify(ctx, "a file that was asked for is not there", true)
	r.hints = append(r.hints, "[The task asks for the file "+name+", which is not there. Write it, or say why you cannot.]")
	return true
}

func (r *run) missingFile(t *journal.Task) string {
	canWrite := slices.ContainsFunc(r.turn.Tools, func(have tool.Tool) bool { return have.Info().Name == "write_file" })
	if t.Compiled == nil || !canWrite {
		return ""
	}
	for _, want := range t.Compiled.Spec.OutputRequirements {
		for _, name := range namedFile.FindAllString(want, -1) {
			if _, err := r.turn.Dir.Stat(name); akitad.KindOf(err) == akitad.NotFound {
				return name
			}
		}
	}
	return ""
}
