package plan

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad"
)

// ref names a value: a parameter, an output of a step, or the item of a for_each.
type ref struct {
	root string // params, steps, item, index
	name string // of the parameter or the step
	path []any  // string keys and int indexes below it
	src  string
}

const refHint = "Write steps.ID.output.path, params.NAME, item.path or index."

// braced finds the expressions in a text. What is inside never holds "}}".
var braced = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// parseRef reads one reference, which must be all of text.
func parseRef(text string) (ref, error) {
	text = strings.TrimSpace(text)
	r, n, err := scanRef(text)
	if err == nil && n < len(text) {
		err = fmt.Errorf("%q goes on after the reference", text)
	}
	if err != nil {
		return ref{}, akitad.Errorf(akitad.InvalidRequest, "%w", err).WithHint(refHint)
	}
	return r, nil
}

// scanRef reads the reference that text begins with and gives its length.
func scanRef(text string) (ref, int, error) {
	n := word(text)
	if n == 0 {
		return ref{}, 0, fmt.Errorf("%q is no reference", text)
	}
	r := ref{root: text[:n]}
	for n < len(text) && (text[n] == '.' || text[n] == '[') {
		seg, size, err := segment(text[n:])
		if err != nil {
			return ref{}, 0, err
		}
		r.path = append(r.path, seg)
		n += size
	}
	r.src = text[:n]
	return r.named(n)
}

// named checks the root and takes the name off the path.
func (r ref) named(n int) (ref, int, error) {
	switch r.root {
	case "item":
		return r, n, nil
	case "index":
		if len(r.path) > 0 {
			return ref{}, 0, fmt.Errorf("index is a number and has no %v", r.path[0])
		}
		return r, n, nil
	case "params", "steps":
	default:
		return ref{}, 0, fmt.Errorf("%q is no reference", r.src)
	}
	var ok bool
	if len(r.path) > 0 {
		r.name, ok = r.path[0].(string)
	}
	if !ok {
		return ref{}, 0, fmt.Errorf("%s needs a name", r.root)
	}
	r.path = r.path[1:]
	if r.root == "params" {
		return r, n, nil
	}
	if len(r.path) == 0 || r.path[0] != "output" {
		return ref{}, 0, fmt.Errorf("steps.%s has only an output", r.name)
	}
	r.path = r.path[1:]
	return r, n, nil
}

// segment reads ".name", "[3]" or ["any key"].
func segment(text string) (seg any, size int, err error) {
	if text[0] == '.' {
		n := word(text[1:])
		if n == 0 {
			return nil, 0, fmt.Errorf("a name must follow the dot in %q", text)
		}
		return text[1 : 1+n], 1 + n, nil
	}
	end := strings.IndexByte(text, ']')
	if end < 0 {
		return nil, 0, fmt.Errorf("%q has no closing bracket", text)
	}
	in := strings.TrimSpace(text[1:end])
	if len(in) >= 2 && (in[0] == '"' || in[0] == '\'') && in[len(in)-1] == in[0] {
		return in[1 : len(in)-1], end + 1, nil
	}
	i, err := strconv.Atoi(in)
	if err != nil || i < 0 {
		return nil, 0, fmt.Errorf("%q is no index", in)
	}
	return i, end + 1, nil
}

// word gives the length of the name that text begins with; a dash counts only inside of it.
func word(text string) int {
	n := 0
	for n < len(text) {
		c, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && (c != '-' || n == 0) {
			break
		}
		n += size
	}
	return n
}

// refsIn gives the references of all strings in v, and the first error among them.
func refsIn(v any) ([]ref, error) {
	var out []ref
	switch v := v.(type) {
	case string:
		for _, m := range braced.FindAllStringSubmatch(v, -1) {
			r, err := parseRef(m[1])
			if err != nil {
				return out, err
			}
			out = append(out, r)
		}
		if rest := braced.ReplaceAllString(v, ""); strings.Contains(rest, "${{") {
			return out, akitad.Errorf(akitad.InvalidRequest, "a ${{ is never closed").WithHint("Close it with }} on the same line.")
		}
	case []any:
		return refsOf(v)
	case map[string]any:
		for _, key := range sortedKeys(v) {
			more, err := refsIn(v[key])
			if out = append(out, more...); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

func refsOf[T any](list []T) ([]ref, error) {
	var out []ref
	for _, item := range list {
		more, err := refsIn(item)
		if out = append(out, more...); err != nil {
			return out, err
		}
	}
	return out, nil
}
