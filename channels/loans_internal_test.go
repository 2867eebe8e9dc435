package channels

import (
	"testing"

	"github.com/akitad/akitad/internal/bus"
)

// A delivery that comes again while it is on loan is left to its holder; after that it is new.
func TestLoans(t *testing.T) {
	l, d := newLoans(), &bus.Delivery{}
	for i, want := range []bool{true, false, false} {
		if got := l.take(d); got != want {
			t.Errorf("take %d = %v, want %v", i, got, want)
		}
	}
	l.end(d)
	if !l.take(d) {
		t.Error("an ended loan is not taken again")
	}
}
