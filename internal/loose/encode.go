package loose

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/sorting"
)

// Encode writes v, a struct with yaml tags, as block YAML that Decode reads back to the same value:
// fields in their order, maps by key, texts of several lines as blocks, all other text through
// Scalar. Fields marked omitempty are left out when empty. Numbers of map[string]any come back as
// numbers; kinds that Decode does not know are written as text.
func Encode(v any) string {
	_, body := written(reflect.ValueOf(v))
	return strings.Join(body, "\n") + "\n"
}

// written gives the YAML of v: what stands behind its key, and the lines below it, not indented.
func written(v reflect.Value) (head string, body []string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "null", nil
		}
		return written(v.Elem())
	case reflect.Struct:
		return orEmpty(structLines(v), "{}")
	case reflect.Map:
		return orEmpty(mapLines(v), "{}")
	case reflect.Slice:
		return orEmpty(listLines(v), "[]")
	case reflect.String:
		return writtenText(v.String())
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64), nil
	case reflect.Bool, reflect.Int, reflect.Int64:
		return fmt.Sprint(v.Interface()), nil
	case reflect.Invalid:
		return "null", nil
	}
	return Scalar(fmt.Sprint(v.Interface())), nil
}

func orEmpty(body []string, empty string) (string, []string) {
	if len(body) == 0 {
		return empty, nil
	}
	return "", body
}

func structLines(v reflect.Value) []string {
	var out []string
	for i, name := range fieldNames(v.Type()) {
		optional := strings.HasSuffix(v.Type().Field(i).Tag.Get("yaml"), ",omitempty")
		if name == "" || optional && blankValue(v.Field(i)) {
			continue
		}
		out = append(out, pairLines(name, v.Field(i))...)
	}
	return out
}

func blankValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

func mapLines(v reflect.Value) []string {
	keys := v.MapKeys()
	sorting.By(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	var out []string
	for _, k := range keys {
		out = append(out, pairLines(Scalar(k.String()), v.MapIndex(k))...)
	}
	return out
}

func pairLines(name string, v reflect.Value) []string {
	head, body := written(v)
	out := []string{strings.TrimRight(name+": "+head, " ")}
	return append(out, shifted(body)...)
}

func listLines(v reflect.Value) []string {
	var out []string
	for i := range v.Len() {
		head, body := written(v.Index(i))
		body = shifted(body)
		if head == "" {
			head, body = strings.TrimPrefix(body[0], "  "), body[1:]
		}
		out = append(append(out, "- "+head), body...)
	}
	return out
}

func shifted(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if l != "" {
			out[i] = "  " + l
		}
	}
	return out
}

// writtenText gives text as a block if it has several lines that a block keeps as they are.
func writtenText(text string) (head string, body []string) {
	lines := strings.Split(text, "\n")
	head = "|-"
	if lines[len(lines)-1] == "" {
		head, lines = "|", lines[:len(lines)-1]
	}
	if !strings.Contains(text, "\n") || slices.ContainsFunc(lines, odd) || lines[0] == "" || lines[0][0] == ' ' || lines[len(lines)-1] == "" {
		return Scalar(text), nil
	}
	return head, lines
}

// odd reports whether a line would not come back from a block as it is.
func odd(line string) bool {
	if line != strings.TrimRightFunc(line, unicode.IsSpace) || strings.ContainsAny(line, "\ufeff\u2028\u2029\u0085\t") {
		return true
	}
	return strings.ContainsFunc(line, unicode.IsControl)
}
