package pattern_test

import (
	"testing"

	"github.com/akitad/akitad/internal/pattern"
)

// TestPattern holds that a pattern finds what the expression says, and that a bad one panics only
// when it is used.
func TestPattern(t *testing.T) {
	p := pattern.New(`(\w)=(\d+)`)
	if got := p.FindStringSubmatch("x a=12 b=3"); len(got) != 3 || got[2] != "12" {
		t.Errorf("submatch %q", got)
	}
	if got := p.ReplaceAllString("a=1 b=2", "$2"); got != "1 2" {
		t.Errorf("replaced %q", got)
	}
	if got := len(p.FindAllString("a=1 b=2", -1)); got != 2 {
		t.Errorf("%d matches, want 2", got)
	}
	bad := pattern.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a bad pattern did not panic")
		}
	}()
	bad.MatchString("x")
}
