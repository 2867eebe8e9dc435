package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pdf"
	"github.com/akitad/akitad/internal/rows"
)

// maxParts is how many questions one call may ask.
const maxParts = 16

// Part is a further question about the rows that a call reads; its fields mean what those of Args do.
type Part struct {
	Columns   string `json:"columns,omitempty"`
	Where     string `json:"where,omitempty"`
	Since     string `json:"since,omitempty"`
	Until     string `json:"until,omitempty"`
	GroupBy   string `json:"group_by,omitempty"`
	Aggregate string `json:"aggregate,omitempty"`
	Order     string `json:"order,omitempty"`
	Limit     int    `json:"limit,omitempty"`
	Offset    int    `json:"offset,omitempty"`
	Normalise bool   `json:"normalise,omitempty"`
	Describe  bool   `json:"describe,omitempty"`
	LookFor   string `json:"look_for,omitempty"`
}

// of makes the arguments of a call that asks this part alone, about the files of a.
func (p Part) of(a Args) Args {
	return Args{
		Path: a.Path, Format: a.Format, Pattern: a.Pattern, Columns: p.Columns, Where: p.Where, Since: p.Since, Until: p.Until, GroupBy: p.GroupBy,
		Aggregate: p.Aggregate, Order: p.Order, Limit: p.Limit, Offset: p.Offset, Normalise: p.Normalise, Describe: p.Describe, LookFor: p.LookFor,
	}
}

// scans are the questions of one call. The files are read once for all of them. A question that cannot be asked has
// an error in its place.
type scans struct {
	ctx  context.Context
	all  []*scan // nil for a question that cannot be asked
	errs []error // at the same index, why it cannot
	lead *scan   // the first question that can be asked; it notes the columns for all
}

// newScans checks the questions of a call. It fails if none of them can be asked.
func newScans(ctx context.Context, a Args) (*scans, error) {
	if len(a.More) >= maxParts {
		return nil, bad("%d further questions are too many", len(a.More)).WithHint(fmt.Sprintf("Ask at most %d in a call.", maxParts-1))
	}
	if len(a.More) > 0 && a.As != "" {
		return nil, bad("as goes with one question only").WithHint("Leave out as, or more.")
	}
	out := &scans{ctx: ctx}
	one := a
	one.More = nil
	out.add(one)
	for _, p := range a.More {
		out.add(p.of(a))
	}
	if out.lead == nil {
		return nil, errors.Join(out.errs...)
	}
	if len(out.all) == 1 {
		return out, out.errs[0]
	}
	return out, nil
}

func (x *scans) add(a Args) {
	q, err := parse(a)
	var s *scan
	if err == nil {
		if s = newScan(q); x.lead == nil {
			x.lead = s
		}
	}
	x.all, x.errs = append(x.all, s), append(x.errs, err)
}

// take shows a row to every question.
func (x *scans) take(r *rows.Row) error {
	if r.Line&1023 == 0 && x.ctx.Err() != nil {
		return context.Cause(x.ctx)
	}
	x.lead.note(r)
	for _, s := range x.all {
		if s != nil {
			s.take(r)
		}
	}
	return nil
}

// read shows the rows of one file to every question. at is the file's index among those of the call.
func (x *scans) read(dir folder, at int, name string) error {
	f, err := dir.Open(name)
	if err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return bad("%s is a folder", name).WithHint("Name a file, or a glob such as " + name + "/*.log.")
	}
	before := make([]int, len(x.all))
	for i, s := range x.all {
		if s != nil {
			s.file, before[i] = at, s.matched
		}
	}
	text, err := pdf.Reader(x.ctx, f)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	stats, err := rows.Read(text, name, x.lead.q.read, x.take)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	for i, s := range x.all {
		if s != nil {
			s.files = append(s.files, fileStats{name, stats, s.matched - before[i]})
		}
	}
	return nil
}

// answer gives the answer to the only question, or the answers to all, each after the first below a line with its
// number.
func (x *scans) answer() (string, error) {
	if len(x.all) == 1 {
		return x.lead.answer()
	}
	var b strings.Builder
	for i, s := range x.all {
		if i > 0 {
			fmt.Fprintf(&b, "\n# part %d\n", i+1)
		}
		text, err := "", x.errs[i]
		if err == nil {
			s.seen, s.order = x.lead.seen, x.lead.order
			text, err = s.answer()
		}
		if err != nil {
			fmt.Fprintf(&b, "# error: %v", err)
			if e, ok := errors.AsType[*akitad.Error](err); ok && e.Hint != "" {
				b.WriteString(" " + e.Hint)
			}
			continue
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// answer tells what was found.
func (s *scan) answer() (string, error) {
	if err := s.unknownColumn(); err != nil {
		return "", err
	}
	if s.q.json {
		return s.renderJSON()
	}
	return s.render(), nil
}
