package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/loose"
)

// Problem is one reason why a plan cannot run.
type Problem struct {
	Step string // id of the step; empty for the plan as a whole
	Line int    // of the text the plan was read from; 0 if unknown
	Text string // what is wrong, and what is known instead
	Hint string // what to do about it
}

// String gives "line 3, step a: what. hint".
func (p Problem) String() string {
	where := ""
	switch {
	case p.Line > 0 && p.Step != "":
		where = fmt.Sprintf("line %d, step %s: ", p.Line, p.Step)
	case p.Line > 0:
		where = fmt.Sprintf("line %d: ", p.Line)
	case p.Step != "":
		where = fmt.Sprintf("step %s: ", p.Step)
	}
	return strings.TrimSpace(where + p.Text + ". " + p.Hint)
}

// Problems are all reasons that were found, in the order of the plan. They are an error; use
// errors.AsType to get at them.
type Problems []Problem

// Error gives one problem a line, at most ten.
func (ps Problems) Error() string {
	out := make([]string, 0, 10)
	for i, p := range ps {
		if i == 10 {
			out = append(out, fmt.Sprintf("and %d more", len(ps)-i))
			break
		}
		out = append(out, p.String())
	}
	return strings.Join(out, "\n")
}

func (ps *Problems) add(step string, line int, text, hint string) {
	*ps = append(*ps, Problem{step, line, text, hint})
}

// err gives the problems as an *akitad.Error; nil if there are none.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return &akitad.Error{Kind: akitad.InvalidRequest, Err: ps, Hint: ps[0].Hint}
}

// instead says what is known in place of name: the nearest, or all.
func instead(name string, known []string) string {
	if near := loose.Nearest(name, known); near != "" {
		return fmt.Sprintf("Did you mean %s?", near)
	}
	if len(known) == 0 {
		return "There are none."
	}
	sorted := slices.Sorted(slices.Values(known))
	if len(sorted) > 20 {
		return "Known are " + strings.Join(sorted[:20], ", ") + fmt.Sprintf(" and %d more.", len(sorted)-20)
	}
	return "Known are " + strings.Join(sorted, ", ") + "."
}
