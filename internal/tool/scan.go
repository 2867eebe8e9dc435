package tool

import (
	"strings"
	"unicode"
)

// scanned is what a first look at broken JSON finds.
type scanned struct {
	text        string // up to the end of the first value; NaN and the infinities are null
	rest        string // what follows it
	open        bool   // the value does not end
	inString    bool   // it ends inside of a string
	inWord      bool   // it ends right after a letter outside of strings
	innerQuotes bool   // a string has quotes that are not escaped
}

// scanner walks over one value that begins with a brace. A quote ends a string only if what
// follows could follow a string; any other is taken for a part of the text.
type scanner struct {
	in    string
	at    int
	out   strings.Builder
	depth int
	found scanned
}

func scan(text string) scanned {
	s := &scanner{in: text}
	for s.at < len(s.in) {
		if s.step(); s.depth == 0 {
			break
		}
	}
	f := s.found
	f.text, f.rest = s.out.String(), s.in[s.at:]
	if f.innerQuotes {
		// Where strings begin and end is a guess: leave every word as it is.
		f.text = s.in[:s.at]
	}
	f.open = s.depth > 0
	return f
}

// step takes one token.
func (s *scanner) step() {
	c := s.in[s.at]
	s.found.inWord = false
	switch {
	case c == '{' || c == '[':
		s.depth++
	case c == '}' || c == ']':
		s.depth--
	case c == '"' || c == '\'' && s.opens():
		s.string(c)
		return
	case isWord(c):
		s.word()
		return
	}
	s.out.WriteByte(c)
	s.at++
}

// opens reports whether a single quote here begins a string.
func (s *scanner) opens() bool {
	before := strings.TrimRightFunc(s.in[:s.at], unicode.IsSpace)
	return before != "" && strings.IndexByte("{[,:", before[len(before)-1]) >= 0
}

func (s *scanner) string(quote byte) {
	begin := s.at
	s.found.inString = true
	for s.at++; s.at < len(s.in); s.at++ {
		switch c := s.in[s.at]; {
		case c == '\\':
			s.at++
		case c == quote && s.closes():
			s.found.inString = false
			s.at++
			s.out.WriteString(s.in[begin:s.at])
			return
		case c == quote:
			s.found.innerQuotes = true
		}
	}
	s.at = len(s.in)
	s.out.WriteString(s.in[begin:])
}

// closes reports whether a quote here can end a string: the end, or what follows a value or a
// name, comes next. Another string comes next only where a comma was forgotten, after a space.
func (s *scanner) closes() bool {
	rest := s.in[s.at+1:]
	after := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if after == "" || strings.IndexByte(",:]}", after[0]) >= 0 {
		return true
	}
	return after[0] == '"' && len(after) < len(rest)
}

func (s *scanner) word() {
	begin := s.at
	for s.at < len(s.in) && isWord(s.in[s.at]) {
		s.at++
	}
	word := s.in[begin:s.at]
	switch strings.ToLower(strings.TrimLeft(word, "+-")) {
	case "nan", "inf", "infinity":
		word = "null"
	}
	s.out.WriteString(word)
	last := word[len(word)-1]
	s.found.inWord = unicode.IsLetter(rune(last))
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// curly are quotes that stand for straight ones.
var curly = strings.NewReplacer("\u201c", "", "\u201d", "", "\u2018", "", "\u2019", "")

// words gives the letters and digits of JSON-like text in order, without escapes, and with one
// spelling of the literals. Two texts with different words do not say the same.
func words(text string) string {
	var b strings.Builder
	text = curly.Replace(text)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i += escape(text[i+1:])
		case c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			b.WriteByte(c)
		case b.Len() > 0:
			b.WriteByte(' ')
		}
	}
	fields := strings.Fields(b.String())
	for i, f := range fields {
		fields[i] = literal(f)
	}
	return strings.Join(fields, "")
}

// escape gives how many bytes after a backslash belong to it.
func escape(after string) int {
	switch after[0] {
	case 'u':
		if len(after) >= 5 && strings.Trim(after[1:5], "0123456789abcdefABCDEF") == "" {
			return 5
		}
		return 0
	case 'n', 'r', 't', 'b', 'f', '"', '\\', '/':
		return 1
	}
	return 0
}

func literal(word string) string {
	switch word {
	case "True":
		return "true"
	case "False":
		return "false"
	case "None", "undefined":
		return "null"
	}
	return word
}
