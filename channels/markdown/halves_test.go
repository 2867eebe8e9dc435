package markdown_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/channels/markdown"
)

func TestHalves(t *testing.T) {
	long := func(s string, n int) string { return strings.Repeat(s, n) }
	for name, tt := range map[string]struct {
		text  string
		first string
	}{
		"short":             {long("a", 500), ""},
		"short in Chinese":  {long("字", 500), ""},
		"one word":          {long("a", 600), long("a", 300)},
		"lines":             {long("a", 200) + "\n" + long("b", 400), long("a", 200)},
		"a line far before": {long("a", 20) + "\n" + long("b", 600), long("a", 20) + "\n" + long("b", 289)},
		"words":             {long("some words ", 100), long("some words ", 50)},
		"sentences":         {long("这是一句话。", 100), long("这是一句话。", 50)},
		"families":          {long("👨‍👩‍👧‍👦", 100), long("👨‍👩‍👧‍👦", 50)},
		"flags":             {long("🇨🇳", 301), long("🇨🇳", 151)},
		"skin tones":        {"x" + long("👍🏽", 300), "x" + long("👍🏽", 150)},
		"combining marks":   {"x" + long("e\u0301", 300), "x" + long("e\u0301", 150)},
	} {
		got := ""
		if halves := markdown.Halves(tt.text); len(halves) > 0 {
			got = halves[0]
		}
		if got != tt.first {
			t.Errorf("%s: %q, want %q", name, got, tt.first)
		}
	}
}

// Whatever is cut, and cut again, all of it is there, and each piece is shorter.
func TestHalvesLoseNothing(t *testing.T) {
	words := rapid.SampledFrom([]string{"word", " ", "\n", "\n\n", "字", "。", "👍🏽", "🇨🇳", "e\u0301", "\t", "\u3000", strings.Repeat("long", 200)})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(words, 0, 400).Draw(t, "text"), "")
		var whole strings.Builder
		var cut func(string)
		cut = func(s string) {
			halves := markdown.Halves(s)
			if halves == nil {
				whole.WriteString(s)
				return
			}
			for _, half := range halves {
				if len(half) >= len(s) || !utf8.ValidString(half) {
					t.Fatalf("%q of %q", half, s)
				}
				cut(half)
			}
		}
		cut(text)
		seen := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if seen(whole.String()) != seen(text) {
			t.Fatalf("%q became %q", text, whole.String())
		}
	})
}
