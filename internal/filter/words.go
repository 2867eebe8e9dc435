package filter

import (
	"unicode"
	"unicode/utf8"
)

// EachWord hands over the words of a text as outputs are searched by them: lower case, stemmed, identifiers in their
// parts, Han as pairs of characters. The slice is valid until the next one.
func EachWord(text string, yield func(word []byte)) { eachWord(text, yield) }

// eachWord hands over the words of a text as they are searched for: lower case, stemmed, identifiers
// in their parts and, where digits are in them, as a whole too; Han as pairs of characters. The slice
// is valid until the next one.
func eachWord(text string, yield func(word []byte)) {
	var s scanner
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case class(c) != 0:
			i = s.run(text, i, yield)
		case c < utf8.RuneSelf:
			i++
		default:
			i = s.wide(text, i, yield)
		}
	}
}

// classes of bytes inside words.
const (
	lower = 1 + iota
	upper
	digit
)

func class(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return lower
	case c >= 'A' && c <= 'Z':
		return upper
	case c >= '0' && c <= '9':
		return digit
	}
	return 0
}

// maxWord is the longest word that is looked at; longer runs are data, not words.
const maxWord = 64

type scanner struct{ buf [maxWord]byte }

// run reads letters and digits with the signs that join them, and gives the parts and the whole.
func (s *scanner) run(text string, from int, yield func([]byte)) int {
	i, parts, digits := from, 0, false
	for i < len(text) {
		start := i
		for i < len(text) && class(text[i]) != 0 {
			digits = digits || class(text[i]) == digit
			i++
		}
		parts += s.parts(text[start:i], yield)
		if i+1 >= len(text) || !joins(text[i]) || class(text[i+1]) == 0 {
			break
		}
		i++
	}
	if parts > 1 && digits && i-from <= maxWord {
		yield(s.lowered(text[from:i]))
	}
	return i
}

func joins(c byte) bool { return c == '.' || c == '_' || c == '-' || c == ':' }

// parts splits a run at changes of case and between letters and digits.
func (s *scanner) parts(run string, yield func([]byte)) (n int) {
	from := 0
	for i := 1; i <= len(run); i++ {
		if i < len(run) && !s.border(run, i) {
			continue
		}
		if i-from <= maxWord {
			yield(stem(s.lowered(run[from:i])))
		}
		n, from = n+1, i
	}
	return n
}

func (s *scanner) border(run string, i int) bool {
	a, b := class(run[i-1]), class(run[i])
	switch {
	case a == b:
		return a == upper && i+1 < len(run) && class(run[i+1]) == lower && i > 1
	case a == upper && b == lower:
		return false
	}
	return true
}

func (s *scanner) lowered(w string) []byte {
	b := s.buf[:len(w)]
	for i := range len(w) {
		c := w[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		b[i] = c
	}
	return b
}

// wide reads one character beyond ASCII: Han as a pair with the next one, other letters as words.
func (s *scanner) wide(text string, i int, yield func([]byte)) int {
	r, n := utf8.DecodeRuneInString(text[i:])
	if isHan(r) {
		next, m := utf8.DecodeRuneInString(text[i+n:])
		if isHan(next) {
			yield(s.buf[:copy(s.buf[:], text[i:i+n+m])])
		}
		return i + n
	}
	if !unicode.IsLetter(r) {
		if w := signWord(r); w != "" {
			yield(s.buf[:copy(s.buf[:], w)])
		}
		return i + n
	}
	b, j := s.buf[:0], i
	for j < len(text) {
		r, n := utf8.DecodeRuneInString(text[j:])
		if !unicode.IsLetter(r) || isHan(r) || len(b)+n > maxWord-utf8.UTFMax {
			break
		}
		b = utf8.AppendRune(b, unicode.ToLower(r))
		j += n
	}
	yield(b)
	return max(j, i+n)
}

// signWord returns the word for a sign by which tools say how something went.
func signWord(r rune) string {
	switch r {
	case '✓', '✔', '✅':
		return "pass"
	case '✕', '✖', '✗', '✘', '❌':
		return "fail"
	}
	return ""
}

func isHan(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// stem takes common endings of English words off, so that forms of one word meet.
func stem(w []byte) []byte {
	n := len(w)
	ends := func(s string) bool { return n > len(s)+2 && string(w[n-len(s):]) == s }
	switch {
	case n < 4 || class(w[0]) == digit:
		return w
	case ends("ies"), ends("ied"):
		w = w[:n-2]
	case ends("sses"):
		w = w[:n-2]
	case ends("ing"):
		w = undouble(w[:n-3])
	case ends("ed"):
		w = undouble(w[:n-2])
	case ends("s") && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		w = w[:n-1]
	}
	if n := len(w); n > 3 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	if n := len(w); n > 3 && w[n-1] == 'y' {
		w[n-1] = 'i'
	}
	return w
}

// undouble makes "stopp" of "stopped" the "stop" of "stops".
func undouble(w []byte) []byte {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && w[n-1] != 'l' && w[n-1] != 's' {
		return w[:n-1]
	}
	return w
}
