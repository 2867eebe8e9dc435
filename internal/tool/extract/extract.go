// Package extract is the tool that reads rows out of data files and filters, groups, counts and
// orders them, each with its file and line. It changes nothing and keeps no index.
package extract

import (
	"context"
	_ "embed"
	"encoding/json"
	"io/fs"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed extract.md
var description string

// Name is what models call the tool.
const Name = "extract"

// Args are the arguments of a call. Only Path is required; the zero value of any other means "not asked for".
type Args struct {
	Path      string `json:"path" jsonschema:"a file, several separated by commas, or a glob such as logs/*.log"`
	Format    string `json:"format,omitempty" jsonschema:"auto (default), log, csv, jsonl, regexp, markdown (tables), headings or text (each line)"`
	Pattern   string `json:"pattern,omitempty" jsonschema:"format regexp: RE2 whose named groups are the columns" format:"regex"`
	Columns   string `json:"columns,omitempty" jsonschema:"columns to show, separated by commas; default all"`
	Where     string `json:"where,omitempty" jsonschema:"filter: column op value [and ...]"`
	Since     string `json:"since,omitempty" jsonschema:"rows from this time on"`
	Until     string `json:"until,omitempty" jsonschema:"rows before this time"`
	GroupBy   string `json:"group_by,omitempty" jsonschema:"columns, or minute, hour, day, month, year, file; separated by commas"`
	Aggregate string `json:"aggregate,omitempty" jsonschema:"count, sum(x), avg(x), min(x), max(x), p50(x), p95(x), first(x), last(x), distinct(x)"`
	Order     string `json:"order,omitempty" jsonschema:"a column of the result, then asc or desc"`
	Limit     int    `json:"limit,omitempty" jsonschema:"rows of the result to show, default 20, at most 1000"`
	Offset    int    `json:"offset,omitempty" jsonschema:"rows of the result to pass over"`
	Normalise bool   `json:"normalise,omitempty" jsonschema:"replace numbers, ids and quoted text in messages, so that they group"`
	Describe  bool   `json:"describe,omitempty" jsonschema:"tell the columns instead of the rows"`
	As        string `json:"as,omitempty" jsonschema:"json gives {rows, total} for the next step of a plan"`
	LookFor   string `json:"look_for,omitempty" jsonschema:"with describe: words, separated by commas, to find among the values"`
	More      []Part `json:"more,omitempty" jsonschema:"further questions about the same rows, answered in the same reading of the file, each behind a line # part 2, # part 3 ..."`
}

// folder is what the tool needs of a session's folder.
type folder interface {
	Open(name string) (fs.File, error)
	Files() ([]akitad.File, error)
}

// Tool is the tool; it keeps nothing between calls.
type Tool struct{ info tool.Info }

// New returns the tool extract. The error is that of an argument type that makes no schema, a mistake in the code.
func New() (*Tool, error) {
	schema, err := tool.SchemaOf[Args]()
	if err != nil {
		return nil, err
	}
	return &Tool{tool.Info{
		Name: Name, Category: "files", Description: description, Schema: schema,
		Readonly: true, Idempotent: true, ParallelSafe: true, Unbounded: true, Paged: true, Timeout: time.Minute, Risk: tool.RiskRead,
	}}, nil
}

// Info describes the tool.
func (t *Tool) Info() tool.Info { return t.info }

// Call answers one question about one or more files of the task's folder.
func (t *Tool) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	var args Args
	if err := json.Unmarshal(in.Args, &args); err != nil {
		return tool.Result{}, bad("arguments: %v", err)
	}
	text, err := Run(ctx, in.Scope.Dir, args)
	return tool.Result{Text: text}, err
}

// Run answers a call on any folder. Wrong arguments are errors of kind invalid_request with a hint for the model; a
// file that is not there is not_found.
func Run(ctx context.Context, dir folder, args Args) (string, error) {
	scans, err := newScans(ctx, args)
	if err != nil {
		return "", err
	}
	names, err := expand(dir, args.Path)
	if err != nil {
		return "", err
	}
	for i, name := range names {
		if err := scans.read(dir, i, name); err != nil {
			return "", err
		}
	}
	return scans.answer()
}

func bad(format string, args ...any) *akitad.Error {
	return akitad.Errorf(akitad.InvalidRequest, format, args...)
}
