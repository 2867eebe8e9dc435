package tool

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanned is what a first look at broken JSON finds, and what it could mend.
type scanned struct {
	source  string // the first value, as it was written
	mended  string // the same with what is plain put right; may still be broken
	rest    string // what follows the value
	open    bool   // the value does not end
	inText  bool   // it ends inside of a string
	inWord  bool   // it ends right after a letter outside of strings
	quotes  bool   // a string has quotes that are not escaped
	empty   bool   // it ends right behind an opening bracket
	unclear bool   // nobody can tell what a string is: some of its backslashes or quotes escape and others do not, or it may be several
}

// scanner walks over one value that begins with a brace. What needs no guess is mended on the way:
// commas before a closer, missing closers, Python's literals, NaN and the infinities, bare names,
// single and triple quotes, comments, the signs of other scripts, raw control characters, backslashes
// that escape nothing. A quote ends a string only if what follows could follow a string; any other is
// taken for a part of the text.
type scanner struct {
	in     string
	at     int
	out    []byte
	closer []byte // what the open brackets want, the innermost last
	found  scanned

	unclosed [len(wideQuotes)]bool // no quote further on closes a text that such a one opens
}

func scan(text string) scanned {
	s := &scanner{in: text}
	for s.at < len(s.in) {
		if s.step(); len(s.closer) == 0 {
			break
		}
	}
	f := s.found
	f.source, f.rest, f.open = s.in[:s.at], s.in[s.at:], len(s.closer) > 0
	before := bytes.TrimRightFunc(s.out, unicode.IsSpace)
	f.empty = f.open && bytes.IndexByte([]byte("{["), before[len(before)-1]) >= 0
	for len(s.closer) > 0 {
		s.close(s.closer[len(s.closer)-1])
	}
	f.mended = string(s.out)
	return f
}

// step takes one token.
func (s *scanner) step() {
	c := s.in[s.at]
	s.found.inWord = false
	switch {
	case c == '{':
		s.open('}')
	case c == '[':
		s.open(']')
	case c == '}' || c == ']':
		s.close(c)
	case s.comment() || s.bracket() || s.sign() || s.triple() || s.wideText():
		return
	case c == '"' || c == '\'' && s.opens():
		s.text(c)
		return
	case isWord(c):
		s.word()
		return
	case c == '\\' && s.escapedBlank():
		s.out = append(s.out, ' ')
		s.at++
	case c == ',' && s.spare():
	default:
		s.out = append(s.out, c)
	}
	s.at++
}

// escapedBlank reports whether a backslash here, outside of texts, and the letter behind it stand for a blank, as in a text. With
// a letter next, it is in a word without quotes, and nobody knows what it escapes.
func (s *scanner) escapedBlank() bool {
	rest := s.in[s.at:]
	blanks := blanksIn.FindString(rest)
	next, _ := utf8.DecodeRuneInString(rest[max(len(blanks), 1):])
	s.found.unclear = s.found.unclear || unicode.IsLetter(next)
	return blanks != ""
}

// spare reports whether a comma here is one too many: between two members nothing can be missing.
func (s *scanner) spare() bool {
	before := bytes.TrimRightFunc(s.out, unicode.IsSpace)
	return s.closer[len(s.closer)-1] == '}' && len(before) > 0 && strings.IndexByte("{,", before[len(before)-1]) >= 0
}

func (s *scanner) open(closer byte) {
	s.out = append(s.out, s.in[s.at])
	s.closer = append(s.closer, closer)
}

// close writes a closer, without the comma that may stand before it.
func (s *scanner) close(c byte) {
	if cut, ok := bytes.CutSuffix(bytes.TrimRightFunc(s.out, unicode.IsSpace), []byte(",")); ok {
		s.out = cut
	}
	s.out = append(s.out, c)
	s.closer = s.closer[:len(s.closer)-1]
}

// opens reports whether a single quote here begins a string.
func (s *scanner) opens() bool {
	before := bytes.TrimRightFunc(s.out, unicode.IsSpace)
	return len(before) > 0 && strings.IndexByte("{[,:", before[len(before)-1]) >= 0
}

