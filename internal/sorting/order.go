// Package sorting sorts slices with little code: slices.SortFunc is compiled anew for each type of element,
// some 15 kB a time, this is a call of 300 bytes. It is two or three times slower, so it is not for
// what is long or sorted often.
package sorting

import "sort"

// By sorts s by cmp, which is negative if a comes first. What is equal keeps its order.
func By[T any](s []T, cmp func(a, b T) int) {
	sort.SliceStable(s, func(i, j int) bool { return cmp(s[i], s[j]) < 0 })
}
