package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// refs checks every expression of step i: that it can be read, and that what it names exists.
func (v *validator) refs(i int) {
	for _, f := range fields(v.p.Steps[i]) {
		if f.err != nil {
			failure := akitad.FailureOf(f.err)
			v.add(i, f.key, fmt.Sprintf("%s: %s", f.key, strings.TrimPrefix(failure.Message, f.key+": ")), failure.Hint)
		}
		for _, r := range f.refs {
			v.ref(i, f, r)
		}
	}
	v.marks(i)
}

// foreignMark finds what templates and shells write where a plan has ${{ }}.
var foreignMark = pattern.New(`(?:^|[^$])\{\{([^{}]*)\}\}|\$\{([^{}]*)\}`)

// marks finds references to what this plan has under marks that are not replaced: the words would reach
// tools and agents as they are. A template or a script that is written may hold any others.
func (v *validator) marks(i int) {
	for _, t := range texts(v.p.Steps[i]) {
		for _, m := range foreignMark.FindAllStringSubmatch(t.text, -1) {
			r, err := parseRef(m[1] + m[2])
			if err == nil && v.has(r) {
				v.add(i, t.key, fmt.Sprintf("%s is not replaced in %s", strings.TrimLeft(m[0], " \t\n"), t.key), "Write ${{ "+r.src+" }}.")
			}
		}
	}
}

// has reports whether the plan has the parameter or the step that r names.
func (v *validator) has(r ref) bool {
	_, declared := v.p.Params[r.name]
	return r.root == "params" && declared ||
		r.root == "steps" && slices.ContainsFunc(v.p.Steps, func(s akitad.Step) bool { return s.ID == r.name })
}

// keyed is a text of a step and where it stands.
type keyed struct{ key, text string }

// texts gives all texts of a step in which expressions are replaced.
func texts(s akitad.Step) []keyed {
	out := []keyed{{"prompt", s.Prompt}, {"goal", s.Goal}, {"idempotency_key", s.IdempotencyKey}}
	if s.Verify != nil {
		out = append(out, keyed{"verify", s.Verify.Command})
	}
	for _, f := range s.Files {
		out = append(out, keyed{"files", f})
	}
	return append(out, textsIn("with", s.With)...)
}

func textsIn(key string, value any) (out []keyed) {
	switch value := value.(type) {
	case string:
		return []keyed{{key, value}}
	case []any:
		for _, item := range value {
			out = append(out, textsIn(key, item)...)
		}
	case map[string]any:
		for _, name := range sortedKeys(value) {
			out = append(out, textsIn(key, value[name])...)
		}
	}
	return out
}

func (v *validator) ref(i int, f field, r ref) {
	switch r.root {
	case "item", "index":
		if !f.item || v.p.Steps[i].ForEach == "" {
			v.add(i, f.key, fmt.Sprintf("%s means nothing in %s", r.src, f.key), "It is known in the with, prompt, goal and files of a step that has for_each.")
		}
	case "params":
		if _, declared := v.p.Params[r.name]; !declared {
			v.add(i, f.key, fmt.Sprintf("parameter %q is not declared", r.name), instead(r.name, sortedKeys(v.p.Params))+" Declare it under params.")
		}
	case "steps":
		if v.need(i, f.key, r.name) {
			v.path(i, f, r)
		}
	}
}

// path checks the first name below an output against the schema that the output must satisfy.
func (v *validator) path(i int, f field, r ref) {
	if len(r.path) == 0 || r.path[0] == "text" {
		return
	}
	from := v.p.Steps[slices.IndexFunc(v.p.Steps, func(s akitad.Step) bool { return s.ID == r.name })]
	props, ok := from.Output["properties"].(map[string]any)
	key, isName := r.path[0].(string)
	if !ok || from.ForEach != "" || open(from.Output) {
		return
	}
	if _, has := props[key]; !has && isName {
		v.add(i, f.key, fmt.Sprintf("the output of step %s has no %q", r.name, key), instead(key, sortedKeys(props)))
	}
}

// open reports whether a schema may be satisfied by names it does not list.
func open(schema map[string]any) bool {
	for _, key := range []string{"patternProperties", "allOf", "anyOf", "oneOf", "$ref", "if"} {
		if _, has := schema[key]; has {
			return true
		}
	}
	more, has := schema["additionalProperties"]
	return has && more != false
}

// arguments checks what is given to a tool against its schema: the names, and what has its value
// already. Names of files are below the session's folder.
func (v *validator) arguments(i int) {
	s := v.p.Steps[i]
	raw, ok := v.known.ToolSchemas[s.Tool]
	if s.Tool == "" || !ok {
		return
	}
	v.argumentPaths(i)
	v.argumentNames(i, raw)
	v.argumentValues(i, partly(raw), closed(s.With))
}

func (v *validator) argumentValues(i int, raw json.RawMessage, args map[string]any) {
	schema, err := compileArguments(raw)
	if err != nil {
		return
	}
	if err := conforms(schema, encode(args)); err != nil {
		v.add(i, "with", fmt.Sprintf("tool %s: %v", v.p.Steps[i].Tool, err), "See the tool's arguments.")
	}
}

// partly gives a tool's schema without what it requires and forbids by name.
func partly(raw json.RawMessage) json.RawMessage {
	var schema map[string]any
	if json.Unmarshal(raw, &schema) != nil {
		return raw
	}
	delete(schema, "required")
	delete(schema, "additionalProperties")
	return encode(schema)
}

// closed gives the arguments that have no expression in them.
func closed(with map[string]any) map[string]any {
	out := map[string]any{}
	for name, value := range with {
		if !bytes.Contains(encode(value), []byte("${{")) {
			out[name] = value
		}
	}
	return out
}

// pathNames are arguments that hold names of files or folders, in every tool.
var pathNames = []string{"path", "paths", "file", "files", "dir", "folder", "cwd"}

func (v *validator) argumentPaths(i int) {
	s := v.p.Steps[i]
	for _, name := range sortedKeys(s.With) {
		if !slices.Contains(pathNames, name) && !strings.HasSuffix(name, "_path") {
			continue
		}
		values, ok := s.With[name].([]any)
		if !ok {
			values = []any{s.With[name]}
		}
		for _, value := range values {
			file, _ := value.(string)
			if strings.HasPrefix(file, "/") || slices.Contains(strings.Split(file, "/"), "..") {
				v.add(i, "with."+name, fmt.Sprintf("%s %q is not in the session's folder", name, file), "Name it from that folder on; give files to a run with --file.")
			}
		}
	}
}

func (v *validator) argumentNames(i int, raw json.RawMessage) {
	s := v.p.Steps[i]
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		Additional any                        `json:"additionalProperties"`
	}
	if json.Unmarshal(raw, &schema) != nil {
		return
	}
	for _, name := range schema.Required {
		if _, has := s.With[name]; !has {
			v.add(i, "with", fmt.Sprintf("tool %s needs %q", s.Tool, name), "Give it under with.")
		}
	}
	for _, name := range sortedKeys(s.With) {
		if _, has := schema.Properties[name]; !has && schema.Additional == false {
			v.add(i, "with."+name, fmt.Sprintf("tool %s takes no %q", s.Tool, name), instead(name, sortedKeys(schema.Properties)))
		}
	}
}
