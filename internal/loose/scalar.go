package loose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/pattern"
)

// safe is text that every YAML reader takes for text as it stands: it begins with a letter and has
// nothing that could end it or give it a meaning.
var safe = pattern.New(`^[\p{L}][\p{L}\p{N}\p{Mn} _./()+=%$@&*!?<>^~,\-，。、；：！？（）《》“”‘’'"]*$`)

// Scalar writes text as a YAML scalar on one line that reads back as the same text, plainly where
// that is safe. It is never read as a number, a boolean or null.
func Scalar(text string) string {
	if safe.MatchString(text) && strings.TrimSpace(text) == text && !isWord(text) {
		return text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""`
	}
	// A JSON text is a YAML scalar in double quotes, save characters that JSON leaves bare.
	var out strings.Builder
	for _, c := range strings.TrimRight(b.String(), "\n") {
		if unicode.IsControl(c) || c == '\ufeff' {
			fmt.Fprintf(&out, "\\u%04x", c)
			continue
		}
		out.WriteRune(c)
	}
	if s := out.String(); falseEscape.MatchString(s) { // a drive's letter, and then a character that is no path's
		return s[:2] + `\u003a` + s[3:]
	}
	return out.String()
}

// isWord reports whether some YAML reader takes text for a boolean or null.
func isWord(text string) bool {
	switch strings.ToLower(text) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		return true
	}
	return false
}
