package data

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed sql_exec.md
var execText string

type execArgs struct {
	Path      string            `json:"path" jsonschema:"the SQLite file"`
	Statement string            `json:"statement" jsonschema:"INSERT, UPDATE, DELETE, CREATE and the like"`
	Setup     string            `json:"setup,omitempty" jsonschema:"statements without parameters that run once before"`
	Params    json.RawMessage   `json:"params,omitempty" jsonschema:"values of the statement's parameters: an object for :name, a list for ?"`
	Rows      []json.RawMessage `json:"rows,omitempty" jsonschema:"objects: the statement runs once for each, with its columns as parameters"`
}

type sqlExec struct {
	info tool.Info
	opts Options
	gate gate
}

func execInfo() (tool.Info, error) {
	return describe[execArgs](tool.Info{
		Name: "sql_exec", Description: execText, Timeout: DefaultTime + spareTime, Risk: tool.RiskWrite,
	})
}

func (t sqlExec) Info() tool.Info { return t.info }

// Call runs a statement, once or once for each of up to MaxRows rows, in one transaction on a copy of a database file, and
// puts the copy in the file's place: so the file is changed as a whole or not at all. A file that does not exist is made.
// Before the task's first write, its folder is recorded for a rollback. Files that were given to the task are refused, and
// what the guard does not let through (permission_denied); for the limits see sql_query.
func (t sqlExec) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	a, err := read[execArgs]("sql_exec", in)
	if err != nil {
		return tool.Result{}, err
	}
	b, err := a.batch()
	if err != nil {
		return tool.Result{}, fmt.Errorf("sql_exec: %w", err)
	}
	if err := in.Scope.Dir.Own(in.Scope.Task, a.Path); err != nil {
		return tool.Result{}, err
	}
	leave, err := t.gate.enter(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	defer leave()
	d, err := open(ctx, in.Scope.Dir, a.Path, true)
	if err != nil {
		return tool.Result{}, err
	}
	out, file, err := t.run(ctx, d, b)
	if err = errors.Join(err, d.close()); err != nil {
		return tool.Result{}, fmt.Errorf("sql_exec: %w", err)
	}
	return store(in.Scope, path.Clean(a.Path), out, file)
}

// store puts the changed database in place of the file.
func store(s tool.Scope, name string, out change, file []byte) (tool.Result, error) {
	r := tool.Result{Untrusted: fromChat(s, name)}
	if out.Changed {
		if err := s.Keep(); err != nil {
			return r, err
		}
		if err := s.Dir.WriteFile(name, file); err != nil {
			return r, err
		}
		r.Changed = []string{name}
	}
	text, err := encode(out)
	r.Text = string(text)
	return r, err
}

// change is the result of sql_exec.
type change struct {
	Changes int64 `json:"changes"` // rows of tables that were inserted, updated or deleted, those by triggers included
	Rows    int   `json:"rows"`    // rows of the call
	Changed bool  `json:"changed"` // the file is another one than before
}

// batch is what one call runs.
type batch struct {
	setup     string  // run once, without parameters
	statement string  // then run with each of runs
	runs      [][]any // the values of its parameters
	rows      int     // rows of the call; 0 if the statement runs once, with params alone
}

// batch checks the arguments and binds the statement's parameters.
func (a execArgs) batch() (batch, error) {
	b := batch{setup: a.Setup, statement: a.Statement, rows: len(a.Rows)}
	s := scan(a.Statement)
	pre := scan(a.Setup)
	switch {
	case s.first == "" && pre.first == "":
		return b, bad("the statement is empty")
	case len(pre.names) > 0 || pre.positional:
		return b, bad("setup has parameters").WithHint("use them in statement alone")
	case len(a.Rows) > MaxRows:
		return b, bad("%d rows are more than %d", len(a.Rows), MaxRows).WithHint("give them in several calls")
	case len(a.Rows) > 0 && s.positional:
		return b, bad("with rows the parameters have names").WithHint("write :column")
	}
	values, err := parameters(a.Params)
	if err != nil {
		return b, err
	}
	if a.Rows == nil {
		args, err := values.args(s, nil)
		b.runs = [][]any{args}
		return b, err
	}
	return b, b.perRow(a.Rows, s, values)
}

// perRow binds the statement once for each row.
func (b *batch) perRow(raw []json.RawMessage, s script, values given) error {
	all := make([]map[string]any, len(raw))
	known := map[string]bool{}
	for i := range raw {
		row, err := decodeRow(raw[i])
		if err != nil {
			return bad("row %d: %w", i+1, err)
		}
		for name := range row {
			known[name] = true
		}
		all[i] = row
	}
	for i, row := range all {
		args, err := values.args(s, known, row)
		if err != nil {
			hint := akitad.FailureOf(err).Hint
			return bad("row %d: %w", i+1, err).WithHint(hint)
		}
		b.runs = append(b.runs, args)
	}
	return nil
}

// run carries the batch out in one transaction on the copy and gives the file that comes of it.
func (t sqlExec) run(ctx context.Context, d *database, b batch) (change, []byte, error) {
	ctx, cancel := bounded(ctx, "sql_exec", t.opts)
	defer cancel()
	out := change{Rows: b.rows}
	err := d.transact(ctx, func() error { return d.all(ctx, b) })
	if err != nil {
		return out, nil, d.failed(ctx, err)
	}
	if err := d.conn.QueryRowContext(ctx, "SELECT total_changes()").Scan(&out.Changes); err != nil {
		return out, nil, d.failed(ctx, err)
	}
	file, err := d.bytes(ctx)
	out.Changed = len(file) > 0 && !bytes.Equal(file, d.file)
	return out, file, d.failed(ctx, err)
}

// transact runs fn under the guard, in one transaction. After an error the copy is of no use.
func (d *database) transact(ctx context.Context, fn func() error) error {
	if _, err := d.conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	if err := d.begin(false); err != nil {
		return err
	}
	if err := fn(); err != nil {
		return err
	}
	if err := d.end(); err != nil {
		return err
	}
	_, err := d.conn.ExecContext(ctx, "COMMIT")
	return err
}

// all runs the setup, then the statement with each run's values.
func (d *database) all(ctx context.Context, b batch) error {
	if strings.TrimSpace(b.setup) != "" {
		if _, err := d.conn.ExecContext(ctx, b.setup); err != nil {
			return fmt.Errorf("setup: %w", err)
		}
	}
	if strings.TrimSpace(b.statement) == "" {
		return nil
	}
	for i, args := range b.runs {
		if _, err := d.conn.ExecContext(ctx, b.statement, args...); err != nil {
			if b.rows > 0 {
				return fmt.Errorf("row %d: %w", i+1, err)
			}
			return err
		}
	}
	return nil
}
