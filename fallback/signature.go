package fallback

import (
	"strings"
	"unicode"

	"github.com/akitad/akitad"
)

// maxSignature bounds a signature, in bytes: what makes messages differ stands at their front.
const maxSignature = 300

// Signature names a failure by its kind and its message without what differs each time: case, spacing,
// punctuation, and every word that has a digit, such as ids, addresses, times and counts. Two failures
// with the same signature count as the same one.
func Signature(kind akitad.Kind, message string) string {
	words := strings.FieldsFunc(strings.ToLower(message), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			words[i] = "#"
		}
	}
	name := string(kind) + ": " + strings.Join(words, " ")
	return strings.ToValidUTF8(name[:min(len(name), maxSignature)], "")
}
