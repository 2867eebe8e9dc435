package extract

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// search is a regular expression with its needles: literal texts of which every match contains at least one. Most
// lines contain none, and looking for the needles first is many times as fast as running the expression.
type search struct {
	re      *regexp.Regexp
	needles []string // in lower case; nil if none are known
}

func newSearch(expr string) (*search, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	s := &search{re: re}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil {
		s.needles = needles(tree)
	}
	return s, nil
}

// matches reports whether v matches. A text with characters outside of ASCII goes to the expression at once, because
// folding its case may change more than the case.
func (s *search) matches(v string) bool {
	if s.needles != nil && plain(v) {
		lower := strings.ToLower(v)
		found := false
		for i := 0; i < len(s.needles) && !found; i++ {
			found = strings.Contains(lower, s.needles[i])
		}
		if !found {
			return false
		}
	}
	return s.re.MatchString(v)
}

// plain reports whether a text is all ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// needles gives texts, in lower case, of which every match of the expression contains at least one; nil if none are
// known. Of the parts of a concatenation it takes the one whose shortest needle is longest.
func needles(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if text := strings.ToLower(string(re.Rune)); plain(text) {
			return []string{text}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needles(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needles(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if got := needles(sub); shortest(got) > shortest(best) {
				best = got
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			got := needles(sub)
			if got == nil {
				return nil
			}
			all = append(all, got...)
		}
		return all
	}
	return nil
}

// shortest gives the length of the shortest text in bytes, 0 if there are none.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	n := len(texts[0])
	for _, t := range texts[1:] {
		n = min(n, len(t))
	}
	return n
}
