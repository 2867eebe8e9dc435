package tool

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/akitad/akitad"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Arguments turns what a model wrote as a call's arguments into what the tool takes. It holds the
// tool's compiled schema and may be shared.
type Arguments struct {
	info   Info
	schema map[string]any // as a tree, for coercion and defaults; nil if there is none
	rules  *jsonschema.Schema
}

// NewArguments compiles a tool's schema. A tool without one takes any object.
func NewArguments(info Info) (*Arguments, error) {
	a := &Arguments{info: info}
	if len(bytes.TrimSpace(info.Schema)) == 0 {
		return a, nil
	}
	doc, err := decode(info.Schema)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", info.Name, err)
	}
	if a.rules, err = compile(doc); err != nil {
		return nil, &akitad.Error{Kind: akitad.InvalidRequest, Op: "schema of " + info.Name, Err: err}
	}
	a.schema, _ = doc.(map[string]any)
	return a, nil
}

func compile(doc any) (*jsonschema.Schema, error) {
	const name = "akita:schema"
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // a schema may not load another from anywhere
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

// Prepare turns what a model wrote into one valid JSON object, in these steps:
//
//   - It is read as JSON. If that fails, it is repaired, but only where the repair is no guess; a string of a tool
//     that changes something is never completed.
//   - It is taken out of what the model wrapped it in.
//   - Names and values are coerced to the schema's: numbers, booleans, lists, objects, enumerations. A string for
//     which the schema lists no values is never touched.
//   - Defaults are added, and the result is validated.
//
// Object keys come out sorted. Every error is of kind invalid_request, names the argument, and has a hint for the
// model.
func (a *Arguments) Prepare(raw json.RawMessage) (json.RawMessage, error) {
	args, repaired, err := parseObject(raw, a.info.Readonly)
	if err != nil {
		return nil, a.refuse(err)
	}
	args = a.unwrapped(args)
	rename(args, a.schema)
	if err := a.checkRepair(args, repaired); err != nil {
		return nil, a.refuse(err)
	}
	if a.schema != nil {
		fit(args, a.schema, a.schema)
		if err := a.rules.Validate(args); err != nil {
			return nil, a.refuse(a.explain(err))
		}
	}
	if name := misread(args); name != "" {
		err := fmt.Errorf("argument %q has a control character", name)
		return nil, akitad.Errorf(akitad.InvalidRequest, "%s: %w", a.info.Name, err).
			WithHint(`in JSON a backslash is written \\; between the parts of a path better use /`)
	}
	return encode(args)
}

// Satisfy gives a value in the form that a schema wants, coerced and validated like arguments; what
// names the value in errors. A nil schema is satisfied by any JSON.
func Satisfy(schema json.RawMessage, what string, value json.RawMessage) (json.RawMessage, error) {
	a, err := NewArguments(Info{Name: what, Schema: schema})
	if err != nil {
		return nil, err
	}
	v, err := decode(value)
	if err != nil {
		return nil, a.refuse(fmt.Errorf("not JSON: %w", err))
	}
	if a.schema != nil {
		v = fit(v, a.schema, a.schema)
	}
	if a.rules != nil {
		if err := a.rules.Validate(v); err != nil {
			return nil, a.refuse(a.explain(err))
		}
	}
	return encode(v)
}

func (a *Arguments) refuse(err error) error {
	return akitad.Errorf(akitad.InvalidRequest, "%s: %w", a.info.Name, err).WithHint(a.usage())
}

// checkRepair refuses a repair that made up an argument: a quote in a text may look like the
// beginning of one.
func (a *Arguments) checkRepair(args map[string]any, repaired bool) error {
	known, ok := a.schema["properties"].(map[string]any)
	if !repaired || !ok {
		return nil
	}
	for name := range args {
		if _, ok := known[name]; !ok {
			return fmt.Errorf("the arguments are not valid JSON: %q is read as an argument", name)
		}
	}
	return nil
}

// encode writes a value without escaping <, > and &.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode arguments: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
