package tool

import (
	"strings"

	"github.com/akitad/akitad/internal/sorting"
)

// Nearest gives up to three of the known words that a mistyped one may mean, the nearest first.
func Nearest(word string, known []string) []string {
	type guess struct {
		word string
		far  int
	}
	var guesses []guess
	for _, k := range known {
		far := distance(strings.ToLower(word), strings.ToLower(k))
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

// distance is the number of bytes to insert, delete or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
