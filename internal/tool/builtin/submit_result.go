package builtin

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"path"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed submit_result.md
var submitResultText string

// MaxResult is the size of a result in bytes, text and data: 2,000 tokens at four bytes each.
const MaxResult = 8_000

type submitResultArgs struct {
	Text      string          `json:"text" jsonschema:"the result, in Markdown"`
	Data      json.RawMessage `json:"data,omitempty" jsonschema:"the result as the output schema wants it"`
	Artifacts []string        `json:"artifacts,omitempty" jsonschema:"files of the task's folder that belong to the result"`
	Missing   []string        `json:"missing,omitempty" jsonschema:"what the result lacks"`
	Next      *nextArgs       `json:"next,omitempty" jsonschema:"further work that is needed"`
}

type nextArgs struct {
	Goal    string          `json:"goal"`
	Inputs  json.RawMessage `json:"inputs,omitempty"`
	Profile string          `json:"profile,omitempty"`
}

type submitResult struct {
	described
	known func() []string
}

func newSubmitResult(known func() []string) tool.Tool {
	return submitResult{describe[submitResultArgs](tool.Info{
		Name: "submit_result", Category: agents, Description: submitResultText, Idempotent: true, Risk: tool.RiskRead,
	}), known}
}

// Call checks the result and ends the task with it. An error says what to correct.
func (t submitResult) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	var a submitResultArgs
	err := t.args(in, &a)
	if err != nil {
		return tool.Result{}, err
	}
	final := akitad.Result{Text: a.Text, Missing: a.Missing, Partial: len(a.Missing) > 0, Degraded: []akitad.Degradation{}}
	if final.Data, err = dataOf(a.Data, in.Scope.Schema); err != nil {
		return tool.Result{}, err
	}
	if size := len(final.Text) + len(final.Data); size > MaxResult {
		return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "submit_result: the result has %d bytes, at most %d are allowed", size, MaxResult).
			WithHint("write the long part to a file with write_file, name the file in artifacts, and keep the summary here")
	}
	if final.Artifacts, err = artifacts(in.Scope, a.Artifacts); err != nil {
		return tool.Result{}, err
	}
	if final.Next, err = t.next(a.Next); err != nil {
		return tool.Result{}, err
	}
	return tool.Result{Text: "the task ends with this result", Final: &final}, nil
}

// dataOf gives the data as the task's output schema wants it.
func dataOf(data, schema json.RawMessage) (json.RawMessage, error) {
	if len(data) == 0 || string(data) == "null" {
		if len(schema) == 0 {
			return nil, nil
		}
		return nil, akitad.Errorf(akitad.InvalidRequest, "submit_result: argument \"data\" is missing").
			WithHint("the task's output schema is " + string(schema))
	}
	return tool.Satisfy(schema, "submit_result: data", data)
}

// artifacts finds the files that belong to a result.
func artifacts(s tool.Scope, names []string) (found []akitad.File, err error) {
	for _, name := range names {
		if s.Dir == nil {
			return nil, akitad.Errorf(akitad.Unavailable, "submit_result: the task has no folder")
		}
		// To open it tells more than a look: what cannot be read cannot be handed on.
		f, err := s.Dir.Open(name)
		if err != nil {
			return nil, fmt.Errorf("submit_result: artifact: %w", err)
		}
		info, err := f.Stat()
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("submit_result: artifact %q: %w", name, err)
		}
		found = append(found, akitad.File{Name: path.Clean(name), Size: info.Size()})
	}
	return found, nil
}

func (t submitResult) next(n *nextArgs) (*akitad.Next, error) {
	if n == nil {
		return nil, nil
	}
	if n.Goal == "" {
		return nil, akitad.Errorf(akitad.InvalidRequest, "submit_result: argument \"next.goal\" is empty")
	}
	if n.Profile != "" {
		if err := knownProfile("submit_result", n.Profile, t.known()); err != nil {
			return nil, err
		}
	}
	return &akitad.Next{Goal: n.Goal, Profile: n.Profile, Inputs: n.Inputs}, nil
}
