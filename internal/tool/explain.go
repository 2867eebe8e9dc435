package tool

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxFaults is how many faults of one call are told at once.
const maxFaults = 3

// explain says in the words of a caller what a schema found wrong, naming each field.
func (a *Arguments) explain(err error) error {
	v, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err
	}
	var faults []string
	for _, leaf := range leaves(v) {
		faults = append(faults, a.fault(leaf))
	}
	slices.Sort(faults)
	faults = slices.Compact(faults)
	return errors.New(strings.Join(faults[:min(maxFaults, len(faults))], "; "))
}

// leaves gives the errors that have no further cause.
func leaves(v *jsonschema.ValidationError) (all []*jsonschema.ValidationError) {
	if len(v.Causes) == 0 {
		return []*jsonschema.ValidationError{v}
	}
	for _, c := range v.Causes {
		all = append(all, leaves(c)...)
	}
	return all
}

func (a *Arguments) fault(v *jsonschema.ValidationError) string {
	field := strings.Join(v.InstanceLocation, ".")
	switch k := v.ErrorKind.(type) {
	case *kind.Required:
		return fmt.Sprintf("argument %q is missing", join(field, strings.Join(k.Missing, ", ")))
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties) // they come in any order, and the same mistake is to be told the same way
		text := fmt.Sprintf("argument %q is unknown", join(field, strings.Join(k.Properties, ", ")))
		if near := Nearest(k.Properties[0], a.known()); field == "" && len(near) > 0 {
			text += fmt.Sprintf(" (did you mean %s?)", near[0])
		}
		return text
	case *kind.Type:
		return fmt.Sprintf("argument %q is %s, want %s", field, k.Got, strings.Join(k.Want, " or "))
	case *kind.Enum:
		return fmt.Sprintf("argument %q is %v, want one of %v", field, k.Got, k.Want)
	case *kind.Maximum:
		return fmt.Sprintf("argument %q is %s, want at most %s", field, k.Got.RatString(), k.Want.RatString())
	case *kind.Minimum:
		return fmt.Sprintf("argument %q is %s, want at least %s", field, k.Got.RatString(), k.Want.RatString())
	}
	text := v.BasicOutput().Error
	if field == "" {
		return text.String()
	}
	return fmt.Sprintf("argument %q: %s", field, text.String())
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

func (a *Arguments) known() []string {
	properties, _ := a.schema["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// usage says which arguments the tool takes: "it takes path (string), limit (integer, optional)".
func (a *Arguments) usage() string {
	properties, _ := a.schema["properties"].(map[string]any)
	required, _ := a.schema["required"].([]any)
	if len(properties) == 0 {
		return "send the arguments as one JSON object"
	}
	var parts []string
	for _, name := range a.known() {
		p, _ := properties[name].(map[string]any)
		words := typesOf(follow(p, a.schema))
		text := strings.Join(words, " or ")
		if !slices.Contains(required, any(name)) {
			text = strings.TrimPrefix(text+", optional", ", ")
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", name, text))
	}
	return "send one JSON object; it takes " + strings.Join(parts, ", ")
}
