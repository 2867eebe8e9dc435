package typo_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/typo"
)

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "ab", 2},
		{"pool", "pool", 0},
		{"pool", "pol", 1},
		{"pol", "pool", 1},
		{"pool", "pull", 2},
		{"retry", "rerty", 1},
		{"ca", "abc", 3}, // a swapped pair is not changed again
		{"目标", "目的", 1},
		{"kitten", "sitting", 3},
		{strings.Repeat("字", 100), strings.Repeat("字", 99), 1},
		{strings.Repeat("字", 101), strings.Repeat("字", 100), 101}, // too long to be a mistyped name
	} {
		if got := typo.Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := typo.Distance(tt.b, tt.a); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
