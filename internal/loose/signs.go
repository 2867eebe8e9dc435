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
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if _, value, ok := splitPair(lines[i]); ok && blockHead.MatchString(value) {
			in := indent(lines[i])
			for i+1 < len(lines) && (indent(lines[i+1]) > in || strings.TrimSpace(lines[i+1]) == "") {
				i++
			}
			continue
		}
		if m := bareText.FindStringSubmatch(lines[i]); m != nil && (len(keys) == 0 || slices.Contains(keys, m[2])) {
			words := comment.ReplaceAllString(m[3], "")
			lines[i] = m[1] + strconv.Quote(strings.ReplaceAll(words, "\t", " ")) + m[3][len(words):]
		}
	}
	return strings.Join(lines, "\n")
}

var bareText = pattern.New(`^([ \t]*(?:(?:- +)*([a-z_]+):[ \t]+|(?:- +)+))([^\s"'|>\[{&*!%@#\x60-][^"]*?(?:[ \t]#\w|\t+[^\s#])[^"]*?)[ \t\r]*$`)
