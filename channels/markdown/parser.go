package markdown

import (
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newParser reads CommonMark with tables, strikethrough, task lists and bare addresses. Blocks of
// HTML are no blocks here: Telegram shows their tags as text anyway, and what stands between the
// tags is Markdown to the models that write it.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(taskBox{extension.NewTaskCheckBoxParser()}, 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(emphasis{}, 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		),
	)
}

// taskBox reads a task's box only where a space follows it: [x](address) is a link.
type taskBox struct{ parser.InlineParser }

func (b taskBox) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); len(line) < 4 || !util.IsSpace(line[3]) {
		return nil
	}
	return b.InlineParser.Parse(parent, block, pc)
}

// emphasis reads * and _ like CommonMark, except that a * beside Chinese, Japanese or Korean text
// may open and close wherever no space forbids it: these scripts set no spaces around words, and
// CommonMark leaves the stars of **重要：**请 standing.
type emphasis struct{}

func (emphasis) Trigger() []byte { return []byte{'*', '_'} }

func (e emphasis) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, e)
	if d == nil {
		return nil
	}
	after := ' '
	if d.OriginalLength < len(line) {
		after, _ = utf8.DecodeRune(line[d.OriginalLength:])
	}
	if d.Char == '*' && (isCJK(before) || isCJK(after)) {
		d.CanOpen = d.CanOpen || (!unicode.IsSpace(after) && isCJK(before))
		d.CanClose = d.CanClose || (!unicode.IsSpace(before) && isCJK(after))
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

// IsDelimiter reports whether b may mark emphasis.
func (emphasis) IsDelimiter(b byte) bool { return b == '*' || b == '_' }

// CanOpenCloser reports whether the two marks belong together.
func (emphasis) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch makes the node for a pair of marks.
func (emphasis) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

func isCJK(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo) ||
		(r >= 0x3000 && r <= 0x303F) || (r >= 0xFF00 && r <= 0xFFEF)
}
