// Package typo measures how far a mistyped word is from one that may be meant. It knows no words itself.
package typo

// longest is how many letters a word may have to be compared. No name that a person or a model has to know is longer.
const longest = 100

// Distance returns the least number of letters to add, drop, change or swap with a neighbour to get from a to b (the
// optimal string alignment distance). Time and room grow with the product of the lengths, so two words of which one has
// more than longest letters are not compared: their distance is the length of the longer one.
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if most := max(len(from), len(to)); most > longest {
		return most
	}
	// Rows of the table of distances between beginnings of the words: before is two rows above row.
	before, above, row := make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(from); i++ {
		row[0] = i
		for j := 1; j <= len(to); j++ {
			cost := 1
			if from[i-1] == to[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, above[j]+1, above[j-1]+cost)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(to)]
}
