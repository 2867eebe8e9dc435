package data

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed sql_query.md
var queryText string

// What one answer may hold.
const (
	defaultShown = 100     // rows, if the call gives no limit
	maxShown     = 1000    // rows, whatever the call gives
	maxAnswer    = 1 << 20 // bytes of all rows together, as JSON
)

type queryArgs struct {
	Path   string          `json:"path" jsonschema:"the SQLite file"`
	Query  string          `json:"query" jsonschema:"one SELECT"`
	Params json.RawMessage `json:"params,omitempty" jsonschema:"values of its parameters: an object for :name, a list for ?"`
	Limit  int             `json:"limit,omitempty" jsonschema:"rows to show" default:"100" minimum:"1" maximum:"1000"`
}

type sqlQuery struct {
	info tool.Info
	opts Options
	gate gate
}

func queryInfo() (tool.Info, error) {
	return describe[queryArgs](tool.Info{
		Name: "sql_query", Description: queryText, Readonly: true, Idempotent: true, ParallelSafe: true, Unbounded: true,
		Timeout: DefaultTime + spareTime, Risk: tool.RiskRead,
	})
}

func (t sqlQuery) Info() tool.Info { return t.info }

// Call runs one reading statement (asks) on a copy of a database file and returns its columns, its first rows and the
// number of all of them as JSON of the form of answer. A statement that would change something is refused
// (permission_denied), one that SQLite does not accept or that needs too much memory too (invalid_request); one that runs
// longer than Options.Time ends with a timeout.
func (t sqlQuery) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	a, err := read[queryArgs]("sql_query", in)
	if err != nil {
		return tool.Result{}, err
	}
	args, err := a.check()
	if err != nil {
		return tool.Result{}, err
	}
	leave, err := t.gate.enter(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	defer leave()
	d, err := open(ctx, in.Scope.Dir, a.Path, false)
	if err != nil {
		return tool.Result{}, err
	}
	ctx, cancel := bounded(ctx, "sql_query", t.opts)
	defer cancel()
	out, err := d.ask(ctx, a, args)
	if err = errors.Join(d.failed(ctx, err), d.close()); err != nil {
		return tool.Result{}, fmt.Errorf("sql_query: %w", err)
	}
	text, err := encode(out)
	return tool.Result{Text: string(text), Untrusted: fromChat(in.Scope, a.Path)}, err
}

// bounded returns a context that ends, with the reason as its cause, when SQL has run for Options.Time or holds more memory
// than Options.Room. The caller must call the function when the SQL has ended.
func bounded(ctx context.Context, op string, o Options) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithTimeoutCause(ctx, o.Time, akitad.Errorf(akitad.Timeout, "%s: stopped after %v", op, o.Time).
		WithHint("ask for less: narrow the WHERE, or add an index"))
	ctx, leave := within(ctx, o.Room)
	return ctx, func() { leave(); stop() }
}

// asks are the words that a question begins with. What it may do is the guard's to say.
var asks = []string{"SELECT", "WITH", "VALUES", "EXPLAIN", "PRAGMA"}

// check refuses what is more or other than one question.
func (a *queryArgs) check() ([]any, error) {
	s := scan(a.Query)
	switch {
	case s.first == "":
		return nil, bad("sql_query: the query is empty")
	case !slices.Contains(asks, s.first):
		return nil, fmt.Errorf("sql_query: %s: %w", s.first, readsOnly())
	case s.more:
		return nil, bad("sql_query: there is more than one statement").WithHint("ask one question a call")
	}
	if a.Limit <= 0 {
		a.Limit = defaultShown
	}
	a.Limit = min(a.Limit, maxShown)
	a.Query = a.Query[:s.end]
	given, err := parameters(a.Params)
	if err != nil {
		return nil, err
	}
	return given.args(s, nil)
}

// answer is the result of sql_query.
type answer struct {
	Columns []string          `json:"columns"` // names, made distinct by a number
	Rows    []json.RawMessage `json:"rows"`    // objects with these columns, the first of the result
	Total   int               `json:"total"`   // rows of the result
	Shown   int               `json:"shown"`   // len(Rows)
}

// ask runs a checked query on the copy, which is read-only from then on.
func (d *database) ask(ctx context.Context, a queryArgs, args []any) (answer, error) {
	if _, err := d.conn.ExecContext(ctx, "PRAGMA query_only=1"); err != nil {
		return answer{}, err
	}
	if err := d.begin(true); err != nil {
		return answer{}, err
	}
	rows, err := d.conn.QueryContext(ctx, a.Query, args...)
	if err != nil {
		return answer{}, err
	}
	defer rows.Close()
	plain, dated, err := undated(rows, a.Query)
	if err == nil && dated {
		if err = rows.Close(); err == nil {
			rows, err = d.conn.QueryContext(ctx, plain, args...)
		}
	}
	if err != nil {
		return answer{}, err
	}
	defer rows.Close()
	return gather(rows, a.Limit)
}

// undated returns a query whose columns have no declared type any more, if one of them is a date: the
// driver would hand out its text as a time, in other words than it is stored.
func undated(rows *sql.Rows, query string) (string, bool, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return "", false, err
	}
	dated := false
	var names, values []string
	for i, t := range types {
		dated = dated || slices.Contains([]string{"DATE", "DATETIME", "TIMESTAMP"}, strings.ToUpper(t.DatabaseTypeName()))
		name := fmt.Sprintf("c%d", i)
		names = append(names, name)
		values = append(values, "+"+name+` AS "`+strings.ReplaceAll(t.Name(), `"`, `""`)+`"`)
	}
	return "WITH answer(" + strings.Join(names, ", ") + ") AS (" + query + "\n) SELECT " + strings.Join(values, ", ") + " FROM answer", dated, nil
}

// gather takes the first rows and counts the others.
func gather(rows *sql.Rows, limit int) (answer, error) {
	names, err := rows.Columns()
	if err != nil {
		return answer{}, err
	}
	out := answer{Columns: distinctNames(names), Rows: []json.RawMessage{}}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	size := 0
	for rows.Next() {
		if out.Total++; out.Total > limit || size > maxAnswer {
			continue
		}
		if err := rows.Scan(into...); err != nil {
			return answer{}, err
		}
		row, err := object(out.Columns, values)
		if err != nil {
			return answer{}, err
		}
		if size += len(row); size > maxAnswer && out.Shown > 0 {
			continue
		}
		if len(row) > maxAnswer {
			return answer{}, bad("one row has %d bytes, at most %d are shown", len(row), maxAnswer).WithHint("select fewer columns, or substr() of a long one")
		}
		out.Rows = append(out.Rows, row)
		out.Shown++
	}
	return out, rows.Err()
}

// distinctNames returns the names with a number behind each that is there already: a, a_2, a_3.
func distinctNames(names []string) []string {
	var out []string
	for _, name := range names {
		fresh := name
		for n := 2; slices.Contains(out, fresh); n++ {
			fresh = fmt.Sprintf("%s_%d", name, n)
		}
		out = append(out, fresh)
	}
	return out
}
