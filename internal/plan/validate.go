package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/loose"
)

// Limits of a plan.
const (
	MaxSteps       = 64
	MaxParallel    = 64 // largest max_parallel
	MaxRetry       = 10
	MaxTimeout     = 24 * time.Hour
	DefaultBreadth = 8 // max_parallel where a step gives none
)

// Known is what a plan may name. A nil list is not checked; an empty one knows nothing.
type Known struct {
	Tools       []string
	Waiting     []string // tools that wait for somebody else: agents have them, and no step can call one
	Profiles    []string
	Roles       []string                   // and endpoints: what a step may have as its model
	Tags        []string                   // of endpoints
	Params      map[string]any             // the parameters that are given; nil leaves them unchecked
	ToolSchemas map[string]json.RawMessage // JSON Schema of a tool's arguments, by name
}

// Validate finds every reason why p cannot run: names that are not known, steps that need each
// other, expressions that lead nowhere, schemas, times and modes that are none. A step whose
// output is used counts as needed, whether or not needs says so. The error is of kind
// invalid_request and wraps Problems. A plan without steps is valid.
func Validate(p akitad.Plan, known Known) error { return validate(p, known, nil) }

func validate(p akitad.Plan, known Known, lines loose.Lines) error {
	v := &validator{p: p, known: known, lines: lines, found: form(p, lines)}
	if len(p.Steps) > MaxSteps {
		v.found.add("", lines.At("steps"), fmt.Sprintf("the plan has %d steps, more than %d", len(p.Steps), MaxSteps), "Use for_each for work of one kind.")
	}
	v.params()
	for i := range p.Steps {
		v.step(i)
	}
	if path, at := newGraph(p).loop(); path != "" {
		v.add(at, "needs", "the steps need each other: "+path, "Take one of these needs away.")
	}
	if err := v.found.err(); err != nil {
		return &akitad.Error{Kind: akitad.InvalidRequest, Op: "check plan", Err: v.found, Hint: v.found[0].Hint}
	}
	return nil
}

type validator struct {
	p     akitad.Plan
	known Known
	lines loose.Lines
	found Problems
}

// add notes a problem with a key of step i.
func (v *validator) add(i int, key, text, hint string) {
	v.found.add(v.p.Steps[i].ID, v.lines.At(fmt.Sprintf("steps[%d].%s", i, key)), text, hint)
}

func (v *validator) params() {
	broken := false
	for _, name := range sortedKeys(v.p.Params) {
		if err := declared(schemaOf(v.p.Params[name])); err != nil {
			v.found.add("", v.lines.At("params."+name), fmt.Sprintf("parameter %q: %v", name, err), akitad.FailureOf(err).Hint)
			broken = true
		}
	}
	if broken || v.known.Params == nil {
		return
	}
	_, found := params(v.p, v.known.Params)
	for _, f := range found {
		f.Line = v.lines.At("params")
		v.found = append(v.found, f)
	}
}

// declared reports whether a parameter's schema is one, and whether its default satisfies it.
func declared(schema map[string]any) error {
	if schema == nil {
		return nil
	}
	if err := CheckSchema(schema); err != nil {
		return err
	}
	value, ok := schema["default"]
	if !ok {
		return nil
	}
	if err := Conforms(schema, encode(typed(value, schema["type"]))); err != nil {
		return akitad.Errorf(akitad.InvalidRequest, "the default: %w", err).WithHint("Give a default that the schema allows, or none.")
	}
	return nil
}

func (v *validator) step(i int) {
	v.kind(i)
	v.names(i)
	v.modes(i)
	v.schemas(i)
	v.refs(i)
	v.arguments(i)
}

// kind checks that the step is one thing and has what that thing needs.
func (v *validator) kind(i int) {
	s := v.p.Steps[i]
	var kinds []string
	for _, k := range [][2]string{{"tool", s.Tool}, {"model", s.Model}, {"agent", s.Agent}} {
		serves := k[0] == "model" && s.Agent != "" && s.Tool == "" && s.Prompt == "" // the agent, and is no step of its own
		if k[1] != "" && !serves {
			kinds = append(kinds, k[0])
		}
	}
	if len(kinds) != 1 {
		text := "the step is neither tool, model nor agent"
		if len(kinds) > 1 {
			text = "the step is " + strings.Join(kinds, " and ")
		}
		v.add(i, "id", text, "Give exactly one of tool, model and agent.")
		return
	}
	for _, part := range []struct {
		key, of string
		has     bool
		must    bool
	}{
		{"with", "tool", s.With != nil, false},
		{"tags", "model", len(s.Tags) > 0 && s.Agent == "", false},
		{"prompt", "model", strings.TrimSpace(s.Prompt) != "", true},
		{"goal", "agent", strings.TrimSpace(s.Goal) != "", true},
	} {
		switch {
		case part.of == kinds[0] && part.must && !part.has:
			v.add(i, part.of, fmt.Sprintf("a step with %s needs %s", part.of, part.key), "Say in "+part.key+" what is to be done.")
		case part.of != kinds[0] && part.has:
			v.add(i, part.key, fmt.Sprintf("%s belongs to %s, and this step has %s", part.key, part.of, kinds[0]), "Take one of the two away.")
		}
	}
}

