package loose

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// builder turns one document of the vendor's tree into nodes.
type builder struct {
	text    string
	lines   []string
	anchors map[string]ast.Node
	count   int
	above   map[string]bool // lines with an item further in below them; made when first asked for
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
		if name := v.Name.GetToken().Value; f == nil && out.kind == scalar && out.plain && !strings.Contains(b.text, "*"+name) {
			return &node{line: lineOf(v.Start), text: strings.TrimSpace("&" + name + " " + out.text)}, nil // nothing refers to it: it is text
		}
		b.anchors[v.Name.GetToken().Value] = v.Value
		return out, f
	case *ast.AliasNode:
		return b.alias(v, depth)
	case *ast.TagNode:
		return b.tag(v, depth)
	}
	out := leaf(n)
	if t := n.GetToken(); t != nil && t.Type == token.DoubleQuoteType && b.misread(t) {
		return nil, faultf(syntax, out.line, "a backslash between double quotes that escapes nothing").withHint("Use single quotes, or two backslashes.")
	}
	return out, nil
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
			if m.IsFlowStyle && goesOn(out, pair) {
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

// goesOn adds to the text before it what stands behind a comma without a colon of its own: {query: SELECT a, b FROM t}.
// Of two words alone nobody knows whether they are one text.
func goesOn(out *node, pair *ast.MappingValueNode) bool {
	name, ok := keyName(pair.Key)
	if !ok || len(out.keys) == 0 || pair.Value.Type() != ast.NullType || pair.Start != pair.Key.GetToken() {
		return false
	}
	last := out.keys[len(out.keys)-1].value
	if last.kind != scalar || !last.plain || last.null || !strings.Contains(last.text+name, " ") {
		return false
	}
	last.text += ", " + name
	return true
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
	if from.kind == sequence {
		for _, one := range from.items {
			if f := n.merge(one, line); f != nil {
				return f
			}
		}
		return nil
	}
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
		if !s.IsFlowStyle && b.ranOn(item) {
			return nil, faultf(syntax, item.line, "a list item stands further in than the one before it")
		}
		out.items = append(out.items, item)
	}
	if s.IsFlowStyle && out.src != "" {
		out.items = rejoined(out.items, out.src)
	}
	return out, nil
}

// ranOn reports whether a plain item took the next one, which stands further in, for its own second line.
func (b *builder) ranOn(item *node) bool {
	head, _, ok := strings.Cut(item.text, " - ")
	if !ok || !item.plain || item.kind != scalar {
		return false
	}
	if b.above == nil {
		b.above = map[string]bool{}
		for i, line := range b.lines[:len(b.lines)-1] {
			if strings.HasPrefix(strings.TrimSpace(b.lines[i+1]), "- ") && indent(b.lines[i+1]) > indent(line) {
				b.above[strings.TrimSpace(line)] = true
			}
		}
	}
	return b.above["- "+head]
}

// rejoined puts words together again that were cut at the comma within a number: [at most 1,000 words].
func rejoined(items []*node, src string) []*node {
	var out []*node
	for _, it := range items {
		last := len(out) - 1
		if last >= 0 && out[last].plain && it.plain && overThousand.MatchString(out[last].text) && inThousand.MatchString(it.text) &&
			strings.Contains(src, out[last].text+","+it.text) {
			it.text = out[last].text + "," + it.text
			out = out[:last]
		}
		out = append(out, it)
	}
	return out
}

var (
	overThousand = pattern.New(`\pL\s+\pS?\d{1,3}(?:,\d{3})*$`)
	inThousand   = pattern.New(`^\d{3}(?:\D|$)`)
)

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
	case coreTag.MatchString(name):
	default:
		if out.null {
			out.text = ""
		}
		out = &node{text: strings.TrimSpace(name + " " + out.text + out.src)}
		out.plain, out.null, out.line = false, false, lineOf(t.Start)
	}
	return out, nil
}

// coreTag is a tag that YAML gives a meaning to; "!!!" is a person who shouts.
var coreTag = pattern.New(`^!!(?:str|int|float|bool|null|seq|map|set|omap|pairs|binary|timestamp|merge)$`)

// misread reports whether a text between double quotes, on one line, holds a backslash that escapes nothing:
// of some, the parser gives characters that nobody wrote.
func (b *builder) misread(t *token.Token) bool {
	if t.Position == nil || t.Position.Line > len(b.lines) {
		return false
	}
	line, column := b.lines[t.Position.Line-1], 0
	if !strings.Contains(line, `\`) {
		return false
	}
	for at := range line {
		if column++; column == t.Position.Column {
			return falseEscape.MatchString(line[at:])
		}
	}
	return false
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
