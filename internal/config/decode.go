package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/akitad/akitad/internal/pattern"
)

// document reads YAML text into the struct dst. Unlike a plain unmarshal it goes on after a
// problem, so that an owner sees all of them at once, each with its line.
func (l *loader) document(text []byte, dst reflect.Value) {
	if at := invalid(text); at >= 0 {
		l.problem(l.where(1+bytes.Count(text[:at], []byte{'\n'})), "", "save it as UTF-8", "is not text in UTF-8")
		return
	}
	body, err := parseYAML(text)
	if err != nil {
		line, msg := syntax(err)
		l.problem(l.where(line), "", "correct the indentation or quoting there", "is not valid YAML: %s", msg)
		return
	}
	if body != nil {
		l.value("", body, dst)
	}
}

// invalid gives the first place in text that is not UTF-8, -1 for none.
func invalid(text []byte) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// parseYAML gives the body of the only document; nil if there is nothing but comments.
func parseYAML(text []byte) (ast.Node, error) {
	if nesting(text) > maxNesting {
		return nil, fmt.Errorf("more than %d levels deep", maxNesting)
	}
	file, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey()) // told with its key by mapping
	if err != nil {
		return nil, err
	}
	var body ast.Node
	for _, doc := range file.Docs {
		if _, directive := doc.Body.(*ast.DirectiveNode); directive || doc.Body == nil {
			continue // %YAML 1.2, to the parser a document of its own
		}
		if body != nil {
			return nil, errors.New("a second document after ---")
		}
		body = doc.Body
	}
	return body, nil
}

// maxNesting is deeper than any configuration; the parser's time grows with the square of the depth.
const maxNesting = 64

// nesting gives an upper bound of how deep brackets and dashes nest, without parsing.
func nesting(text []byte) (deepest int) {
	open, dashes := 0, 0
	for i, c := range text {
		switch c {
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		case '\n':
			dashes = 0
		case ' ':
			if i > 0 && (text[i-1] == '-' || text[i-1] == '?') {
				dashes++
			}
		}
		deepest = max(deepest, open, dashes)
	}
	return deepest
}

// syntax gives the line number and the first sentence of a parser's error.
func syntax(err error) (line int, msg string) {
	var se *yaml.SyntaxError
	if errors.As(err, &se) {
		if se.Token != nil && se.Token.Position != nil {
			line = se.Token.Position.Line
		}
		return line, se.Message
	}
	msg, _, _ = strings.Cut(err.Error(), "\n")
	return 0, msg
}

func (l *loader) where(line int) string {
	if line == 0 || !strings.HasSuffix(l.name, FileName) {
		return l.name // one variable is one line
	}
	return fmt.Sprintf("%s:%d", l.name, line)
}

func (l *loader) whereNode(n ast.Node) string {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return l.where(t.Position.Line)
	}
	return l.name
}

// value reads one node into dst and notes where the key came from.
func (l *loader) value(key string, n ast.Node, dst reflect.Value) {
	switch n := n.(type) {
	case *ast.NullNode:
		return // "key:" with nothing behind it leaves the default
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		l.problem(l.whereNode(n), key, "write the value itself", "anchors, aliases and tags are not read here")
		return
	}
	switch t := dst.Type(); {
	case isScalar(t):
		l.scalar(key, n, dst)
	case t.Kind() == reflect.Struct:
		l.mapping(key, n, func(name string, at ast.Node) (reflect.Value, func()) { return l.field(key, name, at, dst) })
	case t.Kind() == reflect.Map:
		l.mapping(key, n, func(name string, at ast.Node) (reflect.Value, func()) {
			l.sources[join(key, name)] = l.whereNode(at)
			return l.entry(name, dst)
		})
	default:
		l.sequence(key, n, dst)
	}
}

// mapping reads the entries of a mapping; slot gives the place of a name and how to keep it.
func (l *loader) mapping(key string, n ast.Node, slot func(name string, at ast.Node) (reflect.Value, func())) {
	var entries []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		entries = n.Values
	case *ast.MappingValueNode:
		entries = []*ast.MappingValueNode{n}
	default:
		hint := "write its keys below it, indented"
		if strings.Contains(n.GetToken().Value, "：") {
			hint = "write a colon and a space behind a key; ： is another character"
		}
		l.problem(l.whereNode(n), key, hint, "is %s where keys are expected", describe(n))
		return
	}
	seen := map[string]bool{}
	for _, e := range entries {
		name := clip(e.Key.GetToken().Value)
		if seen[name] {
			l.problem(l.whereNode(e.Key), join(key, name), "keep one of the two", "is set twice")
			continue
		}
		seen[name] = true
		if dst, keep := slot(name, e.Key); dst.IsValid() {
			l.value(join(key, name), e.Value, dst)
			keep()
		}
	}
}