// names checks ids, needs and what the step calls.
func (v *validator) names(i int) {
	s := v.p.Steps[i]
	if first := slices.IndexFunc(v.p.Steps, func(o akitad.Step) bool { return o.ID == s.ID }); first < i {
		v.add(i, "id", fmt.Sprintf("id %q is taken by an earlier step", s.ID), "Give each step an id of its own.")
	}
	for _, k := range []struct {
		key, name string
		known     []string
	}{{"tool", s.Tool, v.known.Tools}, {"agent", s.Agent, v.known.Profiles}, {"model", s.Model, v.known.Roles}} {
		if k.key == "tool" && slices.Contains(v.known.Waiting, k.name) {
			v.add(i, k.key, fmt.Sprintf("tool %q waits for somebody else, which a step cannot", k.name), "Let an agent call it: a step with agent and goal.")
		} else if k.name != "" && k.known != nil && !slices.Contains(k.known, k.name) {
			v.add(i, k.key, fmt.Sprintf("%s %q is not known", k.key, k.name), instead(k.name, k.known))
		}
	}
	for _, tag := range s.Tags {
		if v.known.Tags != nil && !slices.Contains(v.known.Tags, tag) {
			v.add(i, "tags", fmt.Sprintf("no endpoint has the tag %q", tag), instead(tag, v.known.Tags))
		}
	}
	for n, id := range s.Needs {
		v.need(i, fmt.Sprintf("needs[%d]", n), id)
	}
}

func (v *validator) need(i int, key, id string) bool {
	ids := v.ids(i)
	switch {
	case slices.Contains(ids, id):
		return true
	case id == v.p.Steps[i].ID:
		v.add(i, key, "the step needs itself", "Take this need away.")
	default:
		v.add(i, key, fmt.Sprintf("step %q is not known", id), instead(id, ids))
	}
	return false
}

// ids gives those of all other steps.
func (v *validator) ids(i int) []string {
	var out []string
	for _, s := range v.p.Steps {
		if s.ID != v.p.Steps[i].ID {
			out = append(out, s.ID)
		}
	}
	return out
}

// modes checks the values that are one of a few, and the numbers.
func (v *validator) modes(i int) {
	s := v.p.Steps[i]
	for _, m := range []struct {
		key, value string
		known      []string
	}{
		{"context", s.Context, []string{"isolated", "shared"}},
		{"on_error", s.OnError, []string{OnErrorFail, OnErrorSkip, OnErrorAsk}},
	} {
		if m.value != "" && !slices.Contains(m.known, m.value) {
			v.add(i, m.key, fmt.Sprintf("%s %q is not known", m.key, m.value), instead(m.value, m.known))
		}
	}
	if d, err := time.ParseDuration(s.Timeout); s.Timeout != "" && (err != nil || d <= 0 || d > MaxTimeout) {
		v.add(i, "timeout", fmt.Sprintf("timeout %q is no time from 1ms to 24h", s.Timeout), "Write for example 30s, 5m or 1h30m.")
	}
	for _, n := range []struct {
		key        string
		value, max int
	}{{"retry", s.Retry, MaxRetry}, {"max_parallel", s.MaxParallel, MaxParallel}} {
		if n.value < 0 || n.value > n.max {
			v.add(i, n.key, fmt.Sprintf("%s %d is not from 0 to %d", n.key, n.value, n.max), "Give a number in that range.")
		}
	}
	if s.MaxParallel != 0 && s.ForEach == "" {
		v.add(i, "max_parallel", "max_parallel belongs to for_each", "Give for_each a list, or take max_parallel away.")
	}
	v.verify(i)
}

// VerifyTool is the tool that a verify command is run by: where it is not enabled, none may be given.
const VerifyTool = "run_shell"

func (v *validator) verify(i int) {
	switch c := v.p.Steps[i].Verify; {
	case c == nil:
	case (c.Command == "") == (c.Schema == nil):
		v.add(i, "verify", "verify is a command or a schema", "Give exactly one of the two.")
	case c.Command != "" && v.known.Tools != nil && !slices.Contains(v.known.Tools, VerifyTool):
		v.add(i, "verify", "verify runs a command, which the tools that are enabled do not allow", "Give a schema, or enable "+VerifyTool+".")
	}
}

func (v *validator) schemas(i int) {
	s := v.p.Steps[i]
	check := func(key string, schema map[string]any) {
		if schema == nil {
			return
		}
		if err := CheckSchema(schema); err != nil {
			v.add(i, key, fmt.Sprintf("%s is %v", key, err), akitad.FailureOf(err).Hint)
		}
	}
	check("output", s.Output)
	if s.Verify != nil {
		check("verify", s.Verify.Schema)
	}
}
