package plan

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/akitad/akitad"
)

// When reports whether a when expression holds; an empty one does. A path that an output does not
// have counts as null. Comparing by size what has no order is an error.
func When(text string, env Env) (bool, error) {
	if strings.TrimSpace(text) == "" {
		return true, nil
	}
	e, err := parseWhen(text)
	if err != nil {
		return false, err
	}
	v, err := e.eval(env)
	return holds(v), err
}

func (e *expr) eval(env Env) (any, error) {
	switch e.op {
	case "":
		return e.val, nil
	case "ref":
		v, err := env.lookup(e.ref)
		if akitad.KindOf(err) == akitad.NotFound {
			return nil, nil
		}
		return v, err
	case "and", "or":
		left, err := e.args[0].eval(env)
		if err != nil || holds(left) == (e.op == "or") {
			return holds(left), err
		}
		right, err := e.args[1].eval(env)
		return holds(right), err
	}
	vals := make([]any, len(e.args))
	for i, a := range e.args {
		var err error
		if vals[i], err = a.eval(env); err != nil {
			return nil, err
		}
	}
	return e.apply(vals)
}

func (e *expr) apply(vals []any) (any, error) {
	switch e.op {
	case "list":
		return vals, nil
	case "not":
		return !holds(vals[0]), nil
	case "empty":
		return empty(vals[0]), nil
	case "==":
		return equal(vals[0], vals[1]), nil
	case "!=":
		return !equal(vals[0], vals[1]), nil
	case "in":
		return within(vals[0], vals[1])
	}
	if vals[0] == nil || vals[1] == nil {
		return false, nil // nothing is neither more nor less than anything
	}
	c, err := compare(vals[0], vals[1])
	if err != nil {
		return nil, err
	}
	return map[string]bool{"<": c < 0, ">": c > 0, "<=": c <= 0, ">=": c >= 0}[e.op], nil
}

// holds says what counts as true: not null, false, 0, nor anything empty.
func holds(v any) bool {
	if b, ok := v.(bool); ok {
		return b
	}
	if f, ok := numeric(v); ok && !isText(v) {
		return f != 0
	}
	return !empty(v)
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

func isText(v any) bool { _, ok := v.(string); return ok }

// numeric gives v as a number; text counts if it is one, since parameters may come as text.
func numeric(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return f, err == nil
	}
	return 0, false
}

func equal(a, b any) bool {
	if isText(a) && isText(b) {
		return a == b
	}
	x, xok := numeric(a)
	y, yok := numeric(b)
	if xok && yok {
		return x == y
	}
	if bool, ok := a.(bool); ok && isText(b) {
		return strconv.FormatBool(bool) == b
	}
	if bool, ok := b.(bool); ok && isText(a) {
		return strconv.FormatBool(bool) == a
	}
	return reflect.DeepEqual(a, b)
}

func compare(a, b any) (int, error) {
	x, xok := numeric(a)
	y, yok := numeric(b)
	switch {
	case xok && yok && x < y:
		return -1, nil
	case xok && yok && x > y:
		return 1, nil
	case xok && yok:
		return 0, nil
	case isText(a) && isText(b):
		return strings.Compare(a.(string), b.(string)), nil
	}
	return 0, akitad.Errorf(akitad.InvalidRequest, "when: %s and %s have no order", encode(a), encode(b)).WithHint("Compare two numbers or two texts.")
}

func within(a, in any) (bool, error) {
	switch in := in.(type) {
	case nil:
		return false, nil
	case []any:
		for _, item := range in {
			if equal(a, item) {
				return true, nil
			}
		}
		return false, nil
	case string:
		if s, ok := a.(string); ok {
			return strings.Contains(in, s), nil
		}
		return strings.Contains(in, string(encode(a))), nil
	case map[string]any:
		s, _ := a.(string)
		_, ok := in[s]
		return ok, nil
	}
	return false, akitad.Errorf(akitad.InvalidRequest, "when: nothing can be in %s", encode(in)).WithHint("The right side of in is a list, a text or an object.")
}
