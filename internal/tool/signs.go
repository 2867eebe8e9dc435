package tool

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const wideColon = "\uff1a"

// wideNext is a wide comma with another member behind it; any other may be of a text.
var wideNext = regexp.MustCompile("^\uff0c\\s*\"[^\"]*\"\\s*[:\uff1a]")

type sign struct{ sign, plain string }

// signs stand outside of strings for what JSON writes otherwise: the wide colon and comma of Chinese
// text, and blanks that are none of JSON's.
var signs = []sign{
	{wideColon, ":"}, {"\uff0c", ","}, {"\ufeff", " "}, {"\u200b", " "}, {"\u2060", " "}, {"\u00a0", " "}, {"\u3000", " "},
}

// sign takes one of the signs.
func (s *scanner) sign() bool {
	i := signAt(s.in[s.at:])
	if i >= 0 {
		s.out = append(s.out, signs[i].plain...)
		s.at += len(signs[i].sign)
	}
	return i >= 0
}

// signAt gives which sign a text begins with, -1 if with none.
func signAt(text string) int {
	if text[0] < 0x80 {
		return -1
	}
	return slices.IndexFunc(signs, func(x sign) bool { return strings.HasPrefix(text, x.sign) })
}

// comment passes over a comment. One that runs to the end of a line needs that end: else nobody knows
// what of the line it is.
func (s *scanner) comment() bool {
	rest, end := s.in[s.at:], ""
	switch {
	case strings.HasPrefix(rest, "/*"):
		end = "*/"
	case strings.HasPrefix(rest, "//"), rest[0] == '#':
		end = "\n"
	default:
		return false
	}
	_, after, ok := strings.Cut(rest[1:], end)
	if ok {
		s.at = len(s.in) - len(after)
	}
	return ok
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