// field finds the struct field of a key.
func (l *loader) field(key, name string, at ast.Node, dst reflect.Value) (reflect.Value, func()) {
	var names []string
	for f, v := range dst.Fields() {
		tag := f.Tag.Get("yaml")
		if tag == "" || tag == "-" {
			continue
		}
		if tag == name {
			return v, func() {}
		}
		names = append(names, tag)
	}
	hint := didYouMean(key, name, names)
	if first, rest, dotted := strings.Cut(name, "."); dotted && slices.Contains(names, first) {
		hint = "write " + first + ": and on a line below it, indented, " + rest + ":"
	}
	l.problem(l.whereNode(at), join(key, name), hint, "no such key")
	return reflect.Value{}, nil
}

// entry makes a place for a new entry of a map.
func (l *loader) entry(name string, dst reflect.Value) (reflect.Value, func()) {
	if dst.IsNil() {
		dst.Set(reflect.MakeMap(dst.Type()))
	}
	v := reflect.New(dst.Type().Elem()).Elem()
	return v, func() { dst.SetMapIndex(reflect.ValueOf(name), v) }
}

// sequence reads a list into a slice.
func (l *loader) sequence(key string, n ast.Node, dst reflect.Value) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		l.problem(l.whereNode(n), key, "write it as [a, b] or as lines that begin with -", "is %s where a list is expected", describe(n))
		return
	}
	l.sources[key] = l.whereNode(n)
	out := reflect.MakeSlice(dst.Type(), len(list.Values), len(list.Values))
	for i, item := range list.Values {
		at := fmt.Sprintf("%s[%d]", key, i)
		l.sources[at] = l.whereNode(item)
		l.value(at, item, out.Index(i))
	}
	dst.Set(out)
}

// scalar reads one word into a value that is written as one.
func (l *loader) scalar(key string, n ast.Node, dst reflect.Value) {
	text, quoted, ok := word(n)
	if !ok {
		l.problem(l.whereNode(n), key, "write one value behind the colon", "is %s where one value is expected", describe(n))
		return
	}
	if quoted && bare(dst.Type()) {
		l.problem(l.whereNode(n), key, "take the quotes away", "is text where %s is expected", expected(dst))
		return
	}
	l.setWord(key, l.whereNode(n), text, dst)
}

// setWord reads one word, from the file or a variable, into a scalar.
func (l *loader) setWord(key, where, text string, dst reflect.Value) {
	l.sources[key] = where
	if name := shellName(text); name != "" {
		fix := "write the value itself"
		if dst.Type() == secretType {
			fix = "write env:" + name
		}
		l.problem(where, key, fix, "%q is a variable as shells write it, and is not replaced here", clip(text))
		return
	}
	if dst.Type() == secretType {
		s, what, fix := l.secret(text)
		if what != "" {
			l.problem(where, key, fix, "%s", what)
		}
		l.literal = l.literal || !isReference(text) && l.name == FileName
		dst.Set(reflect.ValueOf(s))
		return
	}
	if err := setScalar(dst, text); err != nil {
		what, fix, _ := strings.Cut(err.Error(), "; ")
		l.problem(where, key, fix, "%q %s", clip(text), what)
	}
}

// shellVariable is one as shells and compose files write it, with a default or without.
var shellVariable = pattern.New(`^\$(?:\{([A-Za-z_][A-Za-z0-9_]*)(?::?[-=?+].*)?\}|([A-Z][A-Z0-9_]*))$`)

// shellName gives the name of the variable that is all of text, "" if it is none. As no key's value and no
// service's secret looks like that, it was meant to be replaced.
func shellName(text string) string {
	if m := shellVariable.FindStringSubmatch(text); m != nil {
		return m[1] + m[2]
	}
	return ""
}

// word gives the text of a scalar node and whether it was quoted.
func word(n ast.Node) (text string, quoted, ok bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		t := n.Token.Type.String()
		return n.Value, t == "SingleQuote" || t == "DoubleQuote", true
	case *ast.LiteralNode:
		return n.Value.Value, false, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, false, true
	}
	return "", false, false
}

// bare reports whether values of type t are written without quotes.
func bare(t reflect.Type) bool {
	return t.Kind() == reflect.Bool || t.Kind() == reflect.Int || t.Kind() == reflect.Float64
}

// describe names what a node is, for problems.
func describe(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a group of keys"
	case *ast.SequenceNode:
		return "a list"
	}
	return "a single value"
}

// expected says how a value of dst's type is written, for problems.
func expected(dst reflect.Value) string {
	if dst.Kind() == reflect.Bool {
		return "true or false"
	}
	return "a number"
}

// join gives the dotted key of a name below a key.
func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

// clip bounds what a problem quotes.
func clip(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return text
}
