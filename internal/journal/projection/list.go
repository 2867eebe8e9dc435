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

// The default and the maximum number of rows in a page.
const (
	DefaultLimit = 50
	MaxLimit     = 1000
)

// Filter selects rows. Empty fields select all.
type Filter struct {
	State    akitad.State
	Session  akitad.SessionKey
	Query    string // part of the text, in any letter case; only the first TextLimit characters are searched
	Root     akitad.TaskID
	Parent   akitad.TaskID
	IDPrefix string // prefix of the id
	Limit    int    // rows in a page, default 50, at most 1,000
	Cursor   string // next of the page before, to continue there
}

// List returns a page of rows, newest first, and the cursor of the next page, "" after the last one. If
// tasks are added, changed or deleted between two pages, every other row still appears exactly once. A
// cursor that List did not return is an error of kind invalid_request.
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
		add("id >= ? AND id < ?", f.IDPrefix, f.IDPrefix+"~") // "~" sorts after every character of an id
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

// position is the decoded cursor: the last row of a page.
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

// Stale returns up to 1,000 open tasks without an event for the duration silent before now, the longest
// silent first, and tasks whose last event is as far in the future, because the clock was set back.
func (p *Projection) Stale(ctx context.Context, now time.Time, silent time.Duration) ([]Row, error) {
	before, ahead := now.Add(-silent), now.Add(silent)
	return p.rows(ctx, "list stale tasks", `WHERE settled = 0 AND (updated < ? OR updated > ?) ORDER BY updated LIMIT ?`, nanos(&before), nanos(&ahead), MaxLimit)
}

// Settled returns up to 1,000 settled tasks that ended before the given time, oldest first. To get more,
// call it again after Delete.
func (p *Projection) Settled(ctx context.Context, before time.Time) ([]Row, error) {
	return p.rows(ctx, "list settled tasks", `WHERE settled = 1 AND ended < ? ORDER BY ended LIMIT ?`, nanos(&before), MaxLimit)
}

// Delete removes the rows of the given tasks in one transaction. A task without a row is no error.
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
