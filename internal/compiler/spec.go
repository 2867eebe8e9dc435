package compiler

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/loose"
)

// Parse reads a spec from what a model wrote; see package loose for what is survived. The shape is
// strict: only the keys of the contract, a known task_type, and a goal. Lists may be left out. The
// error is of kind invalid_request, names the line where there is one, and says what to write.
func Parse(text string) (akitad.Spec, error) {
	d, err := loose.Decode(text, complete)
	if _, known := errors.AsType[*akitad.Error](err); err != nil && known {
		return akitad.Spec{}, fmt.Errorf("read spec: %w", err)
	}
	return tidy(d.Value), err
}

// complete refuses a spec that lacks what every spec has.
func complete(s akitad.Spec) error {
	switch {
	case s.TaskType == "":
		return akitad.Errorf(akitad.InvalidRequest, "task_type is missing").WithHint(typesHint())
	case !slices.Contains(akitad.TaskTypes, s.TaskType):
		return akitad.Errorf(akitad.InvalidRequest, "task_type %q is not known", s.TaskType).WithHint(typesHint())
	case strings.TrimSpace(s.Goal) == "":
		return akitad.Errorf(akitad.InvalidRequest, "goal is missing").WithHint("Say in one sentence what is wanted.")
	}
	return nil
}

func typesHint() string {
	names := make([]string, len(akitad.TaskTypes))
	for i, t := range akitad.TaskTypes {
		names[i] = string(t)
	}
	return "It is one of " + strings.Join(names, ", ") + "."
}

// tidy trims all texts, drops empty ones and makes every list non-nil.
func tidy(s akitad.Spec) akitad.Spec {
	s.Goal = strings.TrimSpace(s.Goal)
	for _, list := range []*[]string{&s.Inputs.Given, &s.Inputs.Missing, &s.Constraints, &s.OutputRequirements, &s.Risks} {
		kept := []string{}
		for _, item := range *list {
			if item = strings.TrimSpace(item); item != "" {
				kept = append(kept, item)
			}
		}
		*list = kept
	}
	return s
}

// Marshal writes a spec as YAML: every key, in the order of the contract. Parse reads it back to
// the same spec, but for space around texts.
func Marshal(s akitad.Spec) string {
	s = tidy(s)
	var out strings.Builder
	fmt.Fprintf(&out, "task_type: %s\ngoal: %s\ninputs:\n", loose.Scalar(string(s.TaskType)), loose.Scalar(s.Goal))
	for _, l := range []struct {
		name  string
		items []string
	}{
		{"  given", s.Inputs.Given}, {"  missing", s.Inputs.Missing}, {"constraints", s.Constraints},
		{"output_requirements", s.OutputRequirements}, {"risks_or_ambiguities", s.Risks},
	} {
		writeList(&out, l.name, l.items)
	}
	return out.String()
}

func writeList(out *strings.Builder, name string, items []string) {
	if len(items) == 0 {
		fmt.Fprintf(out, "%s: []\n", name)
		return
	}
	in := strings.Repeat(" ", len(name)-len(strings.TrimLeft(name, " "))+2)
	fmt.Fprintf(out, "%s:\n", name)
	for _, item := range items {
		fmt.Fprintf(out, "%s- %s\n", in, loose.Scalar(item))
	}
}
