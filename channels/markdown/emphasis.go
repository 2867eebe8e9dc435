package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// emphasis reads * and _ like CommonMark, but for three things that models write. A * beside Chinese,
// Japanese or Korean text may open and close wherever no space forbids it: these scripts set no spaces
// around words, and CommonMark leaves the stars of **重要：**请 standing. So may ** close behind
// punctuation: **Note:**text. A * between two digits multiplies.
type emphasis struct{}

func (emphasis) Trigger() []byte { return []byte{'*', '_'} }

func (e emphasis) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if name := dunder(block); name != nil {
		return name
	}
	d, before, after := delimiter(block, 1, e)
	if d == nil || (d.Char == '*' && d.OriginalLength == 1 && isDigit(before) && isDigit(after)) {
		return nil
	}
	if d.Char == '*' {
		besideCJK(d, before, after)
		d.CanClose = d.CanClose || (d.OriginalLength == 2 && strings.ContainsRune(":.!?)"+cjkStops, before) && isWord(after))
	}
	pc.PushDelimiter(d)
	block.Advance(d.OriginalLength)
	return d
}

// dunderName finds what is a name in Python and not a strong word: __init__.py, self.__dict__, __name__.
var dunderName = regexp.MustCompile(`^__(?:init|main|name|file|dict|doc|str|repr|call|new|class|iter|next|enter|exit|len|eq|hash|version|future|pycache|dirname)__|^__[a-z]+(?:_[a-z]+)*__(?:\(|\.[a-z_])`)

// longestDunder is how much of a line is looked at for such a name, in bytes.
const longestDunder = 64

// dunder reads such a name as text.
func dunder(block text.Reader) ast.Node {
	line, segment := block.PeekLine()
	name := dunderName.Find(line[:min(len(line), longestDunder)]) // or each mark of a long line would cost its length
	if name == nil {
		return nil
	}
	length := bytes.LastIndex(name, []byte("__")) + len("__")
	block.Advance(length)
	return ast.NewTextSegment(segment.WithStop(segment.Start + length))
}

// IsDelimiter reports whether b may mark emphasis.
func (emphasis) IsDelimiter(b byte) bool { return b == '*' || b == '_' }

// CanOpenCloser reports whether the two marks belong together.
func (emphasis) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch makes the node for a pair of marks.
func (emphasis) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

// struck reads ~~ as what is struck out. One ~ is none: 3~5 is a range.
type struck struct{}

func (struck) Trigger() []byte { return []byte{'~'} }

func (s struck) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	d, before, after := delimiter(block, 2, s)
	if d == nil || d.OriginalLength != 2 || before == '~' {
		return nil
	}
	besideCJK(d, before, after)
	pc.PushDelimiter(d)
	block.Advance(d.OriginalLength)
	return d
}

// IsDelimiter reports whether b may mark what is struck out.
func (struck) IsDelimiter(b byte) bool { return b == '~' }

// CanOpenCloser reports whether the two marks belong together.
func (struck) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char && opener.Length == closer.Length
}

// OnMatch makes the node for a pair of marks.
func (struck) OnMatch(int) ast.Node { return extast.NewStrikethrough() }

// delimiter scans a run of marks, with the letters before and after it.
func delimiter(block text.Reader, least int, p parser.DelimiterProcessor) (d *parser.Delimiter, before, after rune) {
	before = block.PrecendingCharacter()
	line, segment := block.PeekLine()
	if d = parser.ScanDelimiter(line, before, least, p); d == nil {
		return nil, before, 0
	}
	after = ' '
	if d.OriginalLength < len(line) {
		after, _ = utf8.DecodeRune(line[d.OriginalLength:])
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	return d, before, after
}

func besideCJK(d *parser.Delimiter, before, after rune) {
	if isCJK(before) || isCJK(after) {
		d.CanOpen = d.CanOpen || (!unicode.IsSpace(after) && isCJK(before))
		d.CanClose = d.CanClose || (!unicode.IsSpace(before) && isCJK(after))
	}
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
