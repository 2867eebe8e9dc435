package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/akitad/akitad"
)

// CheckSchema reports whether schema is a valid JSON Schema. References to other documents are
// refused: nothing is ever loaded.
func CheckSchema(schema map[string]any) error {
	_, err := compileSchema(encode(schema))
	return err
}

// Conforms reports whether data satisfies schema. The error says which part does not and is of
// kind invalid_request, for a bad schema as for bad data.
func Conforms(schema map[string]any, data json.RawMessage) error {
	s, err := compileSchema(encode(schema))
	if err != nil {
		return err
	}
	return conforms(s, data)
}

func conforms(s *jsonschema.Schema, data json.RawMessage) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return akitad.Errorf(akitad.InvalidRequest, "not JSON: %w", err)
	}
	err = s.Validate(v)
	if ve, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return akitad.Errorf(akitad.InvalidRequest, "%s", firstCause(ve))
	}
	return err
}

// firstCause gives the innermost reason, with the place in the data.
func firstCause(ve *jsonschema.ValidationError) string {
	for len(ve.Causes) > 0 {
		ve = ve.Causes[0]
	}
	return ve.Error()
}

func compileSchema(raw json.RawMessage) (*jsonschema.Schema, error) {
	return compile(raw, jsonschema.NewCompiler())
}

// compileArguments is compileSchema for what a tool takes: there a format is more than a remark.
func compileArguments(raw json.RawMessage) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	return compile(raw, c)
}

func compile(raw json.RawMessage, c *jsonschema.Compiler) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "not JSON: %w", err)
	}
	c.UseLoader(nothing{})
	if err := c.AddResource(schemaName, doc); err != nil {
		return nil, badSchema(err)
	}
	s, err := c.Compile(schemaName)
	if err != nil {
		return nil, badSchema(err)
	}
	return s, nil
}

const schemaName = "mem:///schema"

func badSchema(err error) error {
	if sv, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if ve, ok := errors.AsType[*jsonschema.ValidationError](sv.Err); ok {
			err = errors.New(firstCause(ve))
		}
	}
	return akitad.Errorf(akitad.InvalidRequest, "not a JSON Schema: %w", err).WithHint("Write for example {type: object, properties: {count: {type: integer}}, required: [count]}.")
}

// nothing refuses to load other documents.
type nothing struct{}

func (nothing) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s: references to other documents are not followed", url)
}
