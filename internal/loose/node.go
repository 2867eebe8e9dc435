package loose

import (
	"errors"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of one text. Size and depth are those of the contract; maxNodes is what a text of the
// full size can hold without aliases, so only an alias bomb exceeds it; maxOpen keeps the parser,
// whose time grows with the square of open brackets, below a tenth of a second.
const (
	MaxBytes = 64 << 10
	MaxDepth = 16
	maxNodes = 40_000
	maxOpen  = 1000
)

type kind int

const (
	scalar kind = iota
	mapping
	sequence
)

// node is one YAML value with what the vendor's tree does not tell in one place: the text of a
// scalar as it was written, and whether it was written plainly.
type node struct {
	kind  kind
	line  int
	text  string // scalar: its characters
	plain bool   // scalar: neither quoted nor a block
	null  bool   // scalar: null, ~ or nothing
	src   string // collection in flow style on one line: its characters
	keys  []key
	items []*node
}

type key struct {
	name  string
	line  int
	value *node
}

func (n *node) get(name string) *node {
	for _, k := range n.keys {
		if k.name == name {
			return k.value
		}
	}
	return nil
}

// same reports whether two nodes say the same, wherever they stand.
func (n *node) same(m *node) bool {
	if n.kind != m.kind || n.text != m.text || n.null != m.null || len(n.keys) != len(m.keys) || len(n.items) != len(m.items) {
		return false
	}
	for i := range n.items {
		if !n.items[i].same(m.items[i]) {
			return false
		}
	}
	for _, k := range n.keys {
		if other := m.get(k.name); other == nil || !k.value.same(other) {
			return false
		}
	}
	return true
}

// parse reads text strictly, as one document.
func parse(text string) (*node, *fault) {
	if mostOpen(text) > maxOpen || tooManyDashes.MatchString(text) {
		return nil, faultf(bounds, 0, "nested deeper than %d levels", MaxDepth)
	}
	file, f := parseFile(text)
	if f != nil {
		return nil, f
	}
	var root *node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.DirectiveType || doc.Body.Type() == ast.CommentType {
			continue
		}
		b := builder{lines: strings.Split(text, "\n"), anchors: map[string]ast.Node{}}
		n, f := b.node(doc.Body, 0)
		switch {
		case f != nil:
			return nil, f
		case root == nil:
			root = n
		case !root.same(n) && !(n.kind == scalar && n.null):
			return nil, faultf(conflict, n.line, "a second document with other content").withHint("Give exactly one YAML document.")
		}
	}
	if root == nil {
		return nil, faultf(notYAML, 0, "no YAML found")
	}
	return root, nil
}

// parseFile calls the vendor's parser. A panic of it on hostile text is one more syntax error.
func parseFile(text string) (file *ast.File, f *fault) {
	defer func() {
		if r := recover(); r != nil {
			f = faultf(syntax, 0, "not readable as YAML")
		}
	}()
	if !strings.HasSuffix(text, "\n") {
		text += "\n" // without a last line end, the parser loses a lone tag
	}
	file, err := parser.ParseBytes([]byte(text), 0)
	if err == nil {
		return file, nil
	}
	ye, ok := errors.AsType[yaml.Error](err)
	if !ok {
		return nil, faultf(syntax, 0, "not readable as YAML")
	}
	// GetMessage, not Error: that one draws the text around the place, which takes seconds on a long line.
	f = faultf(syntax, lineOf(ye.GetToken()), "%s", ye.GetMessage())
	if strings.Contains(f.text, "already defined") { // the parser has no type for it, only the decoder
		f.rank = conflict
	}
	return nil, f
}

func lineOf(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}

// tooManyDashes finds lists within lists on one line, on which the parser is slow too.
var tooManyDashes = regexp.MustCompile(`(?m)^[ \t]*(?:[-?][ \t]+){65}`)

// mostOpen gives how many brackets are open at once at most.
func mostOpen(text string) int {
	open, most := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			open++
			most = max(most, open)
		case ']', '}':
			open = max(0, open-1)
		}
	}
	return most
}

// builder turns one document of the vendor's tree into nodes.
type builder struct {
	lines   []string
	anchors map[string]ast.Node
	count   int
}

func (b *builder) node(n ast.Node, depth int) (*node, *fault) {
	if b.count++; b.count > maxNodes {
		return nil, faultf(bounds, 0, "the document has excessive aliasing")
	}
	if depth > MaxDepth {
		return nil, faultf(bounds, 0, "nested deeper than %d levels", MaxDepth)
	}
	switch v := n.(type) {
	case nil:
		return &node{null: true, plain: true}, nil
	case *ast.MappingNode:
		return b.mapping(v, depth)
	case *ast.MappingValueNode:
		return b.mapping(&ast.MappingNode{Values: []*ast.MappingValueNode{v}}, depth)
	case *ast.SequenceNode:
		return b.sequence(v, depth)
	case *ast.AnchorNode:
		out, f := b.node(v.Value, depth)
		b.anchors[v.Name.GetToken().Value] = v.Value
		return out, f
	case *ast.AliasNode:
		return b.alias(v, depth)
	case *ast.TagNode:
		return b.tag(v, depth)
	}
	return leaf(n), nil
}

