package admin

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// What reductions took out is told as they recorded it.
func TestShareOfReductions(t *testing.T) {
	s := shareOf(&journal.Task{
		Reduced: []journal.ReducedData{{Masked: 300}, {Masked: 100, Summarised: 750}},
		Rounds:  []journal.RoundState{{Results: []akitad.Observation{{Text: "short", Bytes: 500}, {Text: "all of it", Error: &akitad.Failure{}}}}},
	})
	if s.Masked != 400 || s.Summarised != 750 || s.Produced != 509 || s.Shown != 14 || s.Calls != 2 || s.Failed != 1 {
		t.Errorf("%+v", s)
	}
}
