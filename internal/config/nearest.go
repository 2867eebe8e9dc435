package config

import (
	"strings"

	"github.com/akitad/akitad/internal/typo"
)

// didYouMean gives advice for a misspelt name: the closest candidate, or all of them if none is close. All stand below
// key ("" for the top), which does not count in the comparison.
func didYouMean(key, name string, candidates []string) string {
	best, at := "", min(max(2, len(name)/3), len(name)-1)+1
	for _, c := range candidates {
		d := typo.Distance(strings.ToLower(name), strings.ToLower(c))
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