func (b *builder) mapping(m *ast.MappingNode, depth int) (*node, *fault) {
	out := &node{kind: mapping}
	if m.Start != nil {
		out.line = lineOf(m.Start)
		out.src = b.source(m.IsFlowStyle, m.Start, m.End)
	}
	merged := func(p *ast.MappingValueNode) bool { return p.Key.Type() == ast.MergeKeyType }
	for _, last := range []bool{false, true} { // what is written here goes before what is merged in
		for _, pair := range m.Values {
			if merged(pair) != last {
				continue
			}
			if f := b.pair(out, pair, depth); f != nil {
				return nil, f
			}
		}
	}
	if len(out.keys) > 0 && !m.IsFlowStyle {
		out.line = out.keys[0].line
	}
	return out, nil
}

func (b *builder) pair(out *node, pair *ast.MappingValueNode, depth int) *fault {
	value, f := b.node(pair.Value, depth+1)
	if f != nil {
		return f
	}
	line := lineOf(pair.Key.GetToken())
	if pair.Key.Type() == ast.MergeKeyType {
		return out.merge(value, line)
	}
	name, ok := keyName(pair.Key)
	if !ok {
		return faultf(syntax, line, "a key must be plain text")
	}
	if out.get(name) != nil {
		return faultf(conflict, line, "key %q is given twice", name).withHint("Keep one of the two.")
	}
	if value.line == 0 || value.kind == scalar {
		value.line = line // the parser gives the last line of a scalar of several
	}
	out.keys = append(out.keys, key{name, line, value})
	return nil
}

func keyName(k ast.MapKeyNode) (string, bool) {
	var n ast.Node = k
	if mk, ok := k.(*ast.MappingKeyNode); ok {
		n = mk.Value
	}
	switch n.(type) {
	case *ast.TagNode, *ast.AnchorNode, *ast.AliasNode:
		return "", false
	case ast.ScalarNode:
		return leaf(n).text, true
	}
	return "", false
}

// merge adds the pairs of a "<<" value that are not there yet.
func (n *node) merge(from *node, line int) *fault {
	if from.kind != mapping {
		return faultf(syntax, line, "<< needs a mapping")
	}
	for _, k := range from.keys {
		if n.get(k.name) == nil {
			n.keys = append(n.keys, k)
		}
	}
	return nil
}

func (b *builder) sequence(s *ast.SequenceNode, depth int) (*node, *fault) {
	out := &node{kind: sequence, line: lineOf(s.Start), src: b.source(s.IsFlowStyle, s.Start, s.End)}
	for _, v := range s.Values {
		if !s.IsFlowStyle && swallowed(s, v) {
			return nil, faultf(syntax, lineOf(v.GetToken()), "a dash with nothing behind it stands before this line")
		}
		item, f := b.node(v, depth+1)
		if f != nil {
			return nil, f
		}
		if item.line == 0 {
			item.line = out.line
		}
		out.items = append(out.items, item)
	}
	return out, nil
}

// swallowed reports whether an item stands no further in than its dash: the parser lets a dash with
// nothing behind it take what follows the list.
func swallowed(s *ast.SequenceNode, v ast.Node) bool {
	first := v.GetToken()
	if m, ok := v.(*ast.MappingNode); ok && len(m.Values) > 0 {
		first = m.Values[0].Key.GetToken()
	}
	if v.Type() == ast.NullType || first == nil || first.Position == nil || s.Start == nil {
		return false
	}
	return first.Position.Column <= s.Start.Position.Column
}

// source gives the characters of a flow collection that begins and ends on one line.
func (b *builder) source(flow bool, start, end *token.Token) string {
	if !flow || start == nil || end == nil || lineOf(start) != lineOf(end) || lineOf(start) > len(b.lines) {
		return ""
	}
	runes := []rune(b.lines[lineOf(start)-1])
	from, to := start.Position.Column-1, end.Position.Column
	if from < 0 || to > len(runes) || from >= to {
		return ""
	}
	return string(runes[from:to])
}

func (b *builder) alias(a *ast.AliasNode, depth int) (*node, *fault) {
	name := a.Value.GetToken().Value
	target, ok := b.anchors[name]
	if !ok {
		return nil, faultf(syntax, lineOf(a.Start), "*%s refers to nothing", name).withHint("Quote a value that starts with *.")
	}
	return b.node(target, depth)
}

// tag keeps the core tags' meaning; a tag of no known kind is text that was not quoted.
func (b *builder) tag(t *ast.TagNode, depth int) (*node, *fault) {
	out, f := b.node(t.Value, depth)
	if f != nil {
		return nil, f
	}
	name := t.Start.Value
	switch {
	case name == "!!str":
		out.plain, out.null = false, false
	case out.kind != scalar && out.src == "":
		// The parser lets a tag with nothing behind it swallow the lines below.
		return nil, faultf(syntax, lineOf(t.Start), "the tag %s stands before lines of its own", name)
	case strings.HasPrefix(name, "!!"):
	default:
		if out.null {
			out.text = ""
		}
		out = &node{text: strings.TrimSpace(name + " " + out.text + out.src)}
		out.plain, out.null, out.line = false, false, lineOf(t.Start)
	}
	return out, nil
}

func leaf(n ast.Node) *node {
	t := n.GetToken()
	out := &node{line: lineOf(t), plain: true}
	switch v := n.(type) {
	case *ast.LiteralNode:
		out.text, out.plain = v.Value.Value, false
	case *ast.StringNode:
		out.text = v.Value
		out.plain = t.Type != token.SingleQuoteType && t.Type != token.DoubleQuoteType
	case *ast.NullNode:
		out.text, out.null = strings.TrimSpace(t.Value), true
		if t.Type == token.ImplicitNullType {
			out.text = ""
		}
	default:
		out.text = strings.TrimSpace(t.Value)
	}
	return out
}
