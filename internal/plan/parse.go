package plan

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/loose"
)

// Parse reads a plan from what a model or a person wrote; see package loose for what is survived.
// It checks the shape alone (keys, types, the form of names, at most 64 KiB and depth 16); Validate
// does the rest. A plan whose steps are [] is a plan: the work is not split. Errors are of kind
// invalid_request and name the line.
func Parse(text string) (akitad.Plan, error) {
	d, err := decode(text)
	return d.Value, err
}

// Check is Parse and Validate in one, so that Validate's errors name lines too.
func Check(text string, known Known) (akitad.Plan, error) {
	d, err := decode(text)
	if err != nil {
		return akitad.Plan{}, err
	}
	if err := validate(d.Value, known, d.Lines); err != nil {
		return akitad.Plan{}, err
	}
	return d.Value, nil
}

func decode(text string) (loose.Decoded[akitad.Plan], error) {
	text = loose.KeepSigns(text, "goal", "prompt")
	d, err := loose.Decode(text, func(p akitad.Plan) error { return form(p, nil).err() })
	if err == nil {
		return d, nil
	}
	if _, ok := errors.AsType[Problems](err); ok {
		// Refused for a name's form, where no line is known: read it once more to name the line.
		if d, again := loose.Decode[akitad.Plan](text, nil); again == nil {
			err = form(d.Value, d.Lines).err()
		}
	}
	return loose.Decoded[akitad.Plan]{}, wrap(err)
}

func wrap(err error) error {
	e := &akitad.Error{Kind: akitad.InvalidRequest, Op: "read plan", Err: err}
	if f := akitad.FailureOf(err); f != nil {
		e.Hint = f.Hint
	}
	return e
}

var (
	stepID   = regexp.MustCompile(`^[a-z0-9_-]{1,40}$`)
	toolName = regexp.MustCompile(`^[A-Za-z0-9_.:/-]{1,128}$`)
)

// form finds names that cannot be names.
func form(p akitad.Plan, lines loose.Lines) Problems {
	var found Problems
	if p.Steps == nil {
		found.add("", lines.At("goal"), "the plan has no steps", "Give steps, or \"steps: []\" if the work is not to be split.")
	}
	for i, s := range p.Steps {
		at := fmt.Sprintf("steps[%d]", i)
		bad := func(key, value, want string) {
			found.add(s.ID, lines.At(at+"."+key), fmt.Sprintf("%s %q is not a valid name", key, value), want)
		}
		if !stepID.MatchString(s.ID) {
			bad("id", s.ID, "Use 1 to 40 of a-z, 0-9, - and _.")
		}
		if s.Tool != "" && !toolName.MatchString(s.Tool) {
			bad("tool", s.Tool, "Give the name of one tool.")
		}
		if s.Model != "" && !akitad.ValidName(s.Model) {
			bad("model", s.Model, "Give the name of a role, such as main, or of an endpoint.")
		}
		if s.Agent != "" && !akitad.ValidName(s.Agent) {
			bad("agent", s.Agent, "Give the name of a profile, such as analyst.")
		}
		for _, n := range s.Needs {
			if !stepID.MatchString(n) {
				bad("needs", n, "Give ids of steps.")
			}
		}
	}
	return found
}

// Marshal writes p as YAML that Parse reads back to the same plan, fields in the order of
// akitad.Plan and akitad.Step. Bytes that are no UTF-8 and control characters in block texts are
// the only thing that is not kept.
func Marshal(p akitad.Plan) string {
	if p.Steps == nil {
		p.Steps = []akitad.Step{}
	}
	return loose.Encode(p)
}
