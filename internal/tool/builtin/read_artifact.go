package builtin

import (
	"cmp"
	"context"
	_ "embed"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/filter"
	"github.com/akitad/akitad/internal/tool"
)

// ReadArtifact names the tool that reads what is kept outside of the context.
const ReadArtifact = "read_artifact"

//go:embed read_artifact.md
var readArtifactText string

// An Artifact is bytes that a task keeps outside of its context.
type Artifact struct {
	Hash      string
	Body      []byte
	Untrusted bool // it may come from outside, and is not to be obeyed
}

// An Opener gives the artifact that a task may read under a name, which is its hash or the beginning of
// it. What the task may not read is not_found.
type Opener func(ctx context.Context, task akitad.TaskID, name string) (Artifact, error)

// shownArtifact is how many bytes of an artifact one read shows, unless told.
const shownArtifact = 6_000

type readArtifactArgs struct {
	Hash   string `json:"hash" jsonschema:"its hash, or the beginning of it, as the earlier result names it"`
	Find   string `json:"find,omitempty" jsonschema:"words to search for in it"`
	Offset int    `json:"offset,omitempty" jsonschema:"first byte to read" minimum:"0"`
	Limit  int    `json:"limit,omitempty" jsonschema:"bytes to read" default:"6000" minimum:"1" maximum:"20000"`
	Intent string `json:"intent,omitempty" jsonschema:"the same as find"`
}

type readArtifact struct {
	described
	open   Opener
	filter *filter.Filter
}

func newReadArtifact(open Opener, f *filter.Filter) tool.Tool {
	info := reader(ReadArtifact, readArtifactText)
	info.Category, info.Unbounded, info.Paged = system, false, true
	return readArtifact{describe[readArtifactArgs](info), open, f}
}

// Call searches the artifact, or reads on from an offset. What it gives is never cut again.
func (t readArtifact) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	var a readArtifactArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	if t.open == nil {
		return tool.Result{}, akitad.Errorf(akitad.Unavailable, "read_artifact: nothing is kept here")
	}
	found, err := t.open(ctx, in.Scope.Task, a.Hash)
	if err != nil {
		return tool.Result{}, err
	}
	text, name := string(found.Body), found.Hash[:min(12, len(found.Hash))]
	r := tool.Result{Untrusted: found.Untrusted}
	if words := cmp.Or(strings.TrimSpace(a.Find), strings.TrimSpace(a.Intent)); words != "" {
		r.Text = t.filter.Find(text, words, name)
		return r, nil
	}
	if a.Offset > 0 && a.Offset >= len(text) {
		return r, akitad.Errorf(akitad.InvalidRequest, "artifact %s has only %s", name, count(len(text), "byte")).WithHint("choose a smaller offset")
	}
	r.Text = t.filter.Slice(text, a.Offset, cmp.Or(a.Limit, shownArtifact))
	return r, nil
}
