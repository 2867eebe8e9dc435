package pattern_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/pattern"
)

// Expressions and texts are drawn from the same few letters, among them those that are alike but for their case:
// K and the sign of Kelvin, s and the long s; and the one that a byte which is no character is read as.
const letters = `aBkKsSé键多` + "\u212a\u017f\ufffd"

func letter() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return string(rapid.SampledFrom([]rune(letters)).Draw(t, "letter")) })
}

func expression(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if depth == 0 {
			return strings.Join(rapid.SliceOfN(letter(), 1, 3).Draw(t, "word"), "")
		}
		sub := expression(depth - 1)
		switch a := sub.Draw(t, "a"); rapid.IntRange(0, 9).Draw(t, "form") {
		case 0, 1:
			return a + sub.Draw(t, "b")
		case 2, 3:
			return "(?:" + a + "|" + sub.Draw(t, "b") + ")"
		case 4:
			return "(?i:" + a + ")"
		case 5:
			return "(?:" + a + ")" + rapid.SampledFrom([]string{"?", "*", "+", "{0,2}", "{2}"}).Draw(t, "times")
		case 6:
			return "[" + letter().Draw(t, "one") + letter().Draw(t, "other") + "]" + a
		case 7:
			return "[^" + letter().Draw(t, "none") + "]" + a
		case 8:
			return rapid.SampledFrom([]string{"^", `\b`, ".", "(?i)"}).Draw(t, "before") + a
		default:
			return "(" + a + ")"
		}
	})
}

// Whatever is left out without being tried has no match.
func TestNothingIsMissed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := expression(rapid.IntRange(0, 4).Draw(t, "depth")).Draw(t, "expression")
		want, got := regexp.MustCompile(text), pattern.New(text)
		for range 8 {
			s := strings.Join(rapid.SliceOfN(rapid.OneOf(letter(), rapid.Just("\xff")), 0, 6).Draw(t, "text"), "")
			if got.MatchString(s) != want.MatchString(s) {
				t.Fatalf("%s on %q: %v, want %v", text, s, got.MatchString(s), want.MatchString(s))
			}
		}
	})
}

// What is looked for in texts that have nothing of it, in a whole expression and in one of words.
func BenchmarkNoMatch(b *testing.B) {
	s := strings.Repeat("Read orders.csv and tell me which services failed after 14:00. ", 4)
	for name, text := range map[string]string{
		"words": `(?i)\b(?:at most|no more than|up to|within)\s+\d+`, "han": `(?:最多|不超过)[0-9]+`, "any": `\d{5,}[a-z]+`,
	} {
		re, p := regexp.MustCompile(text), pattern.New(text)
		b.Run(name+"/regexp", func(b *testing.B) {
			for b.Loop() {
				re.MatchString(s)
			}
		})
		b.Run(name+"/pattern", func(b *testing.B) {
			for b.Loop() {
				p.MatchString(s)
			}
		})
	}
}
