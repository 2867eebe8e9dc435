package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A schema is the part of JSON Schema that arguments of the house need. Its keys are written in this order.
type schema struct {
	Type        any             `json:"type,omitempty"` // a name, or several
	Properties  properties      `json:"properties,omitempty"`
	Items       *schema         `json:"items,omitempty"`
	Description string          `json:"description,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	Enum        []string        `json:"enum,omitempty"`
	Minimum     *float64        `json:"minimum,omitempty"`
	Maximum     *float64        `json:"maximum,omitempty"`
	MinLength   *int            `json:"minLength,omitempty"`
	Required    []string        `json:"required,omitempty"`
	Additional  any             `json:"additionalProperties,omitempty"` // false, or the schema of each
	Format      string          `json:"format,omitempty"`
}

// MarshalJSON writes a schema that takes anything as true.
func (s *schema) MarshalJSON() ([]byte, error) {
	type plain schema
	text, err := json.Marshal((*plain)(s))
	if string(text) == "{}" {
		text = []byte("true")
	}
	return text, err
}

// properties are written in the order of a struct's fields.
type properties []property

type property struct {
	name string
	is   *schema
}

// MarshalJSON writes them as one object.
func (all properties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for i, p := range all {
		text, err := json.Marshal(p.is)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%c%q:%s", "{,"[min(i, 1)], p.name, text)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// SchemaOf gives the JSON Schema of a tool's arguments from a struct. Tags of a field: json (name;
// omitempty makes it optional), jsonschema (description), enum ("a,b"), format ("regex"),
// default, minimum, maximum and minLength (all four JSON). A json.RawMessage takes any value. Unknown arguments are not allowed.
func SchemaOf[T any]() (json.RawMessage, error) {
	return schemaOf(reflect.TypeFor[T]())
}

func schemaOf(t reflect.Type) (json.RawMessage, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("schema of %s: arguments are a struct", t)
	}
	s, err := ofType(t)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	return text, nil
}

// ofType gives the schema of a type. What may be nil may be null.
func ofType(t reflect.Type) (*schema, error) {
	if t == reflect.TypeFor[json.RawMessage]() {
		return &schema{}, nil
	}
	switch t.Kind() {
	case reflect.Interface:
		return &schema{}, nil
	case reflect.String:
		return &schema{Type: "string"}, nil
	case reflect.Bool:
		return &schema{Type: "boolean"}, nil
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}, nil
	case reflect.Float64:
		return &schema{Type: "number"}, nil
	case reflect.Struct:
		return ofStruct(t)
	case reflect.Map, reflect.Slice, reflect.Pointer:
		return ofParts(t)
	}
	return nil, fmt.Errorf("no argument is a %s", t)
}

// ofParts gives the schema of a type that is made of another one.
func ofParts(t reflect.Type) (*schema, error) {
	of, err := ofType(t.Elem())
	switch {
	case err != nil:
		return nil, err
	case t.Kind() == reflect.Map:
		return &schema{Type: "object", Additional: of}, nil
	case t.Kind() == reflect.Slice:
		return &schema{Type: []string{"null", "array"}, Items: of}, nil
	}
	if name, ok := of.Type.(string); ok {
		of.Type = []string{"null", name}
	}
	return of, nil
}

func ofStruct(t reflect.Type) (*schema, error) {
	s := &schema{Type: "object", Additional: false}
	for _, f := range reflect.VisibleFields(t) {
		name, settings, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		p, err := ofType(f.Type)
		if err == nil {
			err = p.addTags(f.Tag)
		}
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		s.Properties = append(s.Properties, property{name, p})
		if !slices.Contains(strings.Split(settings, ","), "omitempty") {
			s.Required = append(s.Required, name)
		}
	}
	return s, nil
}

// addTags adds what the tags of a field say of it.
func (s *schema) addTags(tags reflect.StructTag) error {
	s.Description, s.Format = tags.Get("jsonschema"), tags.Get("format")
	if list, ok := tags.Lookup("enum"); ok {
		s.Enum = strings.Split(list, ",")
	}
	for tag, to := range map[string]any{"default": &s.Default, "minimum": &s.Minimum, "maximum": &s.Maximum, "minLength": &s.MinLength} {
		text, ok := tags.Lookup(tag)
		if !ok {
			continue
		}
		if err := json.Unmarshal([]byte(text), to); err != nil {
			return fmt.Errorf("%s %s: %w", tag, text, err)
		}
	}
	return nil
}
