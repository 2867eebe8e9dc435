package tool

import (
	"strings"

	"github.com/akitad/akitad/internal/sorting"
	"github.com/akitad/akitad/internal/typo"
)

// Nearest gives up to three of the known words that a mistyped one may mean, the nearest first: those that hold it, and
// those that are at most two letters, or a third of their length, away from it (typo.Distance). Case does not count.
func Nearest(word string, known []string) []string {
	type guess struct {
		word string
		far  int
	}
	var guesses []guess
	for _, k := range known {
		far := typo.Distance(strings.ToLower(word), strings.ToLower(k))
		if strings.Contains(k, word) && word != "" {
			far = 1
		}
		if far <= max(2, len(k)/3) {
			guesses = append(guesses, guess{k, far})
		}
	}
	sorting.By(guesses, func(a, b guess) int { return a.far - b.far })
	var words []string
	for _, g := range guesses[:min(3, len(guesses))] {
		words = append(words, g.word)
	}
	return words
}
