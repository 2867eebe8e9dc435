// Package memtool makes memory usable by agents: the tools remember and recall. It decides whose
// memory a task may read and write, and leaves what is kept, merged and found to package memory.
package memtool

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/memory"
)

// Options of New; the zero value works.
type Options struct {
	// Shares says whose tasks may write memory that everybody sees. A task of the command line or the
	// HTTP API comes from who holds the admin token and always may, when asked to. Default: nobody
	// else may.
	Shares func(akitad.Origin) bool
}

// New returns the tools remember and recall, in this order, on one memory.
func New(m *memory.Memory, opts Options) []tool.Tool {
	if opts.Shares == nil {
		opts.Shares = func(akitad.Origin) bool { return false }
	}
	return []tool.Tool{newRemember(m, opts), newRecall(m)}
}

// describe completes an info by the schema of A, which is fixed in the code: a type that makes no schema is
// a mistake there, which the first test shows.
func describe[A any](info tool.Info) tool.Info {
	schema, err := tool.SchemaOf[A]()
	if err != nil {
		panic(err)
	}
	info.Category, info.Schema = "memory", schema
	return info
}

// parse reads arguments that the caller has checked against the schema.
func parse(in tool.Input, into any) error {
	args := in.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if err := json.Unmarshal(args, into); err != nil {
		return akitad.Errorf(akitad.InvalidRequest, "arguments: %w", err).WithHint("Send one JSON object as the schema says.")
	}
	return nil
}

// oneLine returns an entry as the model sees it, with a line end. kind is its type, or the title of a hit.
func oneLine(kind, id, text string) string { return fmt.Sprintf("- [%s %s] %s\n", kind, id, text) }

// list joins lines that have line ends and cuts off the last one.
func list(lines []string) string { return strings.TrimRight(strings.Join(lines, ""), "\n") }
