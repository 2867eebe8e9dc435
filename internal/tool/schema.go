package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// SchemaOf gives the JSON Schema of a tool's arguments from a struct. Tags of a field: json (name;
// omitempty makes it optional), jsonschema (description), enum ("a,b"), format ("regex"),
// default, minimum, maximum and minLength (all four JSON). A json.RawMessage takes any value. Unknown arguments are not allowed.
func SchemaOf[T any]() (json.RawMessage, error) {
	return schemaOf(reflect.TypeFor[T]())
}

func schemaOf(t reflect.Type) (json.RawMessage, error) {
	anything := map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.RawMessage](): {}}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: anything})
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	if err := addTags(s, t); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	return text, nil
}

// addTags adds what the tags of a struct's fields say beyond names and descriptions.
func addTags(s *jsonschema.Schema, t reflect.Type) error {
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("arguments are a struct, not %s", t)
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p, ok := s.Properties[name]
		if !ok {
			continue
		}
		if err := addTag(p, f); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	return nil
}

func addTag(p *jsonschema.Schema, f reflect.StructField) error {
	if list, ok := f.Tag.Lookup("enum"); ok {
		for word := range strings.SplitSeq(list, ",") {
			p.Enum = append(p.Enum, word)
		}
	}
	p.Format = f.Tag.Get("format")
	if text, ok := f.Tag.Lookup("default"); ok {
		if !json.Valid([]byte(text)) {
			return fmt.Errorf("default %s is not JSON", text)
		}
		p.Default = json.RawMessage(text)
	}
	for tag, to := range map[string]any{"minimum": &p.Minimum, "maximum": &p.Maximum, "minLength": &p.MinLength} {
		text, ok := f.Tag.Lookup(tag)
		if !ok {
			continue
		}
		if err := json.Unmarshal([]byte(text), to); err != nil {
			return fmt.Errorf("%s: %w", tag, err)
		}
	}
	return nil
}
