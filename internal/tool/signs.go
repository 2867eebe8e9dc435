package tool

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	wideColon = "\uff1a"
	wideClose = "\u201d"
)

var (
	// wideNext is a wide comma with another member or a closer behind it; any other may be of a text.
	wideNext = regexp.MustCompile("^\uff0c\\s*(?:\"[^\"]*\"\\s*[:\uff1a]|[}\\]])")
	// wideItem is a wide comma of either kind with another text of a list behind it.
	wideItem = regexp.MustCompile("^[\uff0c\u3001]\\s*\"")
	// summed is a plus with another text behind it, as JavaScript joins them.
	summed = regexp.MustCompile(`^\s*\+\s*"`)
	// wideLast is the wide quote that ends a text which a plain one has opened: behind it the object goes on.
	wideLast = regexp.MustCompile("^" + wideClose + `\s*(?:[}\]]|,\s*"[^"` + wideClose + `]*["` + wideClose + `]\s*[:,}\]])`)
	// wideAfter is what stands behind a text in wide quotes.
	wideAfter = regexp.MustCompile("^\\s*(?:$|[,:}\\]\uff1a\uff5d\uff3d]|\uff0c\\s*[\"'{\\[}\\]\u201c\u201d\u2018\uff02])")
)

type sign struct{ sign, plain string }

// signs stand outside of strings for what JSON writes otherwise: the wide colon and comma of Chinese
// text, and blanks that are none of JSON's.
var signs = []sign{
	{wideColon, ":"}, {"\uff0c", ","}, {"\u3001", ","}, {"\ufeff", " "}, {"\u200b", " "}, {"\u2060", " "}, {"\u00a0", " "}, {"\u3000", " "},
}

// sign takes one of the signs.
func (s *scanner) sign() bool {
	i := signAt(signs, s.in[s.at:])
	if i >= 0 {
		s.out = append(s.out, signs[i].plain...)
		s.at += len(signs[i].sign)
	}
	return i >= 0
}

// signAt gives which of the signs a text begins with, -1 if with none.
func signAt(signs []sign, text string) int {
	if text[0] < 0x80 {
		return -1
	}
	return slices.IndexFunc(signs, func(x sign) bool { return strings.HasPrefix(text, x.sign) })
}

// brackets are the wide ones.
var brackets = []sign{{"\uff5b", "{"}, {"\uff5d", "}"}, {"\uff3b", "["}, {"\uff3d", "]"}}

// bracket takes a wide bracket for the plain one.
func (s *scanner) bracket() bool {
	i := signAt(brackets, s.in[s.at:])
	if i < 0 {
		return false
	}
	switch plain := brackets[i].plain[0]; plain {
	case '{', '[':
		s.out = append(s.out, plain)
		s.closer = append(s.closer, plain+2) // in ASCII the closer is the next but one
	default:
		s.close(plain)
	}
	s.at += len(brackets[i].sign)
	return true
}

// wideQuotes open a text, each with what may close it.
var wideQuotes = [...]struct{ open, closers string }{{"\u201c", "\u201d\u201c"}, {"\u201d", "\u201d"}, {"\u2018", "\u2019"}, {"\uff02", "\uff02"}}

// wideText takes a text in the quotes of print, up to one that only the end of a text can be. With a
// backslash in it nobody knows what is meant.
func (s *scanner) wideText() bool {
	rest := s.in[s.at:]
	for i, q := range wideQuotes {
		inner, ok := strings.CutPrefix(rest, q.open)
		if !ok || s.unclosed[i] {
			continue
		}
		for end, r := range inner {
			if !strings.ContainsRune(q.closers, r) {
				continue // an invalid byte too, which is shorter than what stands for it
			}
			after := inner[end+utf8.RuneLen(r):]
			if !wideAfter.MatchString(after) {
				continue
			}
			s.found.unclear = s.found.unclear || strings.Contains(inner[:end], `\`)
			text, _ := json.Marshal(inner[:end]) // a string always has a form
			s.out = append(s.out, text...)
			s.at = len(s.in) - len(after)
			return true
		}
		s.unclosed[i] = true
	}
	return false
}

// wideEnd reports whether a wide quote here ends the text that a plain one has opened at begin. One that closes
// another wide one is of the text.
func (s *scanner) wideEnd(begin int) bool {
	return strings.HasPrefix(s.in[s.at:], wideClose) && wideLast.MatchString(s.in[s.at:]) && !strings.ContainsAny(s.in[begin:s.at], "\u201c\u201d")
}

// withoutComments gives what comes next behind blanks and comments, and those.
func withoutComments(text string) (next, noted string) {
	next = strings.TrimLeftFunc(text, unicode.IsSpace)
	for next != "" {
		n := commentAt(next)
		if n == 0 {
			break
		}
		next = strings.TrimLeftFunc(next[n:], unicode.IsSpace)
	}
	return next, text[:len(text)-len(next)]
}

// comment passes over a comment. One that runs to the end of a line needs that end: else nobody knows
// what of the line it is.
func (s *scanner) comment() bool {
	n := commentAt(s.in[s.at:])
	s.at += n
	return n > 0
}

// maxComment bounds how long a comment is, in bytes: every quote in a text looks for one behind it.
const maxComment = 4 << 10

// commentAt gives how long the comment is that a text begins with; 0 if it begins with none.
func commentAt(text string) int {
	text, end := text[:min(len(text), maxComment)], "\n"
	switch {
	case strings.HasPrefix(text, "/*"):
		end = "*/"
	case !strings.HasPrefix(text, "//") && text[0] != '#':
		return 0
	}
	at := strings.Index(text[1:], end)
	if at < 0 {
		return 0
	}
	return 1 + at + len(end)
}

const triple = `"""`

// triple takes a string in three quotes, as Python writes texts of many lines. With a backslash in it
// nobody knows what is meant.
func (s *scanner) triple() bool {
	inner, ok := strings.CutPrefix(s.in[s.at:], triple)
	if !ok {
		return false
	}
	for end := 0; ; end++ {
		at := strings.Index(inner[end:], triple)
		if at < 0 {
			return false
		}
		end += at
		after := strings.TrimLeftFunc(inner[end+len(triple):], unicode.IsSpace)
		if after == "" || strings.IndexByte(",]}", after[0]) >= 0 {
			s.found.unclear = s.found.unclear || strings.Contains(inner[:end], `\`)
			text, _ := json.Marshal(inner[:end])
			s.out = append(s.out, text...)
			s.at += len(triple) + end + len(triple)
			return true
		}
	}
}

// wantsName reports whether the next string is the name of a member.
func (s *scanner) wantsName() bool {
	before := bytes.TrimRightFunc(s.out, unicode.IsSpace)
	return s.closer[len(s.closer)-1] == '}' && len(before) > 0 && bytes.IndexByte([]byte("{,"), before[len(before)-1]) >= 0
}

// number writes +5, .5 and 5. as JSON does. A number that ends the input may have been cut off.
func (s *scanner) number(word string) string {
	digits := strings.TrimLeft(word, "+-")
	if digits == "" || strings.Trim(digits, "0123456789.") != "" || strings.Count(digits, ".") > 1 || digits == "." {
		return word
	}
	if s.at < len(s.in) {
		digits = strings.TrimSuffix(digits, ".")
	}
	if digits[0] == '.' {
		digits = "0" + digits
	}
	if word[0] == '-' {
		return "-" + digits
	}
	return digits
}
