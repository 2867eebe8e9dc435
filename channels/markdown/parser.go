package markdown

import (
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// reader is the one parser: it keeps nothing of what it reads, and making one takes longer than reading
// a chat message.
var reader = sync.OnceValue(newParser)

// newParser reads CommonMark with tables, strikethrough, task lists and bare addresses. Blocks of
// HTML are no blocks here: Telegram shows their tags as text anyway, and what stands between the
// tags is Markdown to the models that write it.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(numberedItem{parser.NewListItemParser()}, 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(formulas{}, 750),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(taskBox{extension.NewTaskCheckBoxParser()}, 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(formula{}, 150),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(emphasis{}, 500),
			util.Prioritized(struck{}, 500),
			util.Prioritized(bareAddress{}, 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		),
	)
}

// maxBlocks is how deep quotes and lists are read, a list and its item counting as two. The time that
// the parser takes grows with the square of it (100 KB of > took 7 s).
const maxBlocks = 2 * maxDepth

// shallow reads blocks only where they do not stand too deep; else their signs are text.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxBlocks {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// numberedItem keeps the number that an item is written with.
type numberedItem struct{ parser.BlockParser }

var writtenNumber = []byte("number")

func (i numberedItem) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	digits, _, _ := strings.Cut(strings.TrimLeft(string(line[:min(len(line), 16)]), " "), ".")
	digits, _, _ = strings.Cut(digits, ")")
	node, state := i.BlockParser.Open(parent, reader, pc)
	if number, err := strconv.Atoi(digits); err == nil && node != nil {
		node.SetAttribute(writtenNumber, number)
	}
	return node, state
}

// taskBox reads a task's box only where a space follows it: [x](address) is a link.
type taskBox struct{ parser.InlineParser }

func (b taskBox) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); len(line) < 4 || !util.IsSpace(line[3]) {
		return nil
	}
	return b.InlineParser.Parse(parent, block, pc)
}

func isCJK(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo) ||
		(r >= 0x3000 && r <= 0x303F) || (r >= 0xFF00 && r <= 0xFFEF)
}
