package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Formulas in TeX are shown as they are written: no service draws them, and what Markdown takes from
// them, stars, underscores and backslashes, is half of what they say.

// mathSigns are those of which a formula has at least one. Without any, $5 and \[x\] are no formulas.
const mathSigns = `\^_{=`

// maxFormula is the most that a formula within a paragraph takes, in bytes: where it ends is looked for
// behind every sign that could begin one.
const maxFormula = 1000

// formula reads $a$, $$a$$, \(a\) and \[a\] within a paragraph.
type formula struct{}

func (formula) Trigger() []byte { return []byte{'$', '\\'} }

func (formula) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	opening, closing := formulaSigns(line)
	if opening == "" {
		return nil
	}
	node := ast.NewRawHTML()
	room := maxFormula
	for first := true; ; first = false {
		line, segment := block.PeekLine()
		if line == nil || room <= 0 || (opening == "$" && !first) {
			return nil
		}
		line = line[:min(len(line), room)]
		room -= len(line)
		from := 0
		if first {
			from = len(opening)
		}
		if end := formulaEnd(line, from, closing); end > 0 {
			node.Segments.Append(segment.WithStop(segment.Start + end))
			block.Advance(end)
			break
		}
		node.Segments.Append(segment)
		block.AdvanceLine()
	}
	if !mathematical(string(node.Segments.Value(block.Source())), opening, closing) {
		return nil
	}
	return node
}

// formulaSigns are what a formula begins and ends with; empty if none begins here.
func formulaSigns(line []byte) (opening, closing string) {
	for _, pair := range [][2]string{{"$$", "$$"}, {"$", "$"}, {`\(`, `\)`}, {`\[`, `\]`}} {
		if bytes.HasPrefix(line, []byte(pair[0])) {
			return pair[0], pair[1]
		}
	}
	return "", ""
}

// formulaEnd is where the formula ends on this line; 0 if it does not. A $ that an amount of money or a
// variable begins with ends none.
func formulaEnd(line []byte, from int, closing string) int {
	for i := from; ; {
		n := bytes.Index(line[i:], []byte(closing))
		if n < 0 {
			return 0
		}
		i += n + len(closing)
		last, _ := utf8.DecodeLastRune(line[:i-len(closing)])
		next := byte(' ')
		if i < len(line) {
			next = line[i]
		}
		if last == '\\' || (closing == "$" && (unicode.IsSpace(last) || util.IsAlphaNumeric(next) || next == '$')) {
			continue
		}
		return i
	}
}

// texCommand finds a command that no backslash stands before.
var texCommand = regexp.MustCompile(`^(?:[^\\]|\\[^a-zA-Z])*\\[a-zA-Z]`)

// mathematical reports whether what stands between the signs is a formula. One that begins with a digit
// has a command; else it may be money.
func mathematical(s, opening, closing string) bool {
	inner := strings.TrimSuffix(strings.TrimPrefix(s, opening), closing)
	first, _ := utf8.DecodeRuneInString(inner)
	if opening == "$" && (inner == "" || unicode.IsSpace(first) || isDigit(first) && !texCommand.MatchString(inner)) {
		return false
	}
	return strings.ContainsAny(inner, mathSigns) && !strings.ContainsAny(inner, "`") && !strings.Contains(inner, "](")
}

// formulaBlock is a formula between lines of $$, or of \[ and \].
type formulaBlock struct {
	ast.BaseBlock
	closing string
}

var kindFormula = ast.NewNodeKind("Formula")

// Kind is that of formulas on lines of their own.
func (*formulaBlock) Kind() ast.NodeKind { return kindFormula }

// IsRaw says that nothing in the formula is Markdown.
func (*formulaBlock) IsRaw() bool { return true }

// Dump shows the node to who debugs the parser.
func (n *formulaBlock) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// formulas reads such blocks. One that is never closed is none.
type formulas struct{}

func (formulas) Trigger() []byte { return []byte{'$', '\\'} }

func (formulas) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	node := &formulaBlock{closing: formulaClosing(strings.TrimSpace(string(line)))}
	if node.closing == "" || !closes(reader.Source()[segment.Stop:], node.closing) {
		return nil, parser.NoChildren
	}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// formulaClosing is what a block ends with that begins with this line; empty if none does.
func formulaClosing(line string) string {
	switch {
	case line == `\[`:
		return `\]`
	case strings.HasPrefix(line, "$$") && strings.Count(line, "$$") == 1:
		return "$$"
	}
	return ""
}

// closes reports whether a line ends with the sign.
func closes(rest []byte, closing string) bool {
	for {
		_, after, found := bytes.Cut(rest, []byte(closing))
		if !found {
			return false
		}
		if line, _, _ := bytes.Cut(after, []byte("\n")); len(bytes.TrimSpace(line)) == 0 {
			return true
		}
		rest = after
	}
}

func (formulas) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, segment := reader.PeekLine()
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	if strings.HasSuffix(strings.TrimSpace(string(line)), node.(*formulaBlock).closing) {
		return parser.Close
	}
	return parser.Continue | parser.NoChildren
}

func (formulas) Close(ast.Node, text.Reader, parser.Context) {}

func (formulas) CanInterruptParagraph() bool { return true }

func (formulas) CanAcceptIndentedLine() bool { return false }

// formulaBlock writes the lines of a formula. They break where they break, indented like a paragraph's.
func (w *walker) formulaBlock(n *formulaBlock) {
	for line := range strings.Lines(string(n.Lines().Value(w.source))) {
		if line = strings.TrimSpace(line); line != "" {
			w.write(line)
			w.breakLine()
		}
	}
}
