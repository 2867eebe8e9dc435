package projection

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// The number of rows in a page, if the filter does not say, and the most it can be.
const (
	DefaultLimit = 50
	MaxLimit     = 1000
)

// Filter chooses rows. Empty fields choose all.
type Filter struct {
	State    akitad.State
	Session  akitad.SessionKey
	Query    string // part of the text, in any letter case; the first TextLimit characters count
	Root     akitad.TaskID
	Parent   akitad.TaskID
	IDPrefix string // how the id begins
	Limit    int    // rows in a page, default 50, at most 1,000
	Cursor   string // what List gave as next, to go on from there
}

// List gives a page of rows, the newest first, and the cursor of the next page, "" after the last
// one. Tasks that are made, change or go between two pages make no other row appear twice or
// never. A cursor that List did not make is an error of kind invalid_request.
func (p *Projection) List(ctx context.Context, f Filter) (rows []Row, next string, err error) {
	limit := min(cmp.Or(max(f.Limit, 0), DefaultLimit), MaxLimit)
	where, args, err := f.where()
	if err != nil {
		return nil, "", err
	}
	rows, err = p.rows(ctx, "list tasks", where+` ORDER BY created DESC, id DESC LIMIT ?`, append(args, limit+1)...)
	if err != nil || len(rows) <= limit {
		return rows, "", err
	}
	rows = rows[:limit]
	return rows, after(rows[limit-1]).encode(), nil
}

func (f Filter) where() (string, []any, error) {
	var parts []string
	var args []any
	add := func(part string, values ...any) {
		parts, args = append(parts, part), append(args, values...)
	}
	for _, eq := range []struct{ column, value string }{
		{"state", string(f.State)}, {"session", string(f.Session)}, {"root", string(f.Root)}, {"parent", string(f.Parent)},
	} {
		if eq.value != "" {
			add(eq.column+" = ?", eq.value)
		}
	}
	if f.IDPrefix != "" {
		add("id >= ? AND id < ?", f.IDPrefix, f.IDPrefix+"~") // sorts after all that ids are made of
	}
	if f.Query != "" {
		add("instr(folded, ?) > 0", fold(f.Query))
	}
	if f.Cursor != "" {
		at, err := decode(f.Cursor)
		if err != nil {
			return "", nil, err
		}
		add("(created, id) < (?, ?)", at.Created, string(at.ID))
	}
	if len(parts) == 0 {
		return "", nil, nil
	}
	return "WHERE " + strings.Join(parts, " AND "), args, nil
}

// A position is the last row of a page; the next page begins below it.
type position struct {
	Created int64         `json:"c"`
	ID      akitad.TaskID `json:"i"`
}

func after(r Row) position { return position{nanos(&r.Created), r.ID} }

func (p position) encode() string {
	text, _ := json.Marshal(p) // a number and a string always marshal
	return base64.RawURLEncoding.EncodeToString(text)
}

func decode(cursor string) (p position, err error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || json.Unmarshal(text, &p) != nil || p.ID == "" {
		return p, noCursor(cursor)
	}
	return p, nil
}

func noCursor(given string) error {
	return akitad.Errorf(akitad.InvalidRequest, "%.40q is no cursor", given).WithHint("pass the next of the page before, unchanged, or no cursor for the first page")
}

// Stale gives up to 1,000 open tasks that have had no event for that long at now, the longest silent first. So
// is one whose last event lies as far ahead: the clock was set back since.
func (p *Projection) Stale(ctx context.Context, now time.Time, silent time.Duration) ([]Row, error) {
	before, ahead := now.Add(-silent), now.Add(silent)
	return p.rows(ctx, "list stale tasks", `WHERE settled = 0 AND (updated < ? OR updated > ?) ORDER BY updated LIMIT ?`, nanos(&before), nanos(&ahead), MaxLimit)
}

// Settled gives up to 1,000 settled tasks that ended before the given time, the oldest first. Ask
// again after Delete for more.
func (p *Projection) Settled(ctx context.Context, before time.Time) ([]Row, error) {
	return p.rows(ctx, "list settled tasks", `WHERE settled = 1 AND ended < ? ORDER BY ended LIMIT ?`, nanos(&before), MaxLimit)
}

// Counts gives the number of tasks in each state that any task is in.
func (p *Projection) Counts(ctx context.Context) (map[akitad.State]int, error) {
	const op = "count tasks"
	found, err := p.db.Read.QueryContext(ctx, `SELECT state, count(*) FROM tasks GROUP BY state`)
	if err != nil {
		return nil, p.db.Failed(op, err)
	}
	defer found.Close()
	counts := map[akitad.State]int{}
	for found.Next() {
		var state akitad.State
		var n int
		if err := found.Scan(&state, &n); err != nil {
			return nil, p.db.Failed(op, err)
		}
		counts[state] = n
	}
	return counts, p.db.Failed(op, found.Err())
}

// Delete removes the rows of these tasks, all or none. A task that has no row is no error.
func (p *Projection) Delete(ctx context.Context, ids ...akitad.TaskID) error {
	return p.db.Change(ctx, "delete from projection", func(tx *sql.Tx) error {
		for _, id := range ids {
			for _, from := range []string{`DELETE FROM tasks WHERE id = ?`, `DELETE FROM usage WHERE task = ?`} {
				if _, err := tx.ExecContext(ctx, from, string(id)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (p *Projection) rows(ctx context.Context, op, rest string, args ...any) ([]Row, error) {
	found, err := p.db.Read.QueryContext(ctx, `SELECT `+columns+` FROM tasks `+rest, args...)
	if err != nil {
		return nil, p.db.Failed(op, err)
	}
	defer found.Close()
	var rows []Row
	for found.Next() {
		r, err := scan(found)
		if err != nil {
			return nil, p.db.Failed(op, err)
		}
		rows = append(rows, r)
	}
	return rows, p.db.Failed(op, found.Err())
}
