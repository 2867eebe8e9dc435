package config

import "strings"

// didYouMean gives advice for a misspelt name: the closest candidate, or all of them if none is close. All stand below
// key ("" for the top), which does not count in the comparison.
func didYouMean(key, name string, candidates []string) string {
	best, at := "", min(max(2, len(name)/3), len(name)-1)+1
	for _, c := range candidates {
		d := distance(strings.ToLower(name), strings.ToLower(c))
		if len(name) > 2 && (strings.HasPrefix(c, name) || strings.HasSuffix(c, "_"+name)) {
			d = 1 // cut short
		}
		if d < at {
			best, at = c, d
		}
	}
	switch {
	case best != "":
		return "did you mean " + join(key, best) + "?"
	case len(candidates) == 0:
		return ""
	}
	all := make([]string, len(candidates))
	for i, c := range candidates {
		all[i] = join(key, c)
	}
	return "known here: " + strings.Join(all, ", ")
}

// distance counts the letters to add, drop, change or swap with a neighbour to get from a to b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 80 {
		x = x[:80]
	}
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
