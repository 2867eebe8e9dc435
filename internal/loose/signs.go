package loose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// KeepSigns quotes what YAML would drop of texts without quotes: a number sign with no blank behind it, which
// the reader of comments takes for one ("fix bug #12"), and tabs within. It is for texts whose words matter
// more than comments: those behind one of keys, or without keys all, items of lists too. Blocks stay as they are.
func KeepSigns(text string, keys ...string) string {
	if !strings.ContainsAny(text, "#\t") {
		return text
	}
	return outsideBlocks(text, func(line string) string {
		m := bareText.FindStringSubmatch(line)
		if m == nil || len(keys) > 0 && !slices.Contains(keys, m[2]) {
			return line
		}
		words := comment.ReplaceAllString(m[3], "")
		return m[1] + strconv.Quote(strings.ReplaceAll(words, "\t", " ")) + m[3][len(words):]
	})
}

// PlainQuotes puts plain quotes in place of typographic ones that enclose a whole value, or the items of a list in
// brackets: YAML takes them for a part of the text. It is for documents whose values are words of a model, not
// for those in which such a quote may be meant. Blocks stay as they are.
func PlainQuotes(text string) string {
	if !strings.ContainsAny(text, "“「‘＂") {
		return text
	}
	return outsideBlocks(text, func(line string) string {
		m := anyValue.FindStringSubmatch(line)
		switch {
		case m == nil:
			return line
		case m[2][0] == '[' && !strings.Contains(m[2], `"`) && curlyItem.MatchString(m[2]):
			return m[1] + halfWidth(m[2])
		}
		if words, enclosed := unwrapCurly(m[2]); enclosed {
			return m[1] + quoted(words)
		}
		return line
	})
}

// outsideBlocks gives text with what mend makes of each line that is no content of a block scalar.
func outsideBlocks(text string, mend func(line string) string) string {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if _, value, ok := splitPair(lines[i]); ok && blockHead.MatchString(value) {
			in := indent(lines[i])
			for i+1 < len(lines) && (indent(lines[i+1]) > in || strings.TrimSpace(lines[i+1]) == "") {
				i++
			}
			continue
		}
		lines[i] = mend(lines[i])
	}
	return strings.Join(lines, "\n")
}

var (
	// anyValue is what stands behind a key or the dash of an item, up to blanks at the end.
	anyValue = pattern.New(`^([ \t]*(?:(?:- +)*[a-z_]+:[ \t]+|(?:- +)+))(\S.*?)[ \t\r]*$`)
	// curlyItem begins an item of a list in brackets in a typographic quote.
	curlyItem = pattern.New(`[\[,，]\s*“[^“”]*”\s*[\],，]`)
)

var bareText = pattern.New(`^([ \t]*(?:(?:- +)*([a-z_]+):[ \t]+|(?:- +)+))([^\s"'|>\[{&*!%@#\x60-][^"]*?(?:[ \t]#\w|\t+[^\s#])[^"]*?)[ \t\r]*$`)
