package data

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/tool"
)

//go:embed dedupe.md
var dedupeText string

type dedupeArgs struct {
	Rows []json.RawMessage `json:"rows,omitempty" jsonschema:"the rows, each an object"`
	Path string            `json:"path,omitempty" jsonschema:"a file to read them from, in place of rows"`
	Key  string            `json:"key" jsonschema:"columns that make two rows the same, separated by commas"`
	Keep string            `json:"keep,omitempty" jsonschema:"which of several stays" enum:"first,last" default:"\"first\""`
}

type dedupe struct{ info tool.Info }

func dedupeInfo() (tool.Info, error) {
	return describe[dedupeArgs](tool.Info{
		Name: "dedupe", Description: dedupeText, Readonly: true, Idempotent: true, ParallelSafe: true, Risk: tool.RiskRead,
	})
}

func (t dedupe) Info() tool.Info { return t.info }

// Call returns the rows, given in the call or read from a file of the folder, without those whose key columns hold the
// same values as those of a row that stays: the first of each key, or the last if keep says so. Rows without a value in a
// key column all stay and are counted. A key column that no row has, and more than MaxRows rows in the result, are
// refused (invalid_request). The text is JSON of the form of distinct.
func (t dedupe) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	a, err := read[dedupeArgs]("dedupe", in)
	if err != nil {
		return tool.Result{}, err
	}
	key := columns(a.Key)
	if len(key) == 0 {
		return tool.Result{}, bad("dedupe: the key is empty").WithHint("name the columns that make two rows the same, such as order_id")
	}
	if a.Path != "" {
		if len(a.Rows) > 0 {
			return tool.Result{}, bad("dedupe: rows and path are both given").WithHint("give one of the two")
		}
		if a.Rows, err = rowsOf(in.Scope, a.Path); err != nil {
			return tool.Result{}, err
		}
	}
	out, err := unique(a.Rows, key, a.Keep == "last")
	if err != nil {
		return tool.Result{}, err
	}
	text, err := encode(out)
	return tool.Result{Text: string(text), Untrusted: fromChat(in.Scope, a.Path)}, err
}

// distinct is the result of dedupe.
type distinct struct {
	Rows       []json.RawMessage `json:"rows"`        // the rows that stay, as they were given and in their order
	Total      int               `json:"total"`       // rows that were compared: Kept and Dropped together
	Kept       int               `json:"kept"`        // len(Rows)
	Dropped    int               `json:"dropped"`     // rows whose key another row has
	WithoutKey int               `json:"without_key"` // rows that stay because a key column is missing or null
}

// unique keeps one row of each key, in the order in which the kept ones came.
func unique(all []json.RawMessage, key []string, last bool) (distinct, error) {
	out := distinct{Rows: []json.RawMessage{}, Total: len(all)}
	found := map[string]bool{} // columns that some row has
	kept := map[string]int{}   // key -> index in all
	stay := make([]bool, len(all))
	for i, raw := range all {
		row, err := decodeRow(raw)
		if err != nil {
			return out, bad("dedupe: row %d: %w", i+1, err)
		}
		id, ok := keyOf(row, key, found)
		before, twice := kept[id]
		switch {
		case !ok:
			out.WithoutKey++
			stay[i] = true
		case !twice:
			kept[id], stay[i] = i, true
		case last:
			stay[before], stay[i], kept[id] = false, true, i
		}
	}
	for i, raw := range all {
		if stay[i] {
			out.Rows = append(out.Rows, raw)
		}
	}
	out.Kept, out.Dropped = len(out.Rows), len(all)-len(out.Rows)
	return out, out.check(key, found)
}

// check refuses a key that is in no row, and more rows than can be handed on.
func (d distinct) check(key []string, found map[string]bool) error {
	for _, name := range key {
		if d.Total > 0 && !found[name] {
			return bad("dedupe: no row has a column %q", name).WithHint("name columns as they stand in the rows")
		}
	}
	if d.Kept > MaxRows {
		return bad("dedupe: %d rows are left, at most %d can be handed on", d.Kept, MaxRows).WithHint("put the rows into a SQLite file with sql_exec, whose table has the key as PRIMARY KEY")
	}
	return nil
}

// keyOf returns the values of a row's key columns as one text, which two rows share only if all the values are equal; ok is
// false if one is missing or null. The number 7 and the text 7 are equal. Columns that the row has are marked in found.
func keyOf(row map[string]any, key []string, found map[string]bool) (id string, ok bool) {
	ok = true
	var b strings.Builder
	for _, name := range key {
		v, has := row[name]
		found[name] = found[name] || has
		ok = ok && v != nil
		text := plain(v)
		fmt.Fprintf(&b, "%d:%s,", len(text), text)
	}
	return b.String(), ok
}

// plain returns a text as it is and any other value as JSON.
func plain(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, err := encode(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// columns returns the names in a list with commas, each once, without blanks around them.
func columns(list string) []string {
	var out []string
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// maxRead is how many rows a file may have to be compared; all of them are in memory meanwhile.
const maxRead = 200_000

// rowsOf returns the rows of a file of the task's folder, in any format that package rows finds, as JSON objects of texts.
func rowsOf(s tool.Scope, name string) ([]json.RawMessage, error) {
	f, err := s.Dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []json.RawMessage
	_, err = rows.Read(f, name, rows.Options{}, func(r *rows.Row) error {
		if len(out) == maxRead {
			return bad("dedupe: %s has more than %d rows", name, maxRead).WithHint("split the file, or use a SQLite table with a PRIMARY KEY")
		}
		text, err := rowJSON(r)
		out = append(out, text)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return out, nil
}

// rowJSON writes a row as an object, its columns in their order.
func rowJSON(r *rows.Row) (json.RawMessage, error) {
	names, values := make([]string, 0, len(r.Fields)), make([]any, 0, len(r.Fields))
	for _, f := range r.Fields {
		if !slices.Contains(names, f.Name) {
			names, values = append(names, f.Name), append(values, f.Value)
		}
	}
	return object(names, values)
}
