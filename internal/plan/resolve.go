package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// Env holds the values that expressions can name.
type Env struct {
	Params  map[string]any
	Outputs map[string]json.RawMessage // by step id, as OutputOf gives them
	Texts   map[string]string          // by step id: what output.text means where the output has no such key
	Item    *Item                      // inside a for_each
}

// Item is one element of the list that a for_each runs over.
type Item struct {
	Value any
	Index int // from 0
}

// OutputOf gives what ${{ steps.ID.output }} means after a step ended with r: its data, or
// {"text": ...} if it has none.
func OutputOf(r akitad.Result) json.RawMessage {
	if len(r.Data) > 0 && json.Valid(r.Data) {
		return r.Data
	}
	return encode(map[string]string{"text": r.Text})
}

// Resolve gives v with every ${{ }} in its strings replaced; v itself stays as it is. A string that
// is exactly one expression becomes the value with its type; inside other text, strings are put in
// as they are and everything else as JSON. A name that leads to nothing is an error of kind
// not_found that says what is there instead; anything below null is null.
func Resolve(v any, env Env) (any, error) {
	switch v := v.(type) {
	case string:
		return env.expand(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = Resolve(v[i], env); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range sortedKeys(v) {
			var err error
			if out[key], err = Resolve(v[key], env); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

func (env Env) expand(s string) (any, error) {
	if m := braced.FindStringSubmatchIndex(s); m != nil && m[0] == 0 && m[1] == len(s) {
		return env.eval(s[m[2]:m[3]])
	}
	return env.text(s)
}

// text gives s with its expressions spliced in, always as text.
func (env Env) text(s string) (string, error) {
	var failed error
	out := braced.ReplaceAllStringFunc(s, func(m string) string {
		v, err := env.eval(m[3 : len(m)-2])
		if err != nil && failed == nil {
			failed = err
		}
		if t, ok := v.(string); ok {
			return t
		}
		return string(encode(v))
	})
	return out, failed
}

func (env Env) eval(expr string) (any, error) {
	r, err := parseRef(expr)
	if err != nil {
		return nil, err
	}
	return env.lookup(r)
}

func (env Env) lookup(r ref) (any, error) {
	switch {
	case r.root == "params":
		v, ok := env.Params[r.name]
		if !ok {
			return nil, akitad.Errorf(akitad.NotFound, "no parameter %s", r.name).WithHint(instead(r.name, sortedKeys(env.Params)))
		}
		return walk(v, r.path, "params."+r.name)
	case r.root == "steps":
		return env.output(r)
	case env.Item == nil:
		return nil, akitad.Errorf(akitad.NotFound, "%s means nothing outside of a for_each", r.root)
	case r.root == "index":
		return env.Item.Index, nil
	}
	return walk(env.Item.Value, r.path, "item")
}

func (env Env) output(r ref) (any, error) {
	raw, ok := env.Outputs[r.name]
	if !ok {
		return nil, akitad.Errorf(akitad.NotFound, "step %s has no output yet", r.name)
	}
	v, err := decodeJSON(raw)
	if err != nil {
		return nil, akitad.Errorf(akitad.InvalidRequest, "output of step %s: %w", r.name, err)
	}
	got, err := walk(v, r.path, "steps."+r.name+".output")
	if text, has := env.Texts[r.name]; err != nil && has && len(r.path) == 1 && r.path[0] == "text" {
		return text, nil
	}
	return got, err
}

// walk follows path below v; where names v in errors.
func walk(v any, path []any, where string) (any, error) {
	for _, seg := range path {
		if v == nil {
			return nil, nil
		}
		next, err := child(v, seg, where)
		if err != nil {
			return nil, err
		}
		v, where = next, fmt.Sprintf("%s.%v", where, seg)
	}
	return v, nil
}

func child(v, seg any, where string) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		key := fmt.Sprint(seg)
		if got, ok := v[key]; ok {
			return got, nil
		}
		return nil, akitad.Errorf(akitad.NotFound, "%s has no %s", where, key).WithHint(instead(key, sortedKeys(v)))
	case []any:
		if i, ok := seg.(int); ok && i < len(v) {
			return v[i], nil
		}
		return nil, akitad.Errorf(akitad.NotFound, "%s is a list of %d and has no %v", where, len(v), seg)
	}
	return nil, akitad.Errorf(akitad.NotFound, "%s is a single value and has no %v", where, seg)
}

// decodeJSON reads raw; whole numbers stay exact.
func decodeJSON(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return exact(v), nil
}

// exact turns json.Number into int or float64 where that keeps the value.
func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return int(i)
		}
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return f
		}
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = exact(v[k])
		}
	}
	return v
}

// encode writes v as compact JSON; what JSON cannot hold becomes null.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
