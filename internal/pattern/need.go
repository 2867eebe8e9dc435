package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// need is what every match of an expression has. The zero value asks for nothing.
type need struct {
	beyond bool     // a character beyond ASCII
	words  []string // one of these; none if nothing is known
	fold   bool     // the words are in lower case, and their case makes no difference
}

// maxWords bounds how many words are looked for in place of trying the expression.
const maxWords = 32

// needOf reads a regular expression; of one that is none it knows nothing.
func needOf(text string) need {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return need{}
	}
	n := need{beyond: beyondASCII(re), fold: folds(re)}
	if n.words = wordsOf(re); len(n.words) > maxWords {
		n.words = nil
	}
	if n.fold {
		for i, w := range n.words {
			n.words[i] = lower(w)
		}
	}
	return n
}

// in reports whether s has what is needed.
func (n *need) in(s string) bool {
	ascii := isASCII(s)
	switch {
	case n.beyond && ascii:
		return false
	case len(n.words) == 0:
		return true
	case n.fold && !ascii && (strings.Contains(s, longS) || strings.Contains(s, kelvin)):
		return true
	case n.fold:
		s = lower(s)
	}
	return slices.ContainsFunc(n.words, func(w string) bool { return strings.Contains(s, w) })
}

// The only characters beyond ASCII that are letters of ASCII in another case.
const longS, kelvin = "\u017f", "\u212a"

// wordsOf gives words of which every match has at least one; none if there are no such. Of the parts of a
// sequence it takes those whose shortest word is longest.
func wordsOf(re *syntax.Regexp) (words []string) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 && slices.ContainsFunc(re.Rune, hasCase) || slices.Contains(re.Rune, utf8.RuneError) {
			return nil // RuneError is also what a byte that is no character is read as
		}
		return []string{string(re.Rune)}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if w := wordsOf(sub); shortest(w) > shortest(words) {
				words = w
			}
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			w := wordsOf(sub)
			if len(w) == 0 {
				return nil
			}
			words = append(words, w...)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return wordsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return wordsOf(re.Sub[0])
		}
	}
	return words
}

// hasCase reports whether a character beyond ASCII is a letter that has another case.
func hasCase(r rune) bool { return r >= utf8.RuneSelf && unicode.SimpleFold(r) != r }

// shortest gives the length of the shortest word in bytes; 0 if there is none.
func shortest(words []string) int {
	n := 0
	for _, w := range words {
		if n == 0 || len(w) < n {
			n = len(w)
		}
	}
	return n
}

// folds reports whether case makes no difference in any part of re.
func folds(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(re.Sub, folds)
}

// beyondASCII reports whether all that re matches has a character beyond ASCII. Where case makes no difference, the
// parser keeps the least of the characters that are alike: K for the sign of Kelvin.
func beyondASCII(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return slices.ContainsFunc(re.Rune, func(r rune) bool { return r >= utf8.RuneSelf })
	case syntax.OpCharClass: // pairs of first and last, in order
		return len(re.Rune) > 0 && re.Rune[0] >= utf8.RuneSelf
	case syntax.OpConcat:
		return slices.ContainsFunc(re.Sub, beyondASCII)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !beyondASCII(sub) })
	case syntax.OpCapture, syntax.OpPlus:
		return beyondASCII(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min > 0 && beyondASCII(re.Sub[0])
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lower makes the letters of ASCII small and leaves the others.
func lower(s string) string {
	var b []byte // a copy, from the first of them on
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			if b == nil {
				b = []byte(s)
			}
			b[i] += 'a' - 'A'
		}
	}
	if b == nil {
		return s
	}
	return string(b)
}
