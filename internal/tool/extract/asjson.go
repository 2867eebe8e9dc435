package extract

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/akitad/akitad/internal/rows"
)

// asJSON is the answer for a plan's next step: rows or groups as objects, whole values, none left out.
const asJSON = "json"

// maxJSON is how many rows a JSON answer holds. More without a limit asked for is an error: what is
// cut in silence would be missing further on.
const maxJSON = 10_000

// object is a row whose columns keep their order.
type object struct {
	names  []string
	values []string
}

// MarshalJSON writes the columns in order; what is written as JSON writes a number is a number.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(typed(o.values[i])); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// typed gives a value as a number only if its text is what that number is written as, so that 007,
// 1.50 and long ids stay text.
func typed(s string) any {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(i, 10) == s {
		return i
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && strconv.FormatFloat(f, 'f', -1, 64) == s {
		return json.Number(s)
	}
	return s
}

// fileCount is what was read of one file.
type fileCount struct {
	Name      string `json:"name"`
	Rows      int    `json:"rows"`
	Matched   int    `json:"matched"`
	Malformed int    `json:"malformed"`
}

// renderJSON writes the result as one JSON object. A result that is not complete is an error.
func (s *scan) renderJSON() (string, error) {
	var out struct {
		Rows  []object    `json:"rows"`
		Total int         `json:"total"`
		Shown int         `json:"shown"`
		Files []fileCount `json:"files"`
	}
	switch {
	case s.about != nil:
		return "", bad("describe is told as text").WithHint("Leave out as, or describe.")
	case s.lost > 0:
		return "", bad("there are more than %d groups", maxGroups).WithHint("Group by fewer columns.")
	case s.q.grouped():
		out.Rows, out.Total = s.groupObjects(), len(s.list)
	default:
		out.Rows, out.Total = s.rowObjects(), s.matched
	}
	if out.Shown = len(out.Rows); !s.q.given && out.Total > s.q.offset+out.Shown {
		return "", bad("%d rows are more than %d", out.Total, maxJSON).WithHint("Narrow where, or read them part by part with limit and offset.")
	}
	for _, f := range s.files {
		out.Files = append(out.Files, fileCount{f.name, f.stats.Rows, f.matched, f.stats.Malformed})
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(out)
	return string(bytes.TrimSpace(b.Bytes())), err
}

func (s *scan) rowObjects() []object {
	out := []object{}
	ordered, _ := s.ranked()
	for _, k := range ordered[min(s.q.offset, len(ordered)):] {
		o := object{names: s.q.columns}
		if len(o.names) == 0 {
			o.names = namesOf(k.row)
		}
		for _, name := range o.names {
			v, _ := column(k.row, name)
			o.values = append(o.values, s.shown(name, v))
		}
		out = append(out, o)
	}
	return out
}

func namesOf(r *rows.Row) []string {
	seen := map[string]bool{}
	var out []string
	for _, f := range r.Fields {
		if !seen[f.Name] {
			seen[f.Name] = true
			out = append(out, f.Name)
		}
	}
	return out
}

func (s *scan) groupObjects() []object {
	if len(s.list) == 0 && len(s.q.groupBy) == 0 {
		s.groupOf(&rows.Row{}) // figures over no rows are still figures
	}
	s.settle()
	s.sortGroups()
	names := s.q.resultColumns()
	out := []object{}
	for _, g := range s.list[min(s.q.offset, len(s.list)):min(s.q.offset+s.q.limit, len(s.list))] {
		o := object{names: names}
		for _, name := range names {
			o.values = append(o.values, s.groupValue(g, name))
		}
		out = append(out, o)
	}
	return out
}
