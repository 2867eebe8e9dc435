package loose

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// decoder fills Go values from nodes, noting where each was written.
type decoder struct{ lines Lines }

func (d *decoder) value(n *node, into reflect.Value, path string) *fault {
	d.lines[path] = n.line
	if n.kind == scalar && n.null && into.Kind() != reflect.String {
		return nil // as if it had not been written: the caller checks what it requires
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return d.value(n, into.Elem(), path)
	case reflect.Struct:
		return d.fields(n, into, path)
	case reflect.Slice:
		return d.list(n, into, path)
	case reflect.Map:
		return d.table(n, into, path)
	case reflect.Interface:
		into.Set(reflect.ValueOf(free(n)))
		return nil
	case reflect.String:
		return text(n, into, path)
	case reflect.Bool:
		return truth(n, into, path)
	case reflect.Int, reflect.Int64:
		return number(n, into, path)
	}
	return faultf(shape, n.line, "%s cannot be read into %s", path, into.Type())
}

func (d *decoder) fields(n *node, into reflect.Value, path string) *fault {
	names := fieldNames(into.Type())
	if n.kind == scalar && path != "" && into.NumField() > 0 && into.Field(0).Kind() == reflect.String {
		return d.value(n, into.Field(0), path) // the short form of a struct is its first field
	}
	if path == "" {
		n = unwrapped(n, names)
	}
	if path != "" && (n.kind == sequence && len(n.items) == 0 || n.kind == scalar && n.plain && nothing.MatchString(n.text)) {
		return nil
	}
	if path != "" {
		n = gathered(n, names)
	}
	if n.kind != mapping {
		return wrong(n, path, "a mapping of "+strings.Join(names, ", "))
	}
	given := map[int]bool{}
	titled := !anyNamed(n, names)
	for _, k := range n.keys {
		i := slices.Index(names, k.name)
		if i < 0 && (titled || !capital(k.name)) { // "Note:" among other keys begins a remark
			i = alike(names, k.name)
		}
		if i < 0 || given[i] {
			return unknownKey(k, names, path)
		}
		given[i] = true
		if into.Type().Field(i).Tag.Get("loose") == "list" {
			k.value = inBrackets(k.value)
		}
		at := join(path, names[i])
		if f := d.value(k.value, into.Field(i), at); f != nil {
			return f
		}
		d.lines[at] = k.line
	}
	return nil
}

// unwrapped gives the one document that stands in a list of one, or under a name of its own: "spec:".
func unwrapped(n *node, names []string) *node {
	inner := n
	switch {
	case n.kind == sequence && len(n.items) == 1:
		inner = n.items[0]
	case n.kind == mapping && len(n.keys) == 1 && alike(names, n.keys[0].name) < 0:
		inner = n.keys[0].value
	}
	if inner.kind != mapping || n.kind == mapping && !anyNamed(inner, names) {
		return n
	}
	return inner
}

// gathered gives a mapping that was written as a list of its pairs, one an item; anything else as it is.
func gathered(n *node, names []string) *node {
	if n.kind != sequence || len(n.items) == 0 {
		return n
	}
	all := &node{kind: mapping, line: n.line}
	for _, item := range n.items {
		if item.kind != mapping || len(item.keys) != 1 || !slices.Contains(names, item.keys[0].name) || all.get(item.keys[0].name) != nil {
			return n
		}
		all.keys = append(all.keys, item.keys[0])
	}
	return all
}

// anyNamed reports whether a key of n is one of names, letter for letter.
func anyNamed(n *node, names []string) bool {
	return slices.ContainsFunc(n.keys, func(k key) bool { return slices.Contains(names, k.name) })
}

