// Package data holds the tools that work on rows: dedupe, and SQL on the SQLite files of a session's
// folder. It opens no file but through that folder, and SQLite itself opens none at all, not even to sort:
// it works on a copy in memory, which takes the file's place when everything went well.
package data

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

// Limits of a call.
const (
	MaxDatabase = 64 << 20         // bytes of a database file, as of every file that a task may keep
	MaxRows     = 10_000           // rows that dedupe returns at most and sql_exec takes at most in one call
	DefaultTime = 10 * time.Second // that the SQL of one call may run
	DefaultRoom = 512 << 20        // bytes that SQLite may take while the SQL of one call runs
	spareTime   = 20 * time.Second // for reading, copying and writing a file of the largest size
	category    = "data"
	maxOpen     = 4 // databases in memory at a time, whoever asks
)

// Options of New; the zero value works.
type Options struct {
	Time time.Duration // that the SQL of one call may run; default DefaultTime
	Room int64         // bytes that SQLite may take meanwhile; default DefaultRoom
}

// New returns the tools dedupe, sql_query and sql_exec, in an order that never changes: it is part of the prompt. All three
// work in the folder of the task that calls them; sql_query and sql_exec share the places for databases in memory. The
// error is that of an argument type that makes no schema, a mistake in the code.
func New(o Options) ([]tool.Tool, error) {
	if o.Time <= 0 {
		o.Time = DefaultTime
	}
	if o.Room <= 0 {
		o.Room = DefaultRoom
	}
	infos := make([]tool.Info, 0, 3)
	for _, info := range []func() (tool.Info, error){dedupeInfo, queryInfo, execInfo} {
		info, err := info()
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	g := make(gate, maxOpen)
	return []tool.Tool{dedupe{infos[0]}, sqlQuery{infos[1], o, g}, sqlExec{infos[2], o, g}}, nil
}

// gate bounds how many databases are in memory.
type gate chan struct{}

// enter waits for a place; leave gives it back.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g <- struct{}{}:
		return func() { <-g }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// describe returns info with the tools' category and the JSON Schema of the argument type A.
func describe[A any](info tool.Info) (tool.Info, error) {
	schema, err := tool.SchemaOf[A]()
	info.Category, info.Schema = category, schema
	return info, err
}

// read decodes a call's arguments, which have been checked against the schema. The error is of kind invalid_request for
// arguments that do not fit A, of kind unavailable for a task without a folder.
func read[A any](name string, in tool.Input) (a A, err error) {
	if err := json.Unmarshal(in.Args, &a); err != nil {
		return a, bad("%s: %w", name, err)
	}
	if in.Scope.Dir == nil {
		return a, akitad.Errorf(akitad.Unavailable, "%s: the task has no folder", name)
	}
	return a, nil
}

// fromChat reports whether a file's content came from a chat, where anybody may have written it.
func fromChat(s tool.Scope, name string) bool {
	if name == "" || !s.Origin.Interactive() {
		return false
	}
	given, err := s.Dir.Given(name)
	return err == nil && given
}

// bad returns an error of kind invalid_request: the model can mend the call.
func bad(format string, args ...any) *akitad.Error {
	return akitad.Errorf(akitad.InvalidRequest, format, args...)
}

// encode writes a value as compact JSON that a person can read: <, > and & as they are.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
