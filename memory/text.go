package memory

import (
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/pattern"
)

// clean makes any text one line that is safe in a Markdown list item and in a prompt: no line
// breaks, no control, direction or invisible characters, no block marker at its start.
func clean(s string) string {
	s = strings.Map(visible, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Join(strings.Fields(s), " ")
	for s != "" && strings.IndexByte("#>-*+[`~_=", s[0]) >= 0 {
		short := strings.TrimSpace(blockMarker.ReplaceAllString(s, ""))
		if short == s {
			return s
		}
		s = short
	}
	return s
}

// blockMarker matches what would begin a heading, quote, list item, task box, fence or rule.
var blockMarker = pattern.New("^(?:#{1,6}(?: |$)|>|[-*+](?: |$)|\\[[ xX]\\] |`{3,}|~{3,}|(?:[-_*=] ?){3,}(?: |$))")

// visible drops the characters that people cannot see and models can read: control and direction
// characters, zero-width ones (but not the joiner, which makes emoji), and the tag block.
func visible(r rune) rune {
	switch {
	case r == '\u2028' || r == '\u2029' || unicode.IsControl(r):
		return ' '
	case r == '\u200d':
		return r
	case r >= 0xE0000 && r <= 0xE0FFF, unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// quote makes a cleaned text that cannot end a tagged block of the prompt around it, nor pass for a
// chat template's own marks.
func quote(s string) string { return promptMarks.Replace(clean(s)) }

var promptMarks = strings.NewReplacer("</", `<\/`, "<|", "< |", "|>", "| >")

// In a file, a text must neither open nor close an HTML comment.
var (
	toFile   = strings.NewReplacer("&lt;", "&amp;lt;", "&gt;", "&amp;gt;", "&amp;", "&amp;amp;", "<!", "&lt;!", "-->", "--&gt;")
	fromFile = strings.NewReplacer("&amp;lt;", "&lt;", "&amp;gt;", "&gt;", "&amp;amp;", "&amp;", "&lt;", "<", "&gt;", ">")
)