// inBrackets gives a list of several lines as the one line in brackets that says the same, for a field whose
// text may be a list; anything else as it is.
func inBrackets(n *node) *node {
	if n.kind != sequence || n.src != "" {
		return n
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(free(n)) != nil {
		return n
	}
	return &node{line: n.line, text: strings.TrimSpace(b.String())}
}

func unknownKey(k key, names []string, path string) *fault {
	where := ""
	if path != "" {
		where = " in " + path
	}
	f := faultf(shape, k.line, "unknown key %q%s", k.name, where)
	if near := Nearest(k.name, names); near != "" {
		f.text += ", did you mean " + near + "?"
	}
	return f.withHint("The keys are: " + strings.Join(names, ", ") + ".")
}

func (d *decoder) list(n *node, into reflect.Value, path string) *fault {
	if n.kind == scalar && (n.plain && nothing.MatchString(n.text) || strings.TrimSpace(n.text) == "") {
		n = &node{kind: sequence}
	}
	if n.kind == scalar && !n.plain {
		n = dashed(n)
	}
	if n.kind != sequence {
		return wrong(n, path, "a list").withHint("Write each item on a line of its own as \"- item\", with a space after the dash, or use [a, b].")
	}
	out := reflect.MakeSlice(into.Type(), 0, len(n.items))
	for _, item := range n.items {
		if item.kind == scalar && item.null {
			continue // a dash with nothing after it
		}
		v := reflect.New(into.Type().Elem()).Elem()
		at := path + "[" + strconv.Itoa(out.Len()) + "]"
		if f := d.value(phrase(item, v.Kind()), v, at); f != nil {
			return f
		}
		out = reflect.Append(out, v)
	}
	into.Set(out)
	return nil
}

// dashed gives the list that a block of text is, of which each line begins with a dash; any other text as it is.
func dashed(n *node) *node {
	all := &node{kind: sequence, line: n.line}
	for line := range strings.SplitSeq(strings.TrimSpace(n.text), "\n") {
		words, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			return n
		}
		all.items = append(all.items, &node{line: n.line, text: literal(strings.TrimSpace(words))})
	}
	return all
}

// nothing is how a list or a mapping of nothing is said in a word.
var nothing = pattern.New(`(?i)^(?:none|n/a|nil|无|没有)$`)

// phrase gives a list item its text back when it was read as a mapping only because it has a colon
// ("- Language: English") and text is wanted.
func phrase(n *node, want reflect.Kind) *node {
	if want != reflect.String || n.kind != mapping || n.src != "" || len(n.keys) != 1 || n.keys[0].value.kind != scalar {
		return n
	}
	k := n.keys[0]
	return &node{line: n.line, plain: true, text: strings.TrimSpace(k.name + ": " + k.value.text)}
}

func (d *decoder) table(n *node, into reflect.Value, path string) *fault {
	if n.kind != mapping {
		return wrong(n, path, "a mapping of names to values")
	}
	out := reflect.MakeMapWithSize(into.Type(), len(n.keys))
	for _, k := range n.keys {
		v := reflect.New(into.Type().Elem()).Elem()
		if f := d.value(k.value, v, join(path, k.name)); f != nil {
			return f
		}
		d.lines[join(path, k.name)] = k.line
		out.SetMapIndex(reflect.ValueOf(k.name).Convert(into.Type().Key()), v)
	}
	into.Set(out)
	return nil
}

// free reads a value of no fixed type. Plain text is a number only if the number is written back
// in the same characters: 1.10, 0123 and 1e3 stay text, which loses nothing. Only true and false
// are booleans: no, yes, on and off are words.
func free(n *node) any {
	switch n.kind {
	case mapping:
		out := make(map[string]any, len(n.keys))
		for _, k := range n.keys {
			out[k.name] = free(k.value)
		}
		return out
	case sequence:
		out := make([]any, 0, len(n.items))
		for _, item := range n.items {
			out = append(out, free(item))
		}
		return out
	}
	switch {
	case n.null:
		return nil
	case !n.plain:
		return n.text
	case n.text == "true", n.text == "false":
		return n.text == "true"
	}
	if i, err := strconv.Atoi(n.text); err == nil && strconv.Itoa(i) == n.text {
		return i
	}
	if f, err := strconv.ParseFloat(n.text, 64); err == nil && !math.IsInf(f, 0) && strconv.FormatFloat(f, 'f', -1, 64) == n.text {
		return f
	}
	return n.text
}

func text(n *node, into reflect.Value, path string) *fault {
	switch {
	case n.kind != scalar && n.src != "":
		into.SetString(n.src)
	case n.kind != scalar:
		return wrong(n, path, "text")
	case !n.null:
		into.SetString(n.text)
	}
	return nil
}

func truth(n *node, into reflect.Value, path string) *fault {
	switch strings.ToLower(n.text) {
	case "true", "yes", "on":
		into.SetBool(true)
	case "false", "no", "off":
		into.SetBool(false)
	default:
		return wrong(n, path, "true or false")
	}
	return nil
}

func number(n *node, into reflect.Value, path string) *fault {
	f, err := strconv.ParseFloat(n.text, 64)
	if n.kind != scalar || err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return wrong(n, path, "a whole number")
	}
	into.SetInt(int64(f))
	return nil
}

func wrong(n *node, path, want string) *fault {
	got := map[kind]string{scalar: "text", mapping: "a mapping", sequence: "a list"}[n.kind]
	if path == "" {
		path = "the document"
	}
	r := shape
	if path == "the document" {
		r = notYAML
	}
	return faultf(r, n.line, "%s must be %s, not %s", path, want, got)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
