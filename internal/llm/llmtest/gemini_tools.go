package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm"
)

type geminiTools struct {
	Functions []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"functionDeclarations"`
}

// geminiSchema is what every version of the service knows of a schema.
type geminiSchema struct {
	Type        string                     `json:"type"`
	Format      string                     `json:"format"`
	Description string                     `json:"description"`
	Nullable    bool                       `json:"nullable"`
	Enum        []string                   `json:"enum"`
	Items       json.RawMessage            `json:"items"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Required    []string                   `json:"required"`
	AnyOf       []json.RawMessage          `json:"anyOf"`
}

var geminiName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`)

// geminiToolsOf reads the tools, and refuses a name or a schema that the service refuses.
func geminiToolsOf(in []geminiTools) (out []llm.Tool, err error) {
	for _, t := range in {
		for i, f := range t.Functions {
			if !geminiName.MatchString(f.Name) {
				return nil, fmt.Errorf("function_declarations[%d].name: invalid function name %q", i, f.Name)
			}
			if slices.ContainsFunc(out, func(have llm.Tool) bool { return have.Name == f.Name }) {
				return nil, fmt.Errorf("duplicate function declaration found: %s", f.Name)
			}
			if f.Parameters != nil {
				if err := geminiParameters(f.Parameters); err != nil {
					return nil, fmt.Errorf("function_declarations[%d].parameters%w", i, err)
				}
			}
			out = append(out, llm.Tool{Name: f.Name, Description: f.Description, Schema: f.Parameters})
		}
	}
	return out, nil
}

func geminiParameters(raw json.RawMessage) error {
	s, err := geminiSchemaOf(raw)
	switch {
	case err != nil:
		return err
	case !strings.EqualFold(s.Type, "object"):
		return errors.New(": only OBJECT is allowed")
	case len(s.Properties) == 0:
		return errors.New(".properties: should be non-empty for OBJECT type")
	}
	return nil
}

// GeminiSchema returns what Google's service would say against a schema in a function declaration; nil
// if it takes it.
func GeminiSchema(raw json.RawMessage) error {
	_, err := geminiSchemaOf(raw)
	return err
}

func geminiSchemaOf(raw json.RawMessage) (s geminiSchema, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return s, fmt.Errorf(": invalid JSON payload: %w", err)
	}
	if len(s.AnyOf) > 0 {
		return s, s.alternatives()
	}
	if err := s.fits(); err != nil {
		return s, err
	}
	for name, sub := range s.Properties {
		if _, err := geminiSchemaOf(sub); err != nil {
			return s, fmt.Errorf(".properties[%s]%w", name, err)
		}
	}
	if s.Items != nil {
		if _, err := geminiSchemaOf(s.Items); err != nil {
			return s, fmt.Errorf(".items%w", err)
		}
	}
	return s, nil
}

func (s geminiSchema) alternatives() error {
	if s.Type != "" || s.Description != "" || s.Enum != nil || s.Items != nil || s.Properties != nil || s.Required != nil || s.Nullable || s.Format != "" {
		return errors.New(": when using any_of, it must be the only field set")
	}
	for i, sub := range s.AnyOf {
		if _, err := geminiSchemaOf(sub); err != nil {
			return fmt.Errorf(".any_of[%d]%w", i, err)
		}
	}
	return nil
}

// fits holds what a type may have beside it.
func (s geminiSchema) fits() error {
	kind := strings.ToLower(s.Type)
	formats, known := map[string][]string{
		"string": {"enum", "date-time"}, "number": {"float", "double"}, "integer": {"int32", "int64"}, "boolean": nil, "array": nil, "object": nil,
	}[kind]
	switch {
	case !known:
		return fmt.Errorf(".type: invalid value %q", s.Type)
	case s.Format != "" && !slices.Contains(formats, s.Format):
		return fmt.Errorf(".format: %q is not supported for %s type", s.Format, s.Type)
	case len(s.Enum) > 0 && kind != "string":
		return errors.New(".enum: only allowed for STRING type")
	case slices.Contains(s.Enum, ""):
		return errors.New(".enum: cannot be empty")
	case kind == "array" && s.Items == nil:
		return errors.New(".items: missing field")
	case kind != "array" && s.Items != nil:
		return errors.New(".items: only allowed for ARRAY type")
	case kind != "object" && (s.Properties != nil || s.Required != nil):
		return errors.New(".properties: only allowed for OBJECT type")
	case s.Properties != nil && len(s.Properties) == 0:
		return errors.New(".properties: should be non-empty for OBJECT type")
	}
	for i, name := range s.Required {
		if _, ok := s.Properties[name]; !ok {
			return fmt.Errorf(".required[%d]: property is not defined", i)
		}
	}
	return nil
}
