package extract

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// A search finds what its expression does, whatever it looks for first.
func TestSearchIsItsExpression(t *testing.T) {
	atom := rapid.SampledFrom([]string{"a", "bc", "(?:a|bc)", "(ab|c)+", "x?", "[ab]", "b*", `\b`, "A", "(?i:aB)", "c{2}", "(?:b|)", "K", "é", "^", "$", "."})
	rapid.Check(t, func(t *rapid.T) {
		expr := ""
		for range rapid.IntRange(1, 5).Draw(t, "atoms") {
			expr += atom.Draw(t, "atom")
		}
		if rapid.Bool().Draw(t, "fold") {
			expr = "(?i)" + expr
		}
		if rapid.Bool().Draw(t, "or") {
			expr += "|" + atom.Draw(t, "other")
		}
		s, err := newSearch(expr)
		if err != nil {
			t.Fatal(err)
		}
		text := rapid.StringOfN(rapid.SampledFrom([]rune("abcABCxkK\u212Aé ")), 0, 12, -1).Draw(t, "text")
		if want, got := regexp.MustCompile(expr).MatchString(text), s.matches(text); got != want {
			t.Fatalf("%q in %q: %v, not %v", expr, text, got, want)
		}
	})
}
