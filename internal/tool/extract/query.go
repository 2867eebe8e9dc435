package extract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/rows"
)

// Bounds of the arguments limit and offset, in rows of the result.
const (
	defaultLimit = 20
	maxLimit     = 1000
	maxOffset    = 100_000
)

// query is a call whose arguments were checked and parsed. The fields are those of Args.
type query struct {
	read      rows.Options
	columns   []string
	where     []condition
	since     *rows.Time
	until     *rows.Time
	groupBy   []string
	aggs      []aggregate
	order     order
	limit     int
	given     bool // the limit was asked for
	offset    int
	normalise bool
	describe  bool
	lookFor   []string
	json      bool
}

type order struct {
	column string
	desc   bool
}

// parse checks the arguments of a call. Errors are of kind invalid_request and say what is expected.
func parse(a Args) (*query, error) {
	q := &query{
		columns: list(a.Columns), groupBy: list(a.GroupBy), offset: a.Offset,
		normalise: a.Normalise, describe: a.Describe, lookFor: list(a.LookFor), given: a.Limit > 0, limit: a.Limit,
	}
	most := maxLimit
	switch strings.ToLower(strings.TrimSpace(a.As)) {
	case "", "text":
	case asJSON:
		q.json, most = true, maxJSON
	default:
		return nil, bad("as %q is unknown", a.As).WithHint("Known: text, json.")
	}
	if q.limit == 0 {
		q.limit = defaultLimit
		if q.json {
			q.limit = maxJSON
		}
	}
	if a.Limit < 0 || a.Limit > most || a.Offset < 0 || a.Offset > maxOffset {
		return nil, bad("limit must be 1 to %d and offset 0 to %d", most, maxOffset)
	}
	steps := []func(Args) error{q.parseFormat, q.parseWhere, q.parseTimes, q.parseAggregates, q.parseOrder}
	for _, step := range steps {
		if err := step(a); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// list splits text at commas and drops empty items.
func list(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func (q *query) parseFormat(a Args) error {
	q.read.Format = rows.Format(strings.ToLower(strings.TrimSpace(a.Format)))
	if a.Pattern != "" {
		re, err := regexp.Compile(a.Pattern)
		if err != nil {
			return bad("pattern: %v", err).WithHint("RE2 syntax; named groups are (?P<name>...).")
		}
		q.read.Pattern, q.read.Format = re, rows.Regexp
	}
	if q.read.Format != "" && !slices.Contains(rows.Formats, q.read.Format) {
		return bad("format %q is unknown", a.Format).WithHint("Known: auto, log, csv, jsonl, regexp, markdown, headings, text.")
	}
	return nil
}

func (q *query) parseWhere(a Args) (err error) {
	q.where, err = parseWhere(a.Where)
	return err
}

// parseTimes reads since and until. A day as the end means the whole of that day.
func (q *query) parseTimes(a Args) error {
	for _, b := range []struct {
		name, text string
		into       **rows.Time
	}{{"since", a.Since, &q.since}, {"until", a.Until, &q.until}} {
		if b.text == "" {
			continue
		}
		t, ok := rows.ParseTime(b.text)
		if !ok {
			return bad("%s: %q is not a time", b.name, b.text).WithHint("Write 2026-11-30 10:05, 2026-11-30 or 10:05.")
		}
		if b.name == "until" && t.Precision == rows.ToDay {
			t.At = t.At.AddDate(0, 0, 1)
		}
		*b.into = &t
	}
	return nil
}

// parseAggregates reads the aggregates. Groups without one are counted.
func (q *query) parseAggregates(a Args) error {
	for _, text := range list(a.Aggregate) {
		agg, err := parseAggregate(text)
		if err != nil {
			return err
		}
		q.aggs = append(q.aggs, agg)
	}
	if len(q.groupBy) > 0 && len(q.aggs) == 0 {
		q.aggs = []aggregate{{fn: "count"}}
	}
	return nil
}

func (q *query) parseOrder(a Args) error {
	f := strings.Fields(a.Order)
	if len(f) == 0 {
		return nil
	}
	dir := strings.ToLower(f[len(f)-1])
	q.order.desc = dir == "desc"
	if dir == "asc" || dir == "desc" {
		f = f[:len(f)-1]
	}
	if len(f) != 1 {
		return bad("order %q is not a column and a direction", a.Order).WithHint("Write e.g. count desc.")
	}
	q.order.column = f[0]
	if q.grouped() && !slices.Contains(q.resultColumns(), f[0]) {
		return bad("order: the result has no column %q", f[0]).WithHint("It has: " + strings.Join(q.resultColumns(), ", ") + ".")
	}
	return nil
}

// grouped reports whether the result has groups rather than rows. Aggregates without group_by make one group of all
// rows.
func (q *query) grouped() bool { return len(q.aggs) > 0 }

// resultColumns names the columns of a grouped result.
func (q *query) resultColumns() []string {
	out := slices.Clone(q.groupBy)
	for _, a := range q.aggs {
		out = append(out, a.String())
	}
	return out
}

// inRange reports whether a row's time is not before since, and before until. A row without a time is in no range.
func (q *query) inRange(r *rows.Row) bool {
	if q.since == nil && q.until == nil {
		return true
	}
	if !r.HasTime {
		return false
	}
	if q.since != nil && r.Time.Compare(*q.since) < 0 {
		return false
	}
	return q.until == nil || r.Time.Compare(*q.until) < 0
}

// normalises reports whether a column's values are shown and grouped as templates, see rows.Template.
func (q *query) normalises(name string) bool {
	return q.normalise && (name == rows.MessageField || name == "path" || name == "text")
}
