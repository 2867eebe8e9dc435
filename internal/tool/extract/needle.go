package extract

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// search is a regular expression with texts of which anything that it matches holds one: to look for these
// first is many times as fast, and most lines hold none.
type search struct {
	re      *regexp.Regexp
	needles []string // lower case; nil if there is none for certain
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

// plain tells text without letters of which a case has another form than ASCII's.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// needles are texts of which whatever the expression matches holds at least one; nil if that is not known.
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
