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
	d, err := loose.Decode(loose.PlainQuotes(loose.KeepSigns(text)), complete)
	if _, known := errors.AsType[*akitad.Error](err); err != nil && known {
		return akitad.Spec{}, fmt.Errorf("read spec: %w", err)
	}
	return tidy(d.Value), err
}

// complete refuses a spec that lacks what every spec has.
func complete(s akitad.Spec) error {
	switch {
	case typeOf(s) == "":
		return akitad.Errorf(akitad.InvalidRequest, "task_type is missing").WithHint(typesHint())
	case !slices.Contains(akitad.TaskTypes, typeOf(s)):
		return akitad.Errorf(akitad.InvalidRequest, "task_type %q is not known", s.TaskType).WithHint(typesHint())
	case strings.TrimSpace(s.Goal) == "":
		return akitad.Errorf(akitad.InvalidRequest, "goal is missing").WithHint("Say in one sentence what is wanted.")
	}
	return nil
}

// typeOf gives the type of s without the marks and capitals that models write it with.
func typeOf(s akitad.Spec) akitad.TaskType {
	return akitad.TaskType(strings.ToLower(strings.Trim(string(s.TaskType), "`*_\"'“”. ")))
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
	s.Goal, s.TaskType = strings.TrimSpace(s.Goal), typeOf(s)
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
func Marshal(s akitad.Spec) string { return loose.Encode(tidy(s)) }
