package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// bareAddress reads addresses that stand in the text without any sign around them, behind any letter that
// is not one of a word in ASCII: Chinese and Japanese set no space before them.
type bareAddress struct{}

func (bareAddress) Trigger() []byte { return []byte{':', '.'} }

// Parse is called at the first sign of an address; the letters before it are taken back from the text.
func (bareAddress) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before, ok := parent.LastChild().(*ast.Text)
	if !ok || pc.IsInLinkLabel() {
		return nil
	}
	line, segment := block.PeekLine()
	scheme := addressScheme(before.Segment.Value(block.Source()), line[0])
	if scheme == 0 || before.Segment.Stop != segment.Start || before.IsRaw() {
		return nil
	}
	length := addressLength(line)
	if length == 0 {
		return nil
	}
	start := segment.Start - scheme
	before.Segment = before.Segment.WithStop(start)
	block.Advance(length)
	link := ast.NewAutoLink(ast.AutoLinkURL, ast.NewTextSegment(text.NewSegment(start, segment.Start+length)))
	if line[0] == '.' {
		link.Protocol = []byte("http")
	}
	return link
}

// addressScheme is the length of the word that an address begins with, before the sign.
func addressScheme(before []byte, sign byte) int {
	words := []string{"https", "http"}
	if sign == '.' {
		words = []string{"www"}
	}
	for _, word := range words {
		rest := len(before) - len(word)
		if rest < 0 || !strings.EqualFold(string(before[rest:]), word) {
			continue
		}
		if last, _ := utf8.DecodeLastRune(before[:rest]); rest == 0 || last > 0x7f || !isWord(last) {
			return len(word)
		}
	}
	return 0
}

// addressLength is how much of the line, from the :// or the dot behind www on, belongs to the address.
func addressLength(line []byte) int {
	rest, found := bytes.CutPrefix(line, []byte("://"))
	if !found {
		if rest, found = bytes.CutPrefix(line, []byte(".")); !found || !bytes.ContainsRune(rest, '.') {
			return 0
		}
	}
	sign := len(line) - len(rest)
	host := 0
	for host < len(rest) && rest[host] < 0x80 && (isWord(rune(rest[host])) || strings.IndexByte("-@:%._+~=", rest[host]) >= 0) {
		host++
	}
	if host == 0 || !isWord(rune(rest[0])) {
		return 0
	}
	end := host
	if host < len(rest) && strings.IndexByte("/?#", rest[host]) >= 0 {
		end += pathLength(rest[host:])
	}
	end = trimmedAddress(rest[:end])
	if sign == 1 && !bytes.ContainsRune(rest[:min(end, host)], '.') {
		return 0
	}
	return sign + end
}

// pathLength is how much of a text belongs to a path. Of scripts without spaces, letters do where they
// follow a sign of the path: in a name like /wiki/中文, not in the words behind an address.
func pathLength(rest []byte) int {
	last := ' '
	for i := 0; i < len(rest); {
		r, size := utf8.DecodeRune(rest[i:])
		switch {
		case r < 0x80 && (isWord(r) || strings.ContainsRune("-@:%_+.~#$!?&/=(),;'^{}[]", r)):
		case r >= 0x80 && isCJK(r) && unicode.IsLetter(r) && (isCJK(last) || (i > 1 && strings.ContainsRune("/=_-+#(", last))):
		case r >= 0x80 && !isCJK(r) && (isWord(r) || unicode.IsMark(r)):
		default:
			return i
		}
		last = r
		i += size
	}
	return len(rest)
}

// trimmedAddress is an address's length without what ends the sentence or the brackets around it.
func trimmedAddress(s []byte) int {
	for len(s) > 0 {
		switch last := s[len(s)-1]; last {
		case '?', '!', '.', ',', ':', ';', '_', '~', '\'':
		case ')', ']', '}':
			opening := map[byte]string{')': "(", ']': "[", '}': "{"}[last]
			if bytes.Count(s, []byte(opening)) >= bytes.Count(s, []byte{last}) {
				return len(s)
			}
		default:
			return len(s)
		}
		s = s[:len(s)-1]
	}
	return 0
}