// text takes a string and writes it as JSON.
func (s *scanner) text(quote byte) {
	s.found.inText = true
	name := s.wantsName()
	s.out = append(s.out, '"')
	var escapes, bare, escaped, quoted bool
	begin := s.at
	for s.at++; s.at < len(s.in) && s.found.inText; s.at++ {
		switch c := s.in[s.at]; {
		case c == '\\':
			n := escape(s.in[s.at+1:])
			escapes = escapes || n == 1 && strings.IndexByte("bfnrt", s.in[s.at+1]) >= 0
			bare = bare || n == 0
			escaped = escaped || n == 1 && s.in[s.at+1] == quote
			s.backslash(n)
		case c == quote && s.closes(name):
			s.found.inText = false
		case quote == '"' && !name && s.wideEnd(begin):
			s.at += len(wideClose) - 1
			s.found.inText = false
		case c == '"':
			quoted = quote == '"'
			s.found.quotes = s.found.quotes || quoted
			s.found.unclear = s.found.unclear || quote == '"' && (name || summed.MatchString(s.in[s.at+1:]))
			s.out = append(s.out, `\"`...)
		case c < 0x20:
			s.out = fmt.Appendf(s.out, `\u%04x`, c)
		default:
			s.out = append(s.out, c)
		}
	}
	s.found.unclear = s.found.unclear || escapes && bare || escaped && quoted
	s.out = append(s.out, '"')
}

// backslash writes a backslash and the n bytes that belong to it. One that escapes nothing is meant
// as it stands, but for \', which is how others write a quote.
func (s *scanner) backslash(n int) {
	switch {
	case n > 0:
		s.out = append(s.out, s.in[s.at:s.at+1+n]...)
		s.at += n
	case strings.HasPrefix(s.in[s.at+1:], "'"):
		s.out = append(s.out, '\'')
		s.at++
	default:
		s.out = append(s.out, `\\`...)
	}
}

// escape gives how many bytes after a backslash make an escape with it, 0 if none do.
func escape(after string) int {
	switch {
	case after == "":
		return 0
	case strings.IndexByte(`"\/bfnrt`, after[0]) >= 0:
		return 1
	case after[0] == 'u' && len(after) >= 5 && strings.Trim(after[1:5], "0123456789abcdefABCDEF") == "":
		return 5
	}
	return 0
}

// closes reports whether a quote here can end a string: the end, or what follows a value or a
// name, comes next. Another string comes next only where a comma was forgotten, after a space.
func (s *scanner) closes(name bool) bool {
	rest := s.in[s.at+1:]
	after, noted := withoutComments(rest)
	if after == "" || strings.IndexByte(",:]}", after[0]) >= 0 || onlyClosers.MatchString(rest) {
		s.found.unclear = s.found.unclear || strings.Contains(noted, `"`)
		return true
	}
	after = strings.TrimLeftFunc(rest, unicode.IsSpace)
	if !name && s.closer[len(s.closer)-1] == ']' && wideItem.MatchString(after) {
		s.found.unclear = s.found.unclear || s.found.quotes
		return true
	}
	if name && strings.HasPrefix(after, wideColon) || !name && wideNext.MatchString(after) {
		return true
	}
	return after[0] == '"' && len(after) < len(rest)
}

// word takes a literal, a number or a bare name.
func (s *scanner) word() {
	begin := s.at
	for s.at < len(s.in) && isWord(s.in[s.at]) && signAt(signs, s.in[s.at:]) < 0 && signAt(brackets, s.in[s.at:]) < 0 {
		s.at++
	}
	word := s.in[begin:s.at]
	s.found.inWord = unicode.IsLetter(rune(word[len(word)-1]))
	s.found.unclear = s.found.unclear || len(word) > 1 && strings.Trim(word, ".") == "" // what it stands for is left out
	after := strings.TrimLeftFunc(s.in[s.at:], unicode.IsSpace)
	if (strings.HasPrefix(after, ":") || strings.HasPrefix(after, wideColon)) && s.closer[len(s.closer)-1] == '}' {
		s.out = fmt.Appendf(s.out, "%q", word)
		return
	}
	s.out = append(s.out, s.number(literal(word))...)
}

func literal(word string) string {
	switch word {
	case "True", "TRUE":
		return "true"
	case "False", "FALSE":
		return "false"
	case "None", "NULL", "Null", "nil", "undefined":
		return "null"
	}
	switch strings.ToLower(strings.TrimLeft(word, "+-")) {
	case "nan", "inf", "infinity":
		return "null"
	}
	return word
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c == '+' || c == '.' || isAlnum(c)
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
