package loose

import (
	"errors"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
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
		b := builder{text: text, lines: strings.Split(text, "\n"), anchors: map[string]ast.Node{}}
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
var tooManyDashes = pattern.New(`(?m)^[ \t]*(?:[-?][ \t]+){65}`)

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
