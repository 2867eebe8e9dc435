package sorting_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/akitad/akitad/internal/sorting"
	"pgregory.net/rapid"
)

type entry struct{ key, at int }

func TestBySortsAndKeepsEquals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got []entry
		for at, key := range rapid.SliceOf(rapid.IntRange(0, 9)).Draw(t, "keys") {
			got = append(got, entry{key, at})
		}
		sorting.By(got, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
		byBoth := func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) }
		if !slices.IsSortedFunc(got, byBoth) {
			t.Fatalf("not sorted, or equals changed places: %v", got)
		}
	})
}
