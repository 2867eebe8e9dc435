package projection

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// Spent is a task's own usage of one endpoint in one role on one day.
type Spent struct {
	Day string // 2026-11-30, in the local time of the machine that feeds the read model
	akitad.Bill
}

// Sum is the usage of one group. The fields by which it was not grouped are empty.
type Sum struct {
	Day      string
	Person   string // "telegram:1001", or the channel alone for tasks without a sender
	Endpoint string
	Role     string
	Profile  string
	Task     akitad.TaskID // a root task, with all tasks below it
	akitad.Usage
}

// UsageFilter selects and groups usage. The zero value gives one sum over everything.
type UsageFilter struct {
	By     []string // of Groups
	Since  string   // the first day, 2026-11-30; empty means all
	Until  string   // the last day
	Limit  int      // rows in a page, default 50, at most 1,000
	Cursor string   // next of the page before
}

// Groups returns the names by which usage can be grouped.
func Groups() []string { return []string{"day", "person", "endpoint", "role", "profile", "task"} }

func groupColumn(by string) string {
	return map[string]string{
		"day": "u.day", "endpoint": "u.endpoint", "role": "u.role", "profile": "t.profile", "task": "t.root",
		"person": "CASE t.sender WHEN '' THEN t.channel ELSE t.channel || ':' || t.sender END",
	}[by]
}

const putUsage = `INSERT INTO usage (task, day, endpoint, role, input, cached, output, calls, cost)
	VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (task, day, endpoint, role) DO UPDATE SET
	input = excluded.input, cached = excluded.cached, output = excluded.output, calls = excluded.calls, cost = excluded.cost`

// spend stores a task's usage so far. Usage only grows, so no line is ever deleted.
func spend(ctx context.Context, put *sql.Stmt, r Row) error {
	for _, s := range r.Spent {
		_, err := put.ExecContext(ctx, string(r.ID), s.Day, s.Endpoint, s.Role, s.Input, s.Cached, s.Output, s.Calls, s.Cost)
		if err != nil {
			return err
		}
	}
	return nil
}

// Used returns the usage of a person's tasks since the day of the given time. It sums each task's own usage,
// so that running tasks count too. A sender of "" selects the tasks of the channel without a sender.
func (p *Projection) Used(ctx context.Context, channel, sender string, since time.Time) (u akitad.Usage, err error) {
	const sum = `SELECT coalesce(sum(u.input), 0), coalesce(sum(u.cached), 0), coalesce(sum(u.output), 0), coalesce(sum(u.calls), 0),
		coalesce(sum(u.cost), 0.0) FROM usage u JOIN tasks t ON t.id = u.task WHERE u.day >= ? AND t.channel = ? AND t.sender = ?`
	err = p.db.Read.QueryRowContext(ctx, sum, since.Local().Format(time.DateOnly), channel, sender).Scan(&u.Input, &u.Cached, &u.Output, &u.Calls, &u.Cost)
	return u, p.db.Failed("sum usage", err)
}

// Usage returns the sums of all listed tasks by group, each model call once, sorted by the groups, newest
// day first, and the cursor of the next page, "" after the last one. An unknown group, or a cursor that Usage
// did not return, is an error of kind invalid_request.
func (p *Projection) Usage(ctx context.Context, f UsageFilter) (sums []Sum, next string, err error) {
	query, args, err := f.query()
	if err != nil {
		return nil, "", err
	}
	found, err := p.db.Read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, "", p.db.Failed("sum usage", err)
	}
	defer found.Close()
	for found.Next() {
		s, err := f.scan(found)
		if err != nil {
			return nil, "", p.db.Failed("sum usage", err)
		}
		sums = append(sums, s)
	}
	if limit := f.limit(); len(sums) > limit {
		sums, next = sums[:limit], strconv.Itoa(f.offset()+limit)
	}
	return sums, next, p.db.Failed("sum usage", found.Err())
}

func (f UsageFilter) limit() int { return min(cmp.Or(max(f.Limit, 0), DefaultLimit), MaxLimit) }

func (f UsageFilter) offset() int {
	n, _ := strconv.Atoi(f.Cursor) // checked by query
	return n
}

func (f UsageFilter) query() (string, []any, error) {
	if n, err := strconv.Atoi(f.Cursor); f.Cursor != "" && (err != nil || n < 0) {
		return "", nil, noCursor(f.Cursor)
	}
	var columns, order []string
	for _, by := range f.By {
		column := groupColumn(by)
		if column == "" {
			return "", nil, akitad.Errorf(akitad.InvalidRequest, "usage cannot be grouped by %q", by).WithHint("use " + strings.Join(Groups(), ", "))
		}
		columns = append(columns, column)
		if by == "day" {
			column += " DESC"
		}
		order = append(order, column)
	}
	where, args := "", []any{}
	for _, bound := range []struct{ cond, day string }{{"u.day >= ?", f.Since}, {"u.day <= ?", f.Until}} {
		if bound.day != "" {
			where += " AND " + bound.cond
			args = append(args, bound.day)
		}
	}
	sums := slices.Concat(columns, []string{
		"coalesce(sum(u.input), 0)", "coalesce(sum(u.cached), 0)", "coalesce(sum(u.output), 0)", "coalesce(sum(u.calls), 0)", "coalesce(sum(u.cost), 0.0)",
	})
	query := "SELECT " + strings.Join(sums, ", ") + " FROM usage u JOIN tasks t ON t.id = u.task WHERE true" + where
	if len(columns) > 0 {
		query += " GROUP BY " + strings.Join(columns, ", ") + " ORDER BY " + strings.Join(order, ", ")
	}
	return query + fmt.Sprintf(" LIMIT %d OFFSET %d", f.limit()+1, f.offset()), args, nil
}

func (f UsageFilter) scan(from scanner) (s Sum, err error) {
	fields := map[string]any{"day": &s.Day, "person": &s.Person, "endpoint": &s.Endpoint, "role": &s.Role, "profile": &s.Profile, "task": &s.Task}
	into := make([]any, 0, len(f.By)+5)
	for _, by := range f.By {
		into = append(into, fields[by])
	}
	err = from.Scan(append(into, &s.Input, &s.Cached, &s.Output, &s.Calls, &s.Cost)...)
	return s, err
}
